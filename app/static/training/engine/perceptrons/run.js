// Perceptrons that train with the compiled kernels: what is in `sims/engines/perceptrons` beside the kernels.
import {Place} from '../../../shared/kernels/engine.js'
import {initialOfAll} from './initialization.js'
import {growthOf, layoutOf} from './layout.js'
import {planOf, workspaceOf} from './plan.js'
import {ACTIVATIONS, LOSS, Run} from '../run.js'

/** @typedef {import('../../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../../../shared/kernels/engine.js').Values} Values */
/** @typedef {import('../numerics/draws.js').Ziggurat} Ziggurat */
/** @typedef {import('../data.js').Data} Data */

/** One perceptron, trained from several seeds. */
export class PerceptronRun extends Run {
  /**
   * @param {Engine} engine @param {NetworkArchitecture} architecture @param {TrainingRecipe} recipe @param {Data} data
   * @param {number[]} seeds @param {Ziggurat} ziggurat
   * @param {Float32Array} [initial] parameters (seeds, size), if they are not those of the initialization
   */
  constructor(engine, architecture, recipe, data, seeds, ziggurat, initial) {
    const outputs = outputsOf(recipe, data)
    const layout = layoutOf(architecture, data.features, outputs)
    const plan = planOf(engine, architecture, layout)
    const network = {
      size: layout.size,
      layers: layout.layers.length,
      places: layout.blocks + 1,
      plan,
      pointShape: [data.features],
      initial: initial ?? initialOfAll(architecture, layout, seeds, ziggurat),
      workspace: (/** @type {number} */ points, /** @type {boolean} */ backward) =>
        workspaceOf(engine, architecture, layout, points, backward),
      quantityOf,
    }
    super(engine, network, recipe, data, seeds, ziggurat)
    this.architecture = architecture
    this.layout = layout
    this.plan = plan
    this.outputs = outputs
  }

  /**
   * Outputs (seeds, outputs, points) for points (features, points), of the seeds at places `from` to below `to`. Batch norm
   * uses the statistics of the training set.
   * @param {Float32Array} points @param {number} count @param {number} [from] @param {number} [to]
   */
  predict(points, count, from = 0, to = this.seeds.length) {
    const before = this.engine.top
    const {outputs} = this.answered(points, count, false, this.parametersOf(from, to))
    const copy = /** @type {Float32Array} */ (outputs.numbers).slice()
    this.engine.top = before
    return copy
  }

  /**
   * The outputs of all layers but the last for one seed, after norm and activation: (layers − 1, units, points). The
   * stem's output is the stream, a later layer's is inside its branch. Where the activation comes first, a layer's
   * activation is the one that the next layer reads, the last layer's the one that the head reads. A dense block has as
   * many units as it appends, or as its stem has if these are fewer.
   * @param {Float32Array} points (features, points) @param {number} count of the points @param {number} seed its place
   */
  layerValues(points, count, seed) {
    const {engine, architecture, layout} = this
    const before = engine.top
    const ofSeed = this.parameters.slice(seed * layout.size, (seed + 1) * layout.size)
    const own = engine.place('float32', [1, layout.size], ofSeed)
    const {workspace} = this.answered(points, count, true, own)
    const units = Math.min(growthOf(architecture) || architecture.width, architecture.width)
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
    const first = this.network.workspace(seen, false)
    const workspace = {
      ...this.network.workspace(count, keep),
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
}

/** How many outputs a network needs. @param {TrainingRecipe} recipe @param {Data} data */
export const outputsOf = ({loss}, {classes}) => (loss === 'squared error' && classes === 2 ? 1 : classes)

/** @param {number} quantity @param {number} index */
function quantityOf(quantity, index) {
  if (quantity === ACTIVATIONS) return index ? `stream after block ${index}` : 'stream after the stem'
  return quantity === LOSS ? 'loss' : `gradient of layer ${index + 1}`
}
