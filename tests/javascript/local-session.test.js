// A session without a server trains networks one after the other, and says whether a run has ended as the kept one did.
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {load} from './page.js'
import {FIGURE, FakeWorker, simulation} from './toy-training.js'

const {module} = await load('training/local-session.js', {attributes: ['data-static']})
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
