// Trains perceptrons with the compiled kernels: what the server's code does around them, in `sims/engines/perceptrons`
// and `sims/engines/segment.py`, in the same order and with the same rounding. Tests compare both, bit for bit.
import {Place} from '../shared/kernels/engine.js'
import {Unable} from '../shared/kernels/errors.js'
import {Generator} from './draws.js'

/** @typedef {import('../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../shared/kernels/engine.js').Values} Values */
/** @typedef {import('./draws.js').Ziggurat} Ziggurat */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {{rows: number, columns: number, weight: number, bias: number}} Layer its offsets in the vector of parameters; −1 for no bias */
/** @typedef {{step: number, quantity: string}} Overflow */

/** @type {Record<string, number>} */
const SKIPS = {none: 0, additive: 1}
/** @type {Record<string, number>} */
const NORMS = {none: 0, batch: 1, layer: 2, 'pre-layer': 3, 'post-layer': 4}
const PRE_LAYER = 3
const RELU = 0,
  IDENTITY = 2
const CROSS_ENTROPY = 0
/** @type {Record<string, number>} */
const OPTIMIZERS = {sgd: 0, momentum: 1, adam: 2}
/** @type {Record<string, number[]>} how many first and second moments an optimizer keeps for each parameter */
const MOMENTS = {sgd: [0, 0], momentum: [1, 0], adam: [1, 1]}
const WIDEST_TILE = 32 // numbers in a tile of a matrix product, at most
const ACTIVATIONS = 1,
  LOSS = 2
const MEASURES = /** @type {const} */ (['weight_gradients', 'stream_gradients', 'activations'])

/** The number of a choice in the kernels. @param {Record<string, number>} numbers @param {string} choice */
function coded(numbers, choice) {
  if (!Object.hasOwn(numbers, choice)) throw new Unable(`Networks with “${choice}” are trained by a server only.`)
  return numbers[choice]
}

/** @param {NetworkArchitecture} architecture */
const layersPerBlock = ({unit}) => (unit === 'pre-activation' || unit === 'one-layer' ? 1 : 2)

/** All linear layers, from stem to head, and the number of parameters. @param {NetworkArchitecture} architecture @param {number} inputs @param {number} outputs */
export function layout(architecture, inputs, outputs) {
  const {depth, width, norm} = architecture
  const blocks = (depth - 2) / layersPerBlock(architecture)
  // Batch norm subtracts the mean, so a bias before it would have no effect.
  const biased = norm !== 'batch'
  const shapes = [
    {rows: width, columns: inputs, biased},
    ...Array.from({length: depth - 2}, () => ({rows: width, columns: width, biased})),
    {rows: outputs, columns: width, biased: true},
  ]
  let size = 0
  const /** @type {Layer[]} */ layers = shapes.map(({rows, columns, biased}) => {
      const weight = size,
        end = weight + rows * columns
      size = end + (biased ? rows : 0)
      return {rows, columns, weight, bias: biased ? end : -1}
    })
  return {layers, blocks, size}
}

/** Initial parameters of one seed. @param {NetworkArchitecture} architecture @param {{layers: Layer[], size: number}} layout @param {number} seed @param {Ziggurat} ziggurat */
export function initialParameters({initialization}, {layers, size}, seed, ziggurat) {
  const random = new Generator([seed, 0], ziggurat)
  const parameters = new Float32Array(size)
  for (const {rows, columns, weight, bias} of layers) {
    const count = rows * columns
    if (initialization === 'he') parameters.set(random.normal(Math.sqrt(2 / columns), count), weight)
    else if (initialization === 'xavier') parameters.set(random.normal(Math.sqrt(2 / (rows + columns)), count), weight)
    else if (initialization === 'default') {
      const bound = columns ** -0.5
      parameters.set(random.uniform(-bound, bound, count), weight)
      const biases = random.uniform(-bound, bound, rows)
      if (bias >= 0) parameters.set(biases, bias)
    } else throw new Unable(`Weights that start ${initialization} are drawn by a server only.`)
  }
  return parameters
}

/** One network, trained from several seeds. */
export class PerceptronRun {
  /**
   * The run before its first step, measured on the first batch.
   * @param {Engine} engine @param {NetworkArchitecture} architecture @param {TrainingRecipe} recipe @param {Data} data
   * @param {number[]} seeds @param {Ziggurat} ziggurat
   */
  constructor(engine, architecture, recipe, data, seeds, ziggurat) {
    this.engine = engine
    this.recipe = recipe
    this.seeds = seeds
    this.ziggurat = ziggurat
    this.points = data.train.labels.length
    this.batch = Math.min(recipe.batch, this.points)
    this.step = 0
    /** @type {TrainingRecord[]} */
    this.records = []
    /** @type {(Overflow | null)[]} */
    this.overflows = seeds.map(() => null)
    /** @type {Map<number, {epoch: number, order: Int32Array}>} the order of an epoch, by seed */
    this.orders = new Map()
    const structure = layout(architecture, data.features, data.classes)
    const {layers, blocks, size} = structure
    const count = seeds.length
    const float = (/** @type {number[]} */ ...shape) => engine.place('float32', shape)
    const double = (/** @type {number[]} */ ...shape) => engine.place('float64', shape)
    const whole = (/** @type {bigint[]} */ numbers, /** @type {number[]} */ ...shape) =>
      engine.place('int64', shape, BigInt64Array.from(numbers))
    const [first, second] = MOMENTS[recipe.optimizer]
    const parameters = float(count, size)
    const everyone = /** @type {Float32Array} */ (parameters.numbers)
    for (const [place, seed] of seeds.entries())
      everyone.set(initialParameters(architecture, structure, seed, ziggurat), place * size)
    const plan = planOf(engine, architecture, layers, blocks, size)
    const sets = [data.train, data.test].map(({inputs, labels}) => ({
      points: engine.place('float32', [data.features, labels.length], inputs),
      labels: engine.place('int64', [labels.length], labels),
      workspace: workspaceOf(engine, plan, architecture, layers, labels.length, false),
    }))
    /** @type {Values} what stays from call to call of `run` */
    this.running = {
      ...plan,
      ...workspaceOf(engine, plan, architecture, layers, this.batch, true),
      loss: CROSS_ENTROPY,
      optimizer: coded(OPTIMIZERS, recipe.optimizer),
      clip: recipe.clip ?? Number.POSITIVE_INFINITY,
      seeds: whole(seeds.map(BigInt), count),
      points: sets[0].points,
      labels: sets[0].labels,
      parameters,
      first: float(count, first * size),
      second: float(count, second * size),
      gradients: float(2, size),
      weight_gradients: double(count, layers.length),
      stream_gradients: double(count, blocks + 1),
      activations: double(count, blocks + 1),
      overflows: engine.place('int64', [count, 3]),
    }
    this.mean = double(count)
    this.error = double(count)
    /** @type {Values[]} the arguments of `evaluate`, for the training and the test set */
    this.judging = sets.map(({points, labels, workspace}) => ({
      ...plan,
      ...workspace,
      loss: CROSS_ENTROPY,
      points,
      labels,
      parameters,
      losses: this.mean,
      errors: this.error,
    }))
    const zeros = () => new Float64Array(count)
    /** @type {TrainingRecord} */
    this.now = {
      ...{step: 0, train_loss: zeros(), train_error: zeros(), test_loss: zeros(), test_error: zeros()},
      ...{weight_gradients: zeros(), stream_gradients: zeros(), activations: zeros()},
    }
    this.segment(0)
  }

  /** Takes some steps; the same bits come out for chunks of any size. @param {number} steps */
  advance(steps) {
    const last = this.step + steps,
      every = this.recipe.record_every
    // Records are due at multiples of `record_every` of the whole run.
    while (this.step < last) this.segment(Math.min(every - (this.step % every), last - this.step))
  }

  /** Steps without a record in between; 0 steps only measure the first batch. @param {number} steps */
  segment(steps) {
    const {engine, recipe, seeds, running, batch} = this
    const before = engine.top
    const rates = engine.place('float64', [steps], new Float64Array(steps).fill(recipe.learning_rate))
    const count = Math.max(steps, 1)
    const orders = engine.place('int64', [seeds.length, count, batch], this.batches(count))
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
    engine.call('run', {...running, rates, orders, losses, first_step: this.step})
    engine.top = before
    this.step += steps
    this.takeOverflows()
    const measured = Object.fromEntries(
      MEASURES.map(name => [name, /** @type {Float64Array} */ (/** @type {Place} */ (running[name]).numbers).slice()]),
    )
    const recorded = this.step % recipe.record_every === 0
    this.now = {...this.now, ...(recorded ? this.evaluated() : {}), ...measured, step: this.step}
    if (recorded) this.records.push(this.now)
  }

  /** Losses and errors on both sets. */
  evaluated() {
    const [train, test] = this.judging.map(values => {
      this.engine.call('evaluate', values)
      return [this.mean, this.error].map(place => /** @type {Float64Array} */ (place.numbers).slice())
    })
    return {train_loss: train[0], train_error: train[1], test_loss: test[0], test_error: test[1]}
  }

  takeOverflows() {
    const numbers = /** @type {BigInt64Array} */ (/** @type {Place} */ (this.running.overflows).numbers)
    this.overflows = this.overflows.map((earlier, seed) => {
      const [step, quantity, index] = Array.from(numbers.subarray(3 * seed, 3 * seed + 3), Number)
      // The first overflow of a seed stays: the kernels do not run the seed again.
      return earlier ?? (quantity ? {step, quantity: quantityOf(quantity, index)} : null)
    })
  }

  /** The points of the batches of the next steps: (seeds, steps, batch). @param {number} steps */
  batches(steps) {
    const {batch, points, seeds} = this
    const perEpoch = Math.floor(points / batch)
    const all = new BigInt64Array(seeds.length * steps * batch)
    let at = 0
    for (const seed of seeds)
      for (let step = this.step; step < this.step + steps; step++) {
        const order = this.order(seed, Math.floor(step / perEpoch))
        // The incomplete last batch of each epoch is left out.
        const first = (step % perEpoch) * batch
        for (let place = 0; place < batch; place++) all[at++] = BigInt(order[first + place])
      }
    return all
  }

  /** The order of all points in an epoch. @param {number} seed @param {number} epoch */
  order(seed, epoch) {
    const last = this.orders.get(seed)
    if (last?.epoch === epoch) return last.order
    // Stream 1 of the seed: stream 0 draws the initial weights.
    const order =
      this.batch === this.points
        ? Int32Array.from({length: this.points}, (_, place) => place)
        : new Generator([seed, 1, epoch], this.ziggurat).permutation(this.points)
    this.orders.set(seed, {epoch, order})
    return order
  }
}

/** @param {number} quantity @param {number} index */
function quantityOf(quantity, index) {
  if (quantity === ACTIVATIONS) return index ? `stream after block ${index}` : 'stream after the stem'
  return quantity === LOSS ? 'loss' : `gradient of layer ${index + 1}`
}

/**
 * The kernels' plan of a network.
 * @param {Engine} engine @param {NetworkArchitecture} architecture @param {Layer[]} layers @param {number} blocks @param {number} size
 * @returns {Values}
 */
export function planOf(engine, architecture, layers, blocks, size) {
  const {width, skip, norm, unit, final_norm} = architecture
  const first = unit === 'pre-activation',
    layered = first && norm === 'layer'
  const table = layers.flatMap(({rows, columns, weight, bias}) => [rows, columns, weight, bias])
  return {
    'plan.table': engine.place('int64', [layers.length, 4], BigInt64Array.from(table, BigInt)),
    'plan.factors': size,
    'plan.blocks': blocks,
    'plan.layers_per_block': layersPerBlock(architecture),
    'plan.stem': 0,
    'plan.head': layers.length - 1,
    'plan.width': width,
    'plan.growth': 0,
    'plan.skip': coded(SKIPS, skip),
    // Before the activation, "layer" is what Pre-LN and a norm before the head are together.
    'plan.norm': layered ? PRE_LAYER : coded(NORMS, norm),
    'plan.original': unit === 'original',
    'plan.activation_first': first,
    'plan.activation': RELU,
    'plan.last_activation': IDENTITY,
    'plan.head_activation': IDENTITY,
    'plan.final_norm': final_norm || layered,
    'plan.factor': 1,
    'plan.carry': 1,
    'plan.dropped': 0,
  }
}

/**
 * The arrays for passes over some points, with slots for a backward pass if `backward`.
 * @param {Engine} engine @param {Values} plan @param {NetworkArchitecture} architecture @param {Layer[]} layers
 * @param {number} batch @param {boolean} backward
 * @returns {Values}
 */
export function workspaceOf(engine, plan, {norm, unit, width}, layers, batch, backward) {
  const float = (/** @type {number[]} */ ...shape) => engine.place('float32', shape)
  const head = layers.length - 1,
    outputs = layers[head].rows,
    blocks = Number(plan['plan.blocks'])
  const slots = backward ? head : 1,
    first = unit === 'pre-activation'
  const everywhere = norm === 'batch' || norm === 'layer'
  const normed = everywhere || norm === 'pre-layer' || (first && plan['plan.final_norm']) ? slots : 0
  // In an evaluation, batch and layer norm overwrite their input.
  const inPlace = !backward && everywhere && !first
  const before = float(width, batch)
  const changed = backward ? width : 0
  return {
    'workspace.frozen': false,
    'workspace.least': engine.place('float64', [1]),
    'workspace.inputs': float(layers[0].columns, batch),
    'workspace.stream': float(backward ? blocks + 1 : 2, width, batch),
    'workspace.normal': inPlace
      ? new Place(engine.memory, before.at, 'float32', [1, width, batch])
      : float(normed, width, batch),
    'workspace.value': float(slots, width, batch),
    'workspace.branch': float(first ? (backward ? blocks : 1) : 0, width, batch),
    'workspace.joined': float(0, width, batch),
    'workspace.joined_scale': float(0, batch),
    'workspace.gate': float(0, width, batch),
    'workspace.mean': float(head, width),
    'workspace.batch_scale': float(head, width),
    'workspace.point_scale': float(slots, batch),
    'workspace.final_scale': float(batch),
    'workspace.last': float(width, batch),
    'workspace.before': before,
    'workspace.answers': float(outputs, batch),
    'workspace.outputs': float(outputs, batch),
    'workspace.labels': engine.place('int64', [batch]),
    'workspace.change': float(changed, batch),
    'workspace.branch_change': float(changed, batch),
    'workspace.scratch': float(changed, batch),
    'workspace.packed': float(Math.max(...layers.flatMap(({rows, columns}) => [rows, columns])), WIDEST_TILE),
  }
}
