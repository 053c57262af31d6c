// A session without a server trains networks one after the other, and says whether a run has ended as the kept one did.
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {load} from './page.js'

const {module} = await load('training/local-session.js', {attributes: ['data-static']})
document.baseURI = 'https://example.org/'
const {LocalSession} = module

// Answers as app/static/training/worker.js does, without networks.
class FakeWorker {
  sent = []
  steps = {}

  constructor() {
    FakeWorker.last = this
  }

  addEventListener(type, listener) {
    if (type === 'message') this.listener = listener
  }

  postMessage(message) {
    const {run, steps = 0, networks} = message
    this.sent.push(message)
    if (networks) this.steps = Object.fromEntries(Object.keys(networks).map(name => [name, 0]))
    for (const name of Object.keys(this.steps)) this.steps[name] += steps
    const progress = Object.entries(this.steps).map(([name, step]) => [
      name,
      {step, records: [], now: {}, overflows: []},
    ])
    const news = {
      kind: 'progress',
      run,
      networks: Object.fromEntries(progress),
      variant: 'fused',
      milliseconds: 0,
      watched: 0,
    }
    queueMicrotask(() => this.listener({data: news}))
  }

  terminate() {}
}
globalThis.Worker = FakeWorker

const network = {architecture: {}, recipe: {}, data: 'toy', seeds: [0]}

// Two heats of two steps; the end is the number of all steps.
const FIGURE = {
  COUNTS: [],
  HEAT: 2,
  networks: () => ({sweep: network}),
  further: runs => ('final' in runs || runs.sweep.step < 2 ? null : {final: network}),
  frame(runs) {
    const step = runs.sweep.step + (runs.final?.step ?? 0)
    const end = {values: Float64Array.of(step), shape: [1], axes: ['entrant']}
    return {quantities: {end}, results: {}, counts: [], step, steps: 4, diverged: []}
  },
  describe: () => '',
  honesty: () => ({}),
  update: () => [],
}

const simulation = end => ({
  name: 'toy',
  figure: {dataset: {kernels: 'kernels/v1/'}},
  live: {defaults: {seed: '0'}, onward: ''},
  initial: {},
  trains: {
    names: {},
    parameters: {seed: {label: 'Seed', default: '0', low: 0, high: 99}},
    restarts: ['seed'],
    beside: {},
    ends: [{values: {}, results: {}, quantities: {end: [end]}}],
  },
  shelf: {states: {}, atlas: async () => {}, numbers: async () => null},
  stateOf: () => undefined,
})

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
