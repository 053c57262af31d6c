// Connects a document on the page to a live session of the server: events go there, and changes come back. Nothing is
// redrawn from scratch. The server limits messages per second, so of a drag only the latest position is sent.
const APART = 17
const TOGETHER = 32

/** @typedef {{changes: (events: PatchEvent[], buffers?: Map<string, ArrayBuffer>) => void, lost: () => void}} Hears */
export class Link {
  // Both the request for a session and its websocket carry the reader's id, by which a proxy routes them to one server.
  /** @param {SessionManifest} manifest @param {string} reader @param {BokehDocument} document @param {Hears} hears */
  static async open(manifest, reader, document, {changes, lost}) {
    const address = new URL('app/ws', window.document.baseURI)
    address.protocol = address.protocol.replace('http', 'ws')
    const {ClientConnection} = Bokeh.require('client/connection')
    /** @type {BokehConnection} */
    const connection = new ClientConnection(String(address), manifest.token, String(new URLSearchParams({reader})))
    const link = new Link(connection, document, changes, lost)
    // Bokeh would fetch the whole document here, but the page already has it.
    connection._repull_session_doc = resolve => {
      connection.session = link
      resolve(link)
    }
    connection._schedule_reconnect = () => link.closed()
    await connection.connect()
    return link
  }

  /** @param {BokehConnection} connection @param {BokehDocument} document @param {Hears['changes']} changes @param {Hears['lost']} lost */
  constructor(connection, document, changes, lost) {
    this.connection = connection
    this.document = document
    this.changes = changes
    /** @type {Hears['lost'] | null} */
    this.lost = lost
    /** @type {BokehEvent[]} */
    this.waiting = []
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null
    this.sent = -APART
  }

  /** @param {BokehEvent[]} events */
  send(events) {
    if (events.length === 1 && moves(events[0], this.waiting.at(-1))) this.waiting.pop()
    this.waiting.push(...events)
    const due = this.sent + APART - performance.now()
    if (due <= 0) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), due)
  }

  // Bokeh passes the message through unchanged; the server parses it.
  /** @param {SessionRequest} request */
  request(request) {
    const {MessageSentEvent} = Bokeh.require('document/events')
    this.send([new MessageSentEvent(this.document, 'request', JSON.stringify(request))])
  }

  flush() {
    clearTimeout(this.timer)
    this.timer = null
    const events = this.waiting.splice(0, TOGETHER)
    if (!events.length || this.connection.socket?.readyState !== WebSocket.OPEN) return
    this.sent = performance.now()
    const {Message} = Bokeh.require('protocol/message')
    this.connection.send(Message.create('PATCH-DOC', {}, this.document.create_json_patch(events)))
    if (this.waiting.length) this.send([])
  }

  /** @param {BokehMessage} message */
  handle(message) {
    if (message.msgtype() === 'PATCH-DOC') this.changes(message.content.events, message.buffers)
  }

  _connection_closed() {
    this.closed()
  }

  closed() {
    if (this.lost) {
      const lost = this.lost
      this.lost = null
      lost()
    }
  }

  close() {
    this.lost = null
    this.connection.close()
  }
}

// Whether both events are moves of the same drag, so that the second replaces the first.
/** @param {BokehEvent} event @param {BokehEvent | undefined} before */
function moves(event, before) {
  /** @param {BokehEvent | undefined} event */
  const drag = event => event?.msg_data?.event_name === 'pan' && event.msg_data.origin
  return before && drag(event) && drag(event) === drag(before)
}
