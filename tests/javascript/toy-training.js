// A figure that trains without networks, and threads that only count steps.

// Answers as app/static/training/threads/worker.js does, without networks.
export class FakeWorker {
  static last = null
  static count = 0
  // What becomes of a message in place of an answer: a sentence that it has failed, 'silent', or nothing.
  static fate = () => undefined
  static milliseconds = 0 // of every piece
  static pace = 1 // milliseconds of a step that is tried

  sent = []
  steps = {}
  heard = {}

  constructor() {
    FakeWorker.last = this
    FakeWorker.count += 1
  }

  addEventListener(type, listener) {
    this.heard[type] = listener
  }

  postMessage(message) {
    const {run, steps = 0, networks} = message
    this.sent.push(message)
    this.plain = message.plain ?? this.plain
    const fate = FakeWorker.fate(message, this)
    if (fate) {
      if (fate !== 'silent') this.say({kind: 'failed', run, message: fate})
      return
    }
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
      variant: this.plain ? 'plain' : 'fused',
      milliseconds: FakeWorker.milliseconds,
      watched: 0,
      pace: message.tried ? FakeWorker.pace : undefined,
    }
    this.say(news)
  }

  say(news) {
    queueMicrotask(() => !this.isOver && this.heard.message({data: news}))
  }

  // Ends as a thread does whose script is not loaded, or that throws.
  end(message) {
    this.heard.error({message, preventDefault() {}})
  }

  terminate() {
    this.isOver = true
  }
}
globalThis.Worker = FakeWorker

const network = {architecture: {}, recipe: {}, data: 'toy', seeds: [0]}

// Two heats of two steps; the end is the number of all steps.
export const FIGURE = {
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
  disclosure: () => ({}),
  update: () => [],
}

export const simulation = end => ({
  name: 'toy',
  figure: {dataset: {kernels: 'kernels/v1/'}},
  live: {defaults: {seed: '0'}, nextLink: ''},
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

// Lets time pass, in which threads answer.
export async function pass(timers, milliseconds) {
  for (let passed = 0; passed < milliseconds; passed += PIECE) {
    await new Promise(setImmediate)
    timers.tick(PIECE)
  }
  await new Promise(setImmediate)
}

const PIECE = 250
