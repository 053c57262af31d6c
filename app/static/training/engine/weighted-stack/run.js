// Trains stacks with a weight on every skip with the compiled kernels: what is in
// `sims/engines/perceptrons/weighted_stack.py` beside the kernels, in the same order and with the same rounding. Tests
// compare both, bit for bit.
import {Batches} from '../run.js'
import {WIDTH, initialOfAll, layoutOf} from './initialization.js'

/** @typedef {import('../../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../../../shared/kernels/engine.js').Values} Values */
/** @typedef {import('../numerics/draws.js').Ziggurat} Ziggurat */
/** @typedef {import('../data.js').Data} Data */
/** @typedef {import('./initialization.js').Layout} Layout */

const WIDEST_TILE = 32 // numbers in a tile of a matrix product, at most

/** One stack, trained from several seeds with Adam. */
export class StackRun {
  /**
   * The run before its first step.
   * @param {Engine} engine @param {WeightedStack} stack @param {StackRecipe} recipe @param {Data} data
   * @param {number[]} seeds @param {Ziggurat} ziggurat
   */
  constructor(engine, stack, recipe, data, seeds, ziggurat) {
    this.engine = engine
    this.stack = stack
    this.recipe = recipe
    this.data = data
    this.seeds = seeds
    this.step = 0
    /** @type {(() => void) | null} called after each record but the first */
    this.onRecord = null
    this.batches = new Batches(data.train.labels.length, recipe.batch, seeds, ziggurat)
    this.layout = layoutOf(stack, data.features, data.classes)
    const {size} = this.layout,
      count = seeds.length
    this.plan = planOf(engine, stack, this.layout)
    const float = (/** @type {Float32Array} */ numbers = new Float32Array(count * size)) =>
      engine.place('float32', [count, size], numbers)
    this.state = {
      parameters: float(initialOfAll(stack, this.layout, seeds, ziggurat)),
      first: float(),
      second: float(),
      lost: engine.place('int64', [count]),
    }
    this.gradient = engine.place('float32', [size])
    this.sets = [data.train, data.test].map(({inputs, labels}) => ({
      points: engine.place('float32', [data.features, labels.length], inputs),
      labels: engine.place('int64', [labels.length], labels),
    }))
    this.losses = engine.place('float64', [count])
    this.errors = engine.place('float64', [count])
    /** @type {StackRecord[]} */
    this.records = [this.answers()]
  }

  get now() {
    return {step: this.step}
  }

  /** The parameters of all seeds, one after the other. */
  get parameters() {
    return /** @type {Float32Array} */ (this.state.parameters.numbers)
  }

  /** For each seed, the step at which it stopped being finite. */
  get overflows() {
    const steps = Array.from(/** @type {BigInt64Array} */ (this.state.lost.numbers), Number)
    return steps.map(step => (step ? {step, quantity: 'loss'} : null))
  }

  /** Takes some steps; the same bits come out for chunks of any size. @param {number} steps */
  advance(steps) {
    const last = this.step + steps,
      every = this.recipe.record_every
    while (this.step < last) {
      this.segment(Math.min(every - (this.step % every), last - this.step))
      if (this.step % every) continue
      this.records.push(this.answers())
      this.onRecord?.()
    }
  }

  /** Steps without a record in between. @param {number} steps */
  segment(steps) {
    const {engine, plan, state, gradient, recipe, batches, seeds} = this
    const before = engine.top
    engine.call('run', {
      ...{...plan, ...state, gradient, ...this.sets[0]},
      ...this.workspace(batches.size, true),
      rate: recipe.learning_rate,
      first_step: this.step,
      orders: engine.place('int64', [seeds.length, steps, batches.size], batches.of(this.step, steps)),
    })
    engine.top = before
    this.step += steps
  }

  /** What the networks know at this step, over all points. @returns {StackRecord} */
  answers() {
    const {engine, plan, state, losses, errors, overflows} = this
    const [train, test] = this.sets.map(set => {
      const before = engine.top
      engine.call('evaluate', {
        ...{...plan, ...set, losses, errors, parameters: state.parameters},
        ...this.workspace(set.labels.length, false),
      })
      engine.top = before
      return [losses, errors].map(({numbers}) =>
        Float64Array.from(/** @type {Float64Array} */ (numbers), (value, seed) => (overflows[seed] ? NaN : value)),
      )
    })
    return {step: this.step, train_loss: train[0], train_error: train[1], test_error: test[1]}
  }

  /**
   * The kernels' arrays for passes over some points, with a slot for each block if a backward pass follows.
   * @param {number} batch @param {boolean} backward @returns {Values}
   */
  workspace(batch, backward) {
    const {engine, stack, layout, data} = this
    const float = (/** @type {number[]} */ ...shape) => engine.place('float32', shape)
    const slots = backward ? stack.skips.length + 1 : 1
    return {
      'workspace.inputs': float(data.features, batch),
      'workspace.stream': float(Math.max(slots, 2), WIDTH, batch),
      'workspace.normal': float(stack.norm ? slots : 0, WIDTH, batch),
      'workspace.scale': float(slots, batch),
      'workspace.hidden': float(slots, WIDTH, batch),
      'workspace.branch': float(WIDTH, batch),
      'workspace.before': float(WIDTH, batch),
      'workspace.change': float(backward ? WIDTH : 0, batch),
      'workspace.outputs': float(data.classes, batch),
      'workspace.labels': engine.place('int64', [batch]),
      'workspace.packed': float(Math.max(...layout.layers.flatMap(({rows, columns}) => [rows, columns])), WIDEST_TILE),
    }
  }
}

/** @param {Engine} engine @param {WeightedStack} stack @param {Layout} layout @returns {Values} */
function planOf(engine, {skips, factor, norm, learned = false}, layout) {
  const table = layout.layers.flatMap(({rows, columns, weight, bias}) => [rows, columns, weight, bias])
  return {
    'plan.table': engine.place('int64', [layout.layers.length, 4], BigInt64Array.from(table, BigInt)),
    'plan.skips': layout.skips,
    'plan.blocks': skips.length,
    'plan.norm': norm,
    'plan.factor': factor,
    'plan.learned': learned,
  }
}
