// A live session of the server for a document that the page has already: events go there, and changes come back.
// Nothing is drawn anew.
export class Link {
  static async open(manifest, document, {changes, lost}) {
    const address = new URL('app/ws', window.document.baseURI)
    address.protocol = address.protocol.replace('http', 'ws')
    const {ClientConnection} = Bokeh.require('client/connection')
    const connection = new ClientConnection(String(address), manifest.token)
    const link = new Link(connection, document, changes, lost)
    // Bokeh would fetch the whole document here; this one is on the page.
    connection._repull_session_doc = resolve => {
      connection.session = link
      resolve(link)
    }
    connection._schedule_reconnect = () => link.closed()
    await connection.connect()
    return link
  }

  constructor(connection, document, changes, lost) {
    Object.assign(this, {connection, document, changes, lost})
  }

  send(events) {
    if (this.connection.socket?.readyState !== WebSocket.OPEN) return
    const {Message} = Bokeh.require('protocol/message')
    this.connection.send(Message.create('PATCH-DOC', {}, this.document.create_json_patch(events)))
  }

  handle(message) {
    if (message.msgtype() === 'PATCH-DOC') this.changes(message.content.events, message.buffers)
  }

  _connection_closed() { this.closed() }

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
