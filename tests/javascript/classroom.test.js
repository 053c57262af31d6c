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
