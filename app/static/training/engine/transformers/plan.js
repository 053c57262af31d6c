// The kernels' plan of a transformer, and their arrays for passes over some points, as in sims/engines/transformers/plan.py.
import {WIDEST_TILE} from '../perceptrons/plan.js'
import {completed} from './layout.js'

/** @typedef {import('../../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../../../shared/kernels/engine.js').Values} Values */
/** @typedef {import('./layout.js').TransformerLayout} TransformerLayout */

const RELU = 0

/** @param {string} norm */
const isBeforeBranches = norm => norm === 'pre-layer' || norm === 'peri-layer'

/** @param {TransformerArchitecture} architecture */
const endsWithNorm = ({norm, final_norm: finalNorm}) => Boolean(finalNorm) && isBeforeBranches(norm)

/** @param {Engine} engine @param {TransformerArchitecture} architecture @param {TransformerLayout} layout @returns {Values} */
export function transformerPlan(engine, architecture, {layers, positions}) {
  const whole = completed(architecture)
  const {depth, width, tokens, heads, norm, causal} = whole
  const table = layers.flatMap(({rows, columns, weight, bias}) => [rows, columns, weight, bias])
  return {
    'plan.table': engine.place('int64', [layers.length, 4], BigInt64Array.from(table, BigInt)),
    'plan.positions': positions,
    'plan.depth': depth,
    'plan.head': layers.length - 1,
    'plan.width': width,
    'plan.tokens': tokens,
    'plan.heads': heads,
    'plan.pre_norm': isBeforeBranches(norm),
    'plan.branch_norm': norm === 'peri-layer',
    'plan.final_norm': endsWithNorm(whole),
    'plan.carry': norm === 'deep-norm' ? Math.max(depth, 1) ** 0.25 : 1,
    'plan.causal': causal,
    'plan.activation': RELU,
  }
}

/**
 * The arrays for passes over some points, with slots for a backward pass if `backward`.
 * @param {Engine} engine @param {TransformerArchitecture} architecture @param {TransformerLayout} layout @param {number} batch @param {boolean} backward
 * @returns {Values}
 */
export function transformerWorkspace(engine, architecture, {layers}, batch, backward) {
  const float = (/** @type {number[]} */ ...shape) => engine.place('float32', shape)
  const whole = completed(architecture)
  const {depth, width, tokens, heads, hidden, norm} = whole
  const points = tokens * batch
  const outputs = layers[layers.length - 1].rows
  const widest = Math.max(hidden, 3 * width)
  const attentions = backward ? Math.ceil(depth / 2) : 1,
    feeds = backward ? Math.max(Math.floor(depth / 2), 1) : 1,
    sublayers = backward ? depth : 1
  const joined = norm === 'peri-layer' ? sublayers : 0
  const ends = endsWithNorm(whole)
  const changed = backward ? width : 0
  return {
    'workspace.least': engine.place('float64', [1]),
    'workspace.inputs': float(layers[0].columns, points),
    'workspace.stream': float(backward ? depth + 1 : 2, width, points),
    'workspace.normal': float(isBeforeBranches(norm) ? sublayers : 0, width, points),
    'workspace.scale': float(sublayers, points),
    'workspace.joined': float(joined, width, points),
    'workspace.joined_scale': float(joined, points),
    'workspace.queries': float(attentions, 3 * width, points),
    'workspace.shares': float(attentions, heads, tokens, tokens, batch),
    'workspace.mixed': float(attentions, width, points),
    'workspace.hidden': float(feeds, hidden, points),
    'workspace.final': float(ends ? width : 0, points),
    'workspace.final_scale': float(ends ? points : 0),
    'workspace.pooled': float(width, batch),
    'workspace.outputs': float(outputs, batch),
    'workspace.labels': engine.place('int64', [batch]),
    'workspace.before': float(widest, points),
    'workspace.change': float(changed, points),
    'workspace.behind': float(joined ? changed : 0, points),
    'workspace.inside': float(backward ? widest : 0, points),
    'workspace.pooled_change': float(changed, batch),
    'workspace.packed': float(Math.max(...layers.flatMap(({rows, columns}) => [rows, columns])), WIDEST_TILE),
    'workspace.slopes': float(tokens, tokens, batch),
  }
}
