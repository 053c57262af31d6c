// A live session of the server for a document that the page has already: what happens in the models that both know goes
// there, and its changes come back. Nothing is drawn anew.
export class Link {
  static async open(manifest, document, {changes, lost}) {
    const address = new URL('app/ws', window.document.baseURI)
    address.protocol = address.protocol.replace('http', 'ws')
    const {ClientConnection} = Bokeh.require('client/connection')
    const connection = new ClientConnection(String(address), manifest.token)
    const link = new Link(connection, document, manifest.prefix, changes, lost)
    // Bokeh would fetch the whole document here; this one is on the page.
    connection._repull_session_doc = resolve => {
      connection.session = link
      resolve(link)
    }
    connection._schedule_reconnect = () => link.closed()
    await connection.connect()
    return link
  }

  constructor(connection, document, prefix, changes, lost) {
    Object.assign(this, {connection, document, prefix, changes, lost})
    this.listener = event => this.send(event)
    document.on_change(this.listener, true)
  }

  // Only what the server has a model for.
  knows(event) {
    const model = event.model ?? event.msg_data?.origin
    return Boolean(event.sync ?? true) && String(model?.id).startsWith(this.prefix)
  }

  send(event) {
    const events = (event.events ?? [event]).filter(each => this.knows(each))
    if (!events.length || this.connection.socket?.readyState !== WebSocket.OPEN) return
    const {Message} = Bokeh.require('protocol/message')
    this.connection.send(Message.create('PATCH-DOC', {}, this.document.create_json_patch(events)))
  }

  handle(message) {
    if (message.msgtype() === 'PATCH-DOC') this.changes(message.content.events, message.buffers)
  }

  _connection_closed() { this.closed() }

  closed() {
    this.document.remove_on_change(this.listener)
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
