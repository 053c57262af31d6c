// The kernels' plan of a perceptron, and their arrays for passes over some points, as in sims/engines/perceptrons/plan.py.
import {Place} from '../../../shared/kernels/engine.js'
import {branchFactor, growthOf, lastWidth, layersPerBlock, skipFactor} from './layout.js'

/** @typedef {import('../../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../../../shared/kernels/engine.js').Values} Values */
/** @typedef {import('./layout.js').Layout} Layout */

/** @type {Record<string, number>} */
const SKIPS = {none: 0, additive: 1, rezero: 2, highway: 3, dense: 4, linear: 5, dropout: 6}
/** @type {Record<string, number>} */
const NORMS = {
  ...{none: 0, batch: 1, layer: 2, 'pre-layer': 3, 'post-layer': 4, 'peri-layer': 5},
  'deep-norm': 4, // differs from Post-LN only in the factor of the skip and in its initial weights
}
/** @type {Record<string, number>} */
const ACTIVATIONS = {relu: 0, tanh: 1}
const IDENTITY = 2
/** Numbers in a tile of a matrix product, at most. */
export const WIDEST_TILE = 32

/** Whether the norm is before every activation, as Pre-LN and a norm before the head are together. @param {NetworkArchitecture} architecture */
const isLayered = ({unit, norm}) => unit === 'pre-activation' && norm === 'layer'

/** @param {Engine} engine @param {NetworkArchitecture} architecture @param {Layout} layout @returns {Values} */
export function planOf(engine, architecture, {layers, gates, factors, blocks}) {
  const {width, skip, norm, unit, final_norm: finalNorm, activation = 'relu', squashed, dropped = 0} = architecture
  const table = [...layers, ...gates].flatMap(({rows, columns, weight, bias}) => [rows, columns, weight, bias])
  return {
    'plan.table': engine.place('int64', [table.length / 4, 4], BigInt64Array.from(table, BigInt)),
    'plan.factors': factors,
    'plan.blocks': blocks,
    'plan.layers_per_block': layersPerBlock(architecture),
    'plan.stem': 0,
    'plan.head': layers.length - 1,
    'plan.width': width,
    'plan.growth': growthOf(architecture),
    'plan.skip': SKIPS[skip],
    'plan.norm': NORMS[isLayered(architecture) ? 'pre-layer' : norm],
    'plan.original': unit === 'original',
    'plan.activation_first': unit === 'pre-activation',
    'plan.activation': ACTIVATIONS[activation],
    'plan.last_activation': IDENTITY,
    'plan.head_activation': squashed ? ACTIVATIONS.tanh : IDENTITY,
    'plan.final_norm': finalNorm || isLayered(architecture),
    'plan.factor': branchFactor(architecture),
    'plan.carry': skipFactor(architecture),
    'plan.dropped': dropped,
  }
}

/**
 * The arrays for passes over some points, with slots for a backward pass if `backward`, or for all layers if `keep`.
 * @param {Engine} engine @param {NetworkArchitecture} architecture @param {Layout} layout @param {number} batch @param {boolean} backward
 * @returns {Values}
 */
export function workspaceOf(engine, architecture, {layers, blocks}, batch, backward) {
  const float = (/** @type {number[]} */ ...shape) => engine.place('float32', shape)
  const {norm, unit, width, skip, final_norm: finalNorm} = architecture
  const head = layers.length - 1,
    outputs = layers[head].rows,
    last = lastWidth(architecture),
    dense = skip === 'dense',
    first = unit === 'pre-activation'
  const widest = Math.max(width, growthOf(architecture))
  const slots = backward ? head : 1
  // What enters a layer is as wide as the stream; what leaves it may be narrower.
  const entering = first ? last : widest
  const everywhere = norm === 'batch' || norm === 'layer'
  const ends = finalNorm || isLayered(architecture)
  const normed = everywhere || norm === 'pre-layer' || norm === 'peri-layer' || (first && ends) ? slots : 0
  const inBlocks = backward ? blocks : 1
  const joined = norm === 'peri-layer' ? inBlocks : 0
  // Dropout acts in training only, so an evaluation has no gates for it.
  const gates = skip === 'highway' || (skip === 'dropout' && backward) ? inBlocks : 0
  // Without a norm, what enters a layer of a dense network begins with what entered all earlier ones.
  const shared = first && dense && norm === 'none'
  const before = float(widest, batch)
  // In an evaluation, batch and layer norm overwrite their input.
  const inPlace = !backward && (norm === 'batch' || norm === 'layer') && !first
  const [changed, branchChanged] = backward ? [last, widest] : [0, 0]
  return {
    'workspace.frozen': false,
    'workspace.least': engine.place('float64', [1]),
    'workspace.inputs': float(layers[0].columns, batch),
    'workspace.stream': dense ? float(1, last, batch) : float(backward ? blocks + 1 : 2, width, batch),
    'workspace.normal': inPlace
      ? new Place(engine.memory, before.at, 'float32', [1, widest, batch])
      : float(normed, dense ? last : width, batch),
    'workspace.value': float(shared ? 1 : slots, entering, batch),
    'workspace.branch': float(first ? inBlocks : 0, widest, batch),
    'workspace.joined': float(joined, width, batch),
    'workspace.joined_scale': float(joined, batch),
    'workspace.gate': float(gates, width, batch),
    'workspace.mean': float(head, entering),
    'workspace.batch_scale': float(head, entering),
    'workspace.point_scale': float(slots, batch),
    'workspace.final_scale': float(batch),
    'workspace.last': float(last, batch),
    'workspace.before': before,
    'workspace.answers': float(outputs, batch),
    'workspace.outputs': float(outputs, batch),
    'workspace.labels': engine.place('int64', [batch]),
    'workspace.change': float(changed, batch),
    'workspace.branch_change': float(branchChanged, batch),
    'workspace.scratch': float(changed, batch),
    'workspace.packed': float(Math.max(...layers.flatMap(({rows, columns}) => [rows, columns])), WIDEST_TILE),
  }
}
