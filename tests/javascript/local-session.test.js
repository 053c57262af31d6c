// A session without a server trains networks one after the other, and says whether a run has ended as the kept one did.
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {load} from './page.js'
import {FIGURE, FakeWorker, pass, simulation} from './toy-training.js'

const {module} = await load('training/session/local-session.js', {attributes: ['data-static']})
document.baseURI = 'https://example.org/'
const {LocalSession} = module

async function trained(end) {
  const session = new LocalSession(simulation(end), FIGURE, {}, {changes: () => {}, unable: () => {}})
  for (const n of [1, 2, 3, 4]) {
    session.request({n, do: 'step'})
    await session.queue
    await new Promise(setImmediate)
  }
  session.close()
  return {session, sent: FakeWorker.last.sent}
}

test('other networks take over after a heat', async () => {
  const {session, sent} = await trained(4)
  assert.deepEqual(
    sent.map(({kind, steps, networks}) => [kind, steps, Object.keys(networks ?? {})]),
    [
      ['start', undefined, ['sweep']],
      ['advance', 1, []],
      ['advance', 1, []],
      ['advance', 1, ['final']],
      ['advance', 1, []],
    ],
  )
  assert.deepEqual([session.runs.sweep.step, session.runs.final.step], [2, 2])
  assert.equal(session.status, 'finished')
})

test('the end of a run without curves is compared by all its quantities', async () => {
  assert.match((await trained(4)).session.computed(), /equals the kept run/)
  assert.match((await trained(5)).session.computed(), /differs from the kept run/)
})

test('what is not trained yet says how long that takes, once its picture has stayed a moment', async ({mock}) => {
  mock.timers.enable({apis: ['setTimeout', 'setInterval']})
  FakeWorker.pace = 2000
  let live
  const changes = events => {
    for (const {msg_type: kind, msg_data: data} of events) if (kind === 'live') live = data
  }
  const session = new LocalSession(simulation(4), FIGURE, {}, {changes, unable: () => {}})
  session.request({n: 1, do: 'show'})
  await pass(mock.timers, 250)
  assert.deepEqual([live.step, live.seconds], [0, null])
  await pass(mock.timers, 500)
  const {step, seconds, status} = live
  assert.deepEqual([step, seconds, status], [0, 8, 'ready']) // four steps of two seconds
  session.request({n: 2, do: 'set', values: {seed: '1'}})
  await pass(mock.timers, 250)
  assert.equal(live.seconds, null)
  session.request({n: 3, do: 'step'})
  await pass(mock.timers, 250)
  assert.deepEqual([live.step, live.seconds], [1, null])
  session.close()
})

async function returned({timers}, ...requests) {
  timers.enable({apis: ['setTimeout', 'setInterval']})
  const lives = []
  const changes = events => {
    for (const {msg_type: kind, msg_data: data} of events) if (kind === 'live') lives.push(data)
  }
  const session = new LocalSession(simulation(4), FIGURE, {}, {changes, unable: () => {}})
  session.request({n: 1, do: 'speed', share: 0.1})
  session.request({n: 2, do: 'resume', begun: true, play: false, step: 3})
  for (const request of requests) session.request(request)
  await pass(timers, 3000)
  return {session, lives}
}

test('a run that another page had begun is repeated at full speed up to its step, and pauses there', async ({mock}) => {
  const {session, lives} = await returned(mock)
  assert.equal(session.status, 'paused')
  assert.deepEqual([...new Set(lives.map(({step, until}) => `${step} ${until}`))].slice(-4), [
    '0 3',
    '1 3',
    '2 3',
    '3 0',
  ])
  assert.deepEqual(lives.at(-1).notes, ['The page was left at step 3 of this run; the same steps are taken again.'])
})

test('a reader may stop that', async ({mock}) => {
  const {session, lives} = await returned(mock, {n: 3, do: 'pause'})
  assert.equal(session.taken, 0)
  assert.equal(lives.at(-1).until, 0)
})

test('a request that no run understands is an error, and one that comes too late is not', async () => {
  const session = new LocalSession(simulation(4), FIGURE, {}, {changes: () => {}, unable: () => {}})
  session.request({n: 1, do: 'seen'})
  session.request({n: 2, do: 'unseen'})
  await session.queue
  assert.equal(session.failure, '')
  session.request({n: 3, do: 'rewind'})
  await session.queue
  assert.match(session.failure, /a run cannot rewind/)
  session.close()
})
