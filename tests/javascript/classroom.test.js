// Joining and leaving rooms.
import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {load} from './page.js'

let rooms, heard
const passed = () => new Promise(setImmediate)

async function talk() {
  const {module, heard: listeners} = await load('classroom/talk.js')
  heard = (type, event) => {
    for (const entry of listeners) if (entry.type === type) entry.listener?.(event)
  }
  return module
}

beforeEach(() => {
  rooms = []
  globalThis.fetch = (url, {signal}) => {
    rooms.push(String(url).match(/room\/(\w+)/)[1])
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
  }
})

test('after a lost connection, a page asks for all news at once', async () => {
  const {Line} = await talk()
  const asked = [],
    lost = []
  globalThis.fetch = url => {
    asked.push(new URL(url).searchParams.get('since'))
    if (asked.length === 2) return Promise.reject(new TypeError('Failed to fetch'))
    if (asked.length > 3) return new Promise(() => {})
    return Promise.resolve({ok: true, json: async () => ({version: 5})})
  }
  const {setTimeout} = globalThis
  globalThis.setTimeout = step => setTimeout(step)
  const line = new Line({code: 'ROOM', token: 'T'}, 'teach', {
    news() {},
    lost: whether => lost.push(whether),
    ended() {},
  })
  line.listen()
  while (asked.length < 4) await new Promise(resolve => setTimeout(resolve))
  globalThis.setTimeout = setTimeout
  assert.deepEqual(asked, ['0', '5', '0', '5'])
  assert.deepEqual(lost, [false, true, false])
  heard('online', {})
  assert.deepEqual(asked.slice(4), ['0'])
  line.end()
  heard('online', {})
  assert.equal(asked.length, 5)
})

test('a page that comes back hears of its room again, and of none that it has left', async () => {
  const {Line} = await talk()
  const hears = {news() {}, lost() {}, ended() {}}
  const [first, second] = ['FIRST', 'SECOND'].map(code => new Line({code, token: code}, 'teach', hears))
  first.listen()
  first.end()
  second.listen()
  heard('pagehide', {})
  await passed()
  assert.deepEqual(rooms, ['FIRST', 'SECOND'])
  heard('pageshow', {persisted: true})
  await passed()
  assert.deepEqual(rooms, ['FIRST', 'SECOND', 'SECOND'])
})
