// Transformers that train with the compiled kernels: what is in `sims/engines/transformers` beside the kernels.
import {ACTIVATIONS, LOSS, Run, everyPoint} from '../run.js'
import {initialTransformer, transformerLayout} from './layout.js'
import {transformerPlan, transformerWorkspace} from './plan.js'

/** @typedef {import('../../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../numerics/draws.js').Ziggurat} Ziggurat */
/** @typedef {import('../data.js').Data} Data */

/** One transformer, trained from several seeds. */
export class TransformerRun extends Run {
  /**
   * @param {Engine} engine @param {TransformerArchitecture} architecture @param {TrainingRecipe} recipe @param {Data} data
   * @param {number[]} seeds @param {Ziggurat} ziggurat
   */
  constructor(engine, architecture, recipe, data, seeds, ziggurat) {
    const layout = transformerLayout(architecture, data.features, data.classes)
    const {depth, tokens} = architecture
    const initial = new Float32Array(seeds.length * layout.size)
    for (const [place, seed] of seeds.entries())
      initial.set(initialTransformer(architecture, layout, seed, ziggurat), place * layout.size)
    const network = {
      size: layout.size,
      layers: depth + 2,
      places: depth + 1,
      plan: transformerPlan(engine, architecture, layout),
      pointShape: [tokens, data.features / tokens],
      initial,
      workspace: (/** @type {number} */ points, /** @type {boolean} */ backward) =>
        transformerWorkspace(engine, architecture, layout, points, backward),
      quantityOf: (/** @type {number} */ quantity, /** @type {number} */ index) => quantityOf(quantity, index, depth),
    }
    super(engine, network, recipe, data, seeds, ziggurat)
    this.architecture = architecture
    this.outputs = data.classes
  }

  /**
   * Outputs (seeds, outputs, points) for points (features, points), of the seeds at places `from` to below `to`.
   * @param {Float32Array} points @param {number} count @param {number} [from] @param {number} [to]
   */
  predict(points, count, from = 0, to = this.seeds.length) {
    const {engine, network} = this
    const before = engine.top
    const outputs = engine.place('float32', [to - from, this.outputs, count])
    engine.call('answer', {
      ...network.plan,
      ...network.workspace(count, false),
      points: engine.place('float32', [...network.pointShape, count], points),
      order: engine.place('int64', [count], everyPoint(count)),
      parameters: this.parametersOf(from, to),
      outputs,
    })
    const copy = /** @type {Float32Array} */ (outputs.numbers).slice()
    engine.top = before
    return copy
  }
}

/** @param {number} quantity @param {number} index @param {number} depth */
function quantityOf(quantity, index, depth) {
  if (quantity === ACTIVATIONS) return index ? `stream after sublayer ${index}` : 'stream after the embedding'
  if (quantity === LOSS) return 'loss'
  if (index === 0) return 'gradient of the embedding'
  return index <= depth ? `gradient of sublayer ${index}` : 'gradient of the head'
}
