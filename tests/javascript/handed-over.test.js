// Where there is a server, it trains what this browser cannot, or only slowly.
import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {load} from './page.js'
import {FIGURE, FakeWorker, pass, simulation} from './toy-training.js'

const {module} = await load('training/session/local-session.js')
document.baseURI = 'https://example.org/'

let session, unable
beforeEach(() => {
  FakeWorker.fate = () => undefined
  FakeWorker.milliseconds = 0
  unable = []
})

async function trained(timers, milliseconds) {
  timers.enable({apis: ['setTimeout', 'setInterval']})
  session = new module.LocalSession(
    simulation(4),
    FIGURE,
    {},
    {changes: () => {}, unable: reason => unable.push(reason)},
  )
  session.request({n: 1, do: 'play'})
  await pass(timers, milliseconds)
}

test('a failure', async ({mock: {timers}}) => {
  FakeWorker.fate = () => 'This browser gives no memory for a network.'
  await trained(timers, 1000)
  assert.deepEqual(unable, ['This browser gives no memory for a network.'])
  assert.ok(FakeWorker.last.isOver)
})

test('a thread that does not start', async ({mock: {timers}}) => {
  FakeWorker.fate = () => 'silent'
  await trained(timers, 1000)
  FakeWorker.last.end(undefined)
  assert.deepEqual(unable, ['A thread of this browser did not start.'])
})

test('a run of more than three minutes', async ({mock: {timers}}) => {
  FakeWorker.milliseconds = 46_000
  await trained(timers, 1000)
  assert.deepEqual(unable, ['This browser needs about 3 minutes for the whole run.'])
})

test('but not one of less', async ({mock: {timers}}) => {
  FakeWorker.milliseconds = 44_000
  await trained(timers, 6000)
  assert.deepEqual(unable, [])
  assert.equal(session.status, 'finished')
})
