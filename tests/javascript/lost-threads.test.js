// A thread that fails, ends or says nothing, where there is no server: the run begins again with less, and after that the run that
// came with the page is shown. What the page shows meanwhile stays.
import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {load} from './page.js'
import {FIGURE, FakeWorker, pass, simulation} from './toy-training.js'

const {module} = await load('training/session/local-session.js', {attributes: ['data-static']})
document.baseURI = 'https://example.org/'
const {LocalSession} = module

let session, unable, lives
beforeEach(() => {
  FakeWorker.count = 0
  FakeWorker.fate = () => undefined
  FakeWorker.milliseconds = 0
  unable = []
  lives = []
})

function opened(page = simulation(4)) {
  const changes = events => {
    for (const {msg_type: kind, msg_data: data} of events) if (kind === 'live') lives.push(data)
  }
  session = new LocalSession(page, FIGURE, {}, {changes, unable: reason => unable.push(reason)})
  return session
}

const last = () => lives.at(-1)

// A run that plays, of which one step is taken.
async function playing(timers, page) {
  timers.enable({apis: ['setTimeout', 'setInterval']})
  opened(page).request({n: 1, do: 'play'})
  await pass(timers, 500)
  assert.equal(session.taken, 1)
}

test('a thread that has ended during a run: it begins again, in one thread, and goes on', async ({mock: {timers}}) => {
  await playing(timers)
  FakeWorker.last.end('Uncaught RangeError: out of memory')
  assert.equal(last().playing, true)
  assert.equal(last().step, 1)
  await pass(timers, 6000)
  assert.equal(FakeWorker.count, 2)
  assert.equal(session.status, 'finished')
  assert.deepEqual(last().notes, [
    'A thread of this browser has failed: Uncaught RangeError: out of memory. The run has begun again.',
  ])
  assert.match(session.computed(), /equals the kept run/)
})

test('a run that is paused returns to its step', async ({mock: {timers}}) => {
  await playing(timers)
  session.request({n: 2, do: 'pause'})
  await pass(timers, 1000)
  const {taken} = session
  FakeWorker.last.end('lost')
  await pass(timers, 6000)
  assert.equal(session.taken, taken)
  assert.equal(session.status, 'paused')
})

test('where not even the start came, the plain code is tried', async ({mock: {timers}}) => {
  timers.enable({apis: ['setTimeout', 'setInterval']})
  FakeWorker.fate = ({plain}) => (plain === false ? 'The compiled code is damaged.' : undefined)
  opened().request({n: 1, do: 'play'})
  await pass(timers, 6000)
  assert.equal(session.status, 'finished')
  assert.deepEqual(last().notes, ['The compiled code is damaged. The run has begun again.'])
  assert.match(session.computed(), /rounded twice/)
})

test('a failure that comes again leaves the picture, and says why; the reader may try once more', async ({
  mock: {timers},
}) => {
  await playing(timers)
  FakeWorker.fate = () => 'This browser refuses 9 MB of memory.'
  await pass(timers, 6000)
  assert.equal(session.status, 'failed')
  assert.equal(last().message, 'This browser refuses 9 MB of memory. The picture stays as it was.')
  assert.deepEqual(last().notes, [])
  assert.equal(last().step, 1)
  FakeWorker.fate = () => undefined
  session.request({n: 2, do: 'play'})
  await pass(timers, 6000)
  assert.equal(session.status, 'finished')
  assert.equal(last().message, '')
})

test('the run that came with the page is shown in the end', async ({mock: {timers}}) => {
  const page = simulation(4)
  const json = JSON.stringify({step: 4, steps: 4, results: {}, diverged: [], quantities: {}})
  page.stateOf = () => 'first'
  page.first = []
  page.shelf.numbers = async () => ({json: {msg_data: {entries: [['content', json]]}}})
  await playing(timers, page)
  FakeWorker.fate = () => 'This browser refuses 9 MB of memory.'
  await pass(timers, 6000)
  assert.equal(
    last().message,
    'This browser refuses 9 MB of memory. The picture is that of the run that came with this page.',
  )
  assert.equal(last().kept, true)
  assert.equal(last().step, 4)
})

test('a thread that says nothing is given up', async ({mock: {timers}}) => {
  await playing(timers)
  FakeWorker.fate = () => 'silent'
  await pass(timers, 2000)
  FakeWorker.fate = () => undefined
  await pass(timers, 130_000)
  assert.deepEqual(last().notes, ['A thread of this browser is not responding. The run has begun again.'])
  assert.equal(session.status, 'finished')
})

test('a browser that refuses to start threads says so', async ({mock: {timers}}) => {
  timers.enable({apis: ['setTimeout', 'setInterval']})
  globalThis.Worker = class {
    constructor() {
      throw new Error('SecurityError')
    }
  }
  opened().request({n: 1, do: 'play'})
  await pass(timers, 1000)
  globalThis.Worker = FakeWorker
  assert.match(last().message, /^A thread of this browser did not start: SecurityError\. The picture stays/)
})

test('a thread that ends after the run has ended changes nothing', async ({mock: {timers}}) => {
  await playing(timers)
  await pass(timers, 6000)
  FakeWorker.last.end('lost')
  await pass(timers, 1000)
  assert.equal(session.status, 'finished')
  assert.equal(FakeWorker.count, 1)
})

test('a slow browser says how long it will take, and goes on', async ({mock: {timers}}) => {
  timers.enable({apis: ['setTimeout', 'setInterval']})
  FakeWorker.milliseconds = 100_000
  opened().request({n: 1, do: 'play'})
  await pass(timers, 1000)
  assert.deepEqual(last().notes, ['This browser needs about 7 minutes for the whole run.'])
  await pass(timers, 4000)
  assert.equal(session.status, 'finished')
  assert.deepEqual(unable, [])
})
