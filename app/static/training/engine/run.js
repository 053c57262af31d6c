// Trains networks with the compiled kernels: what the server's code does around them, in `sims/engines/segment.py` and
// `resources.py`, in the same order and with the same rounding. Tests compare both, bit for bit.
import {Place} from '../../shared/kernels/engine.js'
import {Generator} from './numerics/draws.js'

/** @typedef {import('../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../../shared/kernels/engine.js').Values} Values */
/** @typedef {import('./numerics/draws.js').Ziggurat} Ziggurat */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {{step: number, quantity: string}} Overflow */
/**
 * What an engine says of its network: how many parameters it has, how many weight norms and places on the stream are
 * measured, the shape of a point for the kernels, the parameters (seeds, size) at the start, and words for what stopped
 * being finite.
 * @typedef {{size: number, layers: number, places: number, plan: Values, pointShape: number[],
 *   initial: Float32Array, workspace: (points: number, backward: boolean) => Values,
 *   quantityOf: (quantity: number, index: number) => string}} Network
 */

/** @type {Record<string, number>} */
const LOSSES = {'cross-entropy': 0, 'squared error': 1}
/** @type {Record<string, number>} */
export const OPTIMIZERS = {sgd: 0, momentum: 1, adam: 2}
/** @type {Record<string, number[]>} how many first and second moments an optimizer keeps for each parameter */
export const MOMENTS = {sgd: [0, 0], momentum: [1, 0], adam: [1, 1]}
const MEASURES = /** @type {const} */ (['weight_gradients', 'stream_gradients', 'activations'])

/** Quantities that stop being finite, as the kernels number them. */
export const ACTIVATIONS = 1,
  LOSS = 2

/** The numbers from 0 to below `count`, as the kernels want them. @param {number} count */
export const everyPoint = count => BigInt64Array.from({length: count}, (_, place) => BigInt(place))

const TIMED = 20 // milliseconds: clocks of browsers are coarse

/** The time of a step of one seed: the least over pieces of a run, since other work can only add to it. */
class Pace {
  milliseconds = 0
  steps = 0
  /** @type {number | null} */
  least = null

  /** @param {number} milliseconds that a part of a run took @param {number} steps of all seeds */
  add(milliseconds, steps) {
    this.milliseconds += milliseconds
    this.steps += steps
    if (this.milliseconds < TIMED) return
    this.least = Math.min(this.least ?? Number.POSITIVE_INFINITY, this.milliseconds / this.steps)
    this.milliseconds = this.steps = 0
  }
}

/** The points of the batches of several seeds. */
export class Batches {
  /** @param {number} points @param {number | null} batch null for all points @param {number[]} seeds @param {Ziggurat} ziggurat */
  constructor(points, batch, seeds, ziggurat) {
    this.points = points
    this.size = Math.min(batch ?? points, points)
    this.seeds = seeds
    this.ziggurat = ziggurat
    /** @type {Map<number, {epoch: number, order: Int32Array}>} the order of an epoch, by seed */
    this.orders = new Map()
  }

  /** Those of some steps after another one: (seeds, steps, size). @param {number} first @param {number} steps */
  of(first, steps) {
    const {size, points, seeds} = this
    const perEpoch = Math.floor(points / size)
    const all = new BigInt64Array(seeds.length * steps * size)
    let at = 0
    for (const seed of seeds)
      for (let step = first; step < first + steps; step++) {
        const order = this.order(seed, Math.floor(step / perEpoch))
        // The incomplete last batch of each epoch is left out.
        const from = (step % perEpoch) * size
        for (let place = 0; place < size; place++) all[at++] = BigInt(order[from + place])
      }
    return all
  }

  /** The order of all points in an epoch. @param {number} seed @param {number} epoch */
  order(seed, epoch) {
    const last = this.orders.get(seed)
    if (last?.epoch === epoch) return last.order
    // Stream 1 of the seed: stream 0 draws the initial weights.
    const order =
      this.size === this.points
        ? Int32Array.from({length: this.points}, (_, place) => place)
        : new Generator([seed, 1, epoch], this.ziggurat).permutation(this.points)
    this.orders.set(seed, {epoch, order})
    return order
  }
}

/** One network, trained from several seeds. */
export class Run {
  /**
   * The run before its first step, measured on the first batch. Between two calls of a kernel it keeps no workspace, so that
   * many runs share the memory of one.
   * @param {Engine} engine @param {Network} network @param {TrainingRecipe} recipe @param {Data} data
   * @param {number[]} seeds @param {Ziggurat} ziggurat
   */
  constructor(engine, network, recipe, data, seeds, ziggurat) {
    this.engine = engine
    this.network = network
    this.recipe = recipe
    this.data = data
    this.seeds = seeds
    this.ziggurat = ziggurat
    this.batches = new Batches(data.train.labels.length, recipe.batch, seeds, ziggurat)
    this.step = 0
    /** @type {TrainingRecord[]} */
    this.records = []
    /** @type {(() => void) | null} called after each record but the first */
    this.onRecord = null
    this.pace = new Pace()
    /** @type {(Overflow | null)[]} */
    this.overflows = seeds.map(() => null)
    const {size, layers, places, plan, pointShape, initial} = network
    const loss = LOSSES[recipe.loss ?? 'cross-entropy']
    const count = seeds.length
    const float = (/** @type {number[]} */ ...shape) => engine.place('float32', shape)
    const double = (/** @type {number[]} */ ...shape) => engine.place('float64', shape)
    const whole = (/** @type {BigInt64Array} */ numbers) => engine.place('int64', [numbers.length], numbers)
    const [first, second] = MOMENTS[recipe.optimizer]
    const parameters = engine.place('float32', [count, size], initial)
    const sets = [data.train, data.test].map(({inputs, labels}) => ({
      points: engine.place('float32', [...pointShape, labels.length], inputs),
      labels: whole(labels),
      order: whole(everyPoint(labels.length)),
    }))
    /** @type {Values} what stays from call to call of `run` */
    this.running = {
      ...plan,
      loss,
      optimizer: OPTIMIZERS[recipe.optimizer],
      clip: recipe.clip ?? Number.POSITIVE_INFINITY,
      seeds: whole(BigInt64Array.from(seeds, BigInt)),
      points: sets[0].points,
      labels: sets[0].labels,
      parameters,
      first: float(count, first * size),
      second: float(count, second * size),
      gradients: float(2, size),
      weight_gradients: double(count, layers),
      stream_gradients: double(count, places),
      activations: double(count, places),
      overflows: engine.place('int64', [count, 3]),
    }
    this.mean = double(count)
    this.error = double(count)
    /** @type {Values[]} the arguments of `evaluate`, for the training and the test set */
    this.judging = sets.map(values => ({...plan, ...values, loss, parameters, losses: this.mean, errors: this.error}))
    const zeros = () => new Float64Array(count)
    /** @type {TrainingRecord} */
    this.now = {
      ...{step: 0, train_loss: zeros(), train_error: zeros(), test_loss: zeros(), test_error: zeros()},
      ...{weight_gradients: zeros(), stream_gradients: zeros(), activations: zeros()},
    }
    this.segment(0)
  }

  /** The parameters of all seeds, one after the other. */
  get parameters() {
    return /** @type {Float32Array} */ (/** @type {Place} */ (this.running.parameters).numbers)
  }

  /** Takes some steps; the same bits come out for chunks of any size. @param {number} steps */
  advance(steps) {
    const last = this.step + steps,
      every = this.recipe.record_every
    // Records are due at multiples of `record_every` of the whole run.
    while (this.step < last) {
      const count = Math.min(every - (this.step % every), last - this.step)
      const began = performance.now()
      const recorded = this.segment(count)
      // A seed that diverges takes fewer steps.
      if (this.overflows.every(overflow => !overflow))
        this.pace.add(performance.now() - began, count * this.seeds.length)
      if (recorded) this.onRecord?.()
    }
  }

  /** Steps without a record in between; 0 steps only measure the first batch. Returns whether there is a record after them. @param {number} steps */
  segment(steps) {
    const {engine, network, recipe, seeds, running, batches} = this
    const before = engine.top
    const workspace = network.workspace(batches.size, true)
    const warmup = Math.max(recipe.warmup ?? 0, 1)
    const rates = Float64Array.from(
      {length: steps},
      (_, index) => recipe.learning_rate * Math.min((this.step + 1 + index) / warmup, 1),
    )
    const count = Math.max(steps, 1)
    const orders = engine.place('int64', [seeds.length, count, batches.size], batches.of(this.step, count))
    const losses = engine.place('float32', [steps, seeds.length])
    const overflows = /** @type {BigInt64Array} */ (/** @type {Place} */ (running.overflows).numbers)
    overflows.fill(0n)
    for (const name of MEASURES) {
      const place = /** @type {Place} */ (running[name])
      const length = place.length / seeds.length
      // The kernels skip seeds that have diverged, so the last measures of these stay.
      for (const [seed, overflow] of this.overflows.entries())
        if (!overflow) /** @type {Float64Array} */ (place.numbers).fill(0, seed * length, (seed + 1) * length)
    }
    for (const [seed, overflow] of this.overflows.entries()) overflows[3 * seed + 1] = overflow ? 1n : 0n
    engine.call('run', {
      ...running,
      ...workspace,
      ...{rates: engine.place('float64', [steps], rates), orders, losses, first_step: this.step},
    })
    engine.top = before
    this.step += steps
    this.takeOverflows()
    const measured = Object.fromEntries(
      MEASURES.map(name => [name, /** @type {Float64Array} */ (/** @type {Place} */ (running[name]).numbers).slice()]),
    )
    const recorded = this.step % recipe.record_every === 0
    this.now = {...this.now, ...(recorded ? this.evaluated() : {}), ...measured, step: this.step}
    if (recorded) this.records.push(this.now)
    return recorded
  }

  /** Measures the losses and errors of the present step, which may be between two records. */
  evaluate() {
    this.now = {...this.now, ...this.evaluated()}
  }

  /** Losses and errors on both sets. */
  evaluated() {
    const {engine, network} = this
    const [train, test] = this.judging.map(values => {
      const before = engine.top
      const {length} = /** @type {Place} */ (values.labels)
      engine.call('evaluate', {...values, ...network.workspace(length, false)})
      engine.top = before
      return [this.mean, this.error].map(place => /** @type {Float64Array} */ (place.numbers).slice())
    })
    return {train_loss: train[0], train_error: train[1], test_loss: test[0], test_error: test[1]}
  }

  takeOverflows() {
    const numbers = /** @type {BigInt64Array} */ (/** @type {Place} */ (this.running.overflows).numbers)
    this.overflows = this.overflows.map((earlier, seed) => {
      const [step, quantity, index] = Array.from(numbers.subarray(3 * seed, 3 * seed + 3), Number)
      // The first overflow of a seed stays: the kernels do not run the seed again.
      return earlier ?? (quantity ? {step, quantity: this.network.quantityOf(quantity, index)} : null)
    })
  }

  /** The parameters (seeds, parameters) of the seeds at places `from` to below `to`. @param {number} from @param {number} to */
  parametersOf(from, to) {
    const {memory, at, shape} = /** @type {Place} */ (this.running.parameters)
    const [, size] = shape
    return new Place(memory, at + Float32Array.BYTES_PER_ELEMENT * from * size, 'float32', [to - from, size])
  }
}
