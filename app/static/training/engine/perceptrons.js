// Trains perceptrons with the compiled kernels: what the server's code does around them, in `sims/engines/perceptrons`
// and `sims/engines/segment.py`, in the same order and with the same rounding. Tests compare both, bit for bit.
import {Place} from '../../shared/kernels/engine.js'
import {Generator} from './draws.js'
import {initialOfAll} from './initialization.js'
import {growthOf, layoutOf} from './layout.js'
import {planOf, workspaceOf} from './plan.js'

/** @typedef {import('../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../../shared/kernels/engine.js').Values} Values */
/** @typedef {import('./draws.js').Ziggurat} Ziggurat */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {{step: number, quantity: string}} Overflow */

/** @type {Record<string, number>} */
const LOSSES = {'cross-entropy': 0, 'squared error': 1}
/** @type {Record<string, number>} */
const OPTIMIZERS = {sgd: 0, momentum: 1, adam: 2}
/** @type {Record<string, number[]>} how many first and second moments an optimizer keeps for each parameter */
const MOMENTS = {sgd: [0, 0], momentum: [1, 0], adam: [1, 1]}
const ACTIVATIONS = 1,
  LOSS = 2 // quantities that stop being finite, as the kernels number them
const MEASURES = /** @type {const} */ (['weight_gradients', 'stream_gradients', 'activations'])

/** One network, trained from several seeds. */
export class PerceptronRun {
  /**
   * The run before its first step, measured on the first batch.
   * @param {Engine} engine @param {NetworkArchitecture} architecture @param {TrainingRecipe} recipe @param {Data} data
   * @param {number[]} seeds @param {Ziggurat} ziggurat
   * @param {Float32Array} [initial] parameters (seeds, size), if they are not those of the initialization
   */
  constructor(engine, architecture, recipe, data, seeds, ziggurat, initial) {
    this.engine = engine
    this.architecture = architecture
    this.recipe = recipe
    this.data = data
    this.seeds = seeds
    this.ziggurat = ziggurat
    this.points = data.train.labels.length
    this.batch = Math.min(recipe.batch ?? this.points, this.points)
    this.step = 0
    /** @type {TrainingRecord[]} */
    this.records = []
    /** @type {(() => void) | null} called after each record but the first */
    this.onRecord = null
    /** @type {(Overflow | null)[]} */
    this.overflows = seeds.map(() => null)
    /** @type {Map<number, {epoch: number, order: Int32Array}>} the order of an epoch, by seed */
    this.orders = new Map()
    const loss = recipe.loss ?? 'cross-entropy'
    this.outputs = outputsOf(recipe, data)
    this.layout = layoutOf(architecture, data.features, this.outputs)
    const {layers, blocks, size} = this.layout
    const count = seeds.length
    const float = (/** @type {number[]} */ ...shape) => engine.place('float32', shape)
    const double = (/** @type {number[]} */ ...shape) => engine.place('float64', shape)
    const whole = (/** @type {bigint[]} */ numbers, /** @type {number[]} */ ...shape) =>
      engine.place('int64', shape, BigInt64Array.from(numbers))
    const [first, second] = MOMENTS[recipe.optimizer]
    const parameters = float(count, size)
    const everyone = /** @type {Float32Array} */ (parameters.numbers)
    everyone.set(initial ?? initialOfAll(architecture, this.layout, seeds, ziggurat))
    this.plan = planOf(engine, architecture, this.layout)
    const sets = [data.train, data.test].map(({inputs, labels}) => ({
      points: engine.place('float32', [data.features, labels.length], inputs),
      labels: engine.place('int64', [labels.length], labels),
      workspace: this.workspace(labels.length, false),
    }))
    /** @type {Values} what stays from call to call of `run` */
    this.running = {
      ...this.plan,
      ...this.workspace(this.batch, true),
      loss: LOSSES[loss],
      optimizer: OPTIMIZERS[recipe.optimizer],
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
      ...this.plan,
      ...workspace,
      loss: LOSSES[loss],
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

  /** The parameters of all seeds, one after the other. */
  get parameters() {
    return /** @type {Float32Array} */ (/** @type {Place} */ (this.running.parameters).numbers)
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
    const warmup = Math.max(recipe.warmup ?? 0, 1)
    const rates = Float64Array.from(
      {length: steps},
      (_, index) => recipe.learning_rate * Math.min((this.step + 1 + index) / warmup, 1),
    )
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
    engine.call('run', {
      ...running,
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
    if (!recorded) return
    this.records.push(this.now)
    this.onRecord?.()
  }

  /** Measures the losses and errors of the present step, which may be between two records. */
  evaluate() {
    this.now = {...this.now, ...this.evaluated()}
  }

  /** Losses and errors on both sets. */
  evaluated() {
    const [train, test] = this.judging.map(values => {
      this.engine.call('evaluate', values)
      return [this.mean, this.error].map(place => /** @type {Float64Array} */ (place.numbers).slice())
    })
    return {train_loss: train[0], train_error: train[1], test_loss: test[0], test_error: test[1]}
  }

  /** @param {number} points @param {boolean} backward */
  workspace(points, backward) {
    return workspaceOf(this.engine, this.architecture, this.layout, points, backward)
  }

  /**
   * Outputs (seeds, outputs, points) for points (features, points). Batch norm uses the statistics of the training set.
   * @param {Float32Array} points @param {number} count @param {number} [seeds] how many, from the first on
   */
  predict(points, count, seeds = this.seeds.length) {
    const before = this.engine.top
    const {memory, at} = /** @type {Place} */ (this.running.parameters)
    const parameters = new Place(memory, at, 'float32', [seeds, this.layout.size])
    const {outputs} = this.answered(points, count, false, parameters)
    const copy = /** @type {Float32Array} */ (outputs.numbers).slice()
    this.engine.top = before
    return copy
  }

  /**
   * The outputs of all layers but the last for one seed, after norm and activation: (layers − 1, units, points). The
   * stem's output is the stream, a later layer's is inside its branch. Where the activation comes first, a layer's
   * activation is the one that the next layer reads, the last layer's the one that the head reads. A dense block has as
   * many units as it appends.
   * @param {Float32Array} points (features, points) @param {number} count of the points @param {number} seed its place
   */
  layerValues(points, count, seed) {
    const {engine, architecture, layout} = this
    const before = engine.top
    const ofSeed = this.parameters.slice(seed * layout.size, (seed + 1) * layout.size)
    const own = engine.place('float32', [1, layout.size], ofSeed)
    const {workspace} = this.answered(points, count, true, own)
    const units = growthOf(architecture) || architecture.width
    const layers = layout.layers.length - 1
    const values = new Float32Array(layers * units * count)
    for (let layer = 0; layer < layers; layer++) {
      const {place, slot, row} = this.valuesOf(workspace, layer)
      const width = place.shape.length === 3 ? place.shape[1] : place.shape[0]
      const from = (slot * width + row) * count
      values.set(
        /** @type {Float32Array} */ (place.numbers).subarray(from, from + units * count),
        layer * units * count,
      )
    }
    engine.top = before
    return {values, shape: [layers, units, count]}
  }

  /** Where the outputs of a layer are after a pass. @param {Values} workspace @param {number} layer */
  valuesOf(workspace, layer) {
    const {architecture, layout} = this
    const [value, stream, last] = ['value', 'stream', 'last'].map(
      name => /** @type {Place} */ (workspace[`workspace.${name}`]),
    )
    if (architecture.unit !== 'pre-activation')
      return layer ? {place: value, slot: layer, row: 0} : {place: stream, slot: 0, row: 0}
    const growth = growthOf(architecture)
    // What a dense block appends comes after the rows of the stem and of all earlier blocks.
    const row = growth && layer ? architecture.width + growth * (layer - 1) : 0
    if (layer === layout.blocks) return {place: last, slot: 0, row}
    return {place: value, slot: (layer + 1) % value.shape[0], row}
  }

  /**
   * Passes points through networks with these parameters (seeds, parameters); what is returned lies above the engine's top.
   * @param {Float32Array} points @param {number} count @param {boolean} keep the values of all layers @param {Place} parameters
   */
  answered(points, count, keep, parameters) {
    const {engine, data, architecture, plan} = this
    const {inputs, labels} = data.train
    // Only batch norm needs the training set's statistics. For the other norms, one point is enough for the kernel.
    const seen = architecture.norm === 'batch' ? labels.length : 1
    const training = engine.place('float32', [data.features, seen])
    const rows = /** @type {Float32Array} */ (training.numbers)
    for (let feature = 0; feature < data.features; feature++)
      rows.set(inputs.subarray(feature * labels.length, feature * labels.length + seen), feature * seen)
    const first = this.workspace(seen, false)
    const workspace = {
      ...this.workspace(count, keep),
      'workspace.frozen': true,
      'workspace.mean': first['workspace.mean'],
      'workspace.batch_scale': first['workspace.batch_scale'],
    }
    const outputs = engine.place('float32', [parameters.shape[0], this.outputs, count])
    engine.call('answer', {
      ...plan,
      ...workspace,
      ...Object.fromEntries(Object.entries(first).map(([name, value]) => [`training_${name}`, value])),
      ...{training_points: training, points: engine.place('float32', [data.features, count], points)},
      ...{parameters, outputs},
    })
    return {outputs, workspace}
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

/** How many outputs a network needs. @param {TrainingRecipe} recipe @param {Data} data */
export const outputsOf = ({loss}, {classes}) => (loss === 'squared error' && classes === 2 ? 1 : classes)

/** @param {number} quantity @param {number} index */
function quantityOf(quantity, index) {
  if (quantity === ACTIVATIONS) return index ? `stream after block ${index}` : 'stream after the stem'
  return quantity === LOSS ? 'loss' : `gradient of layer ${index + 1}`
}
