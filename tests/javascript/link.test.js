import assert from 'node:assert/strict'
import {beforeEach, mock, test} from 'node:test'
import {Link} from '../../app/static/bokeh/link.js'

let now, sent, lost, changed, link

class MessageSentEvent {
  constructor(_document, type, data) {
    Object.assign(this, {type, data})
  }
}

const pan = (origin, x) => ({msg_data: {event_name: 'pan', origin, x}})
const events = () => sent.flat()

beforeEach(() => {
  mock.timers.reset()
  mock.timers.enable({apis: ['setTimeout']})
  now = 0
  sent = []
  lost = 0
  changed = []
  mock.method(performance, 'now', () => now)
  globalThis.WebSocket = {OPEN: 1}
  globalThis.Bokeh = {require: () => ({Message: {create: (_kind, _header, content) => content}, MessageSentEvent})}
  const connection = {socket: {readyState: 1}, send: message => sent.push(message), close: () => {}}
  link = new Link(
    connection,
    {create_json_patch: patch => patch},
    (...all) => changed.push(all),
    () => (lost += 1),
  )
})

const pass = milliseconds => {
  now += milliseconds
  mock.timers.tick(milliseconds)
}

test('the first message goes at once, the next ones together after a while', () => {
  link.send(['a'])
  link.send(['b'])
  link.send(['c'])
  assert.deepEqual(sent, [['a']])
  pass(17)
  assert.deepEqual(sent, [['a'], ['b', 'c']])
})

test('of a drag only the latest place counts', () => {
  const one = {},
    other = {}
  link.send(['first'])
  link.send([pan(one, 1)])
  link.send([pan(one, 2)])
  link.send([pan(other, 3)])
  link.send([pan(one, 4)])
  pass(17)
  assert.deepEqual(
    sent[1].map(event => event.msg_data.x),
    [2, 3, 4],
  )
})

test('a request is a message with its JSON, in its turn among the events of the picture', () => {
  const one = {}
  link.send(['first'])
  link.send([pan(one, 1)])
  link.request({n: 1, do: 'play'})
  link.send([pan(one, 2)])
  pass(17)
  assert.deepEqual(
    sent[1].map(each => each.type ?? 'pan'),
    ['pan', 'request', 'pan'],
  )
  assert.deepEqual(JSON.parse(sent[1][1].data), {n: 1, do: 'play'})
})

test('a long queue goes in several messages', () => {
  link.send(Array(70).fill('x'))
  assert.equal(sent[0].length, 32)
  pass(17)
  pass(17)
  assert.deepEqual(
    sent.map(message => message.length),
    [32, 32, 6],
  )
})

test('nothing is sent through a socket that is not open', () => {
  link.connection.socket.readyState = 0
  link.send(['a'])
  assert.deepEqual(events(), [])
})

test('changes of the server are handed on, and nothing else', () => {
  link.handle({msgtype: () => 'PATCH-DOC', content: {events: ['e']}, buffers: 'b'})
  link.handle({msgtype: () => 'OK', content: {}})
  assert.deepEqual(changed, [[['e'], 'b']])
})

test('a loss is told once, and never after the page has closed the link', () => {
  link.closed()
  link.closed()
  assert.equal(lost, 1)
  link.lost = () => (lost += 1)
  link.close()
  link.closed()
  assert.equal(lost, 1)
})
