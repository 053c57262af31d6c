// The parameters of a network, and bytes that a forward pass keeps for the backward pass, as in
// sims/instruments/costs/kept_activations.py.
import {Place} from '../../shared/kernels/engine.js'
import {blocksOf, growthOf, layoutOf} from '../engine/perceptrons/layout.js'
import {workspaceOf} from '../engine/perceptrons/plan.js'
import {transformerLayout} from '../engine/transformers/layout.js'
import {transformerWorkspace} from '../engine/transformers/plan.js'

/** @typedef {import('../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../../shared/kernels/engine.js').Values} Values */

const BYTES = Float32Array.BYTES_PER_ELEMENT

const OF_TRANSFORMER = [
  ...['stream', 'normal', 'scale', 'joined', 'joined_scale', 'queries', 'shares'],
  ...['mixed', 'hidden', 'final', 'final_scale', 'pooled'],
]
const OF_PERCEPTRON = ['stream', 'normal', 'joined', 'joined_scale', 'gate']

/** Places arrays nowhere: only their sizes are wanted. */
const SIZES = /** @type {Engine} */ (
  /** @type {unknown} */ ({
    /** @param {'float32' | 'int64'} type @param {number[]} shape */
    place: (type, shape) => new Place(/** @type {any} */ (null), 0, type, shape),
  })
)

/** @param {Values} workspace @param {string[]} names */
const lengthOf = (workspace, names) =>
  names.reduce((sum, name) => sum + /** @type {Place} */ (workspace[`workspace.${name}`]).length, 0)

/** @typedef {{features: number, classes: number}} Ends what a network is given, and what it answers */

/** How many parameters a network has. @param {NetworkArchitecture | TransformerArchitecture} architecture @param {Ends} data */
export const parameterCount = (architecture, {features, classes}) =>
  ('tokens' in architecture
    ? transformerLayout(architecture, features, classes)
    : layoutOf(architecture, features, classes)
  ).size

/**
 * The bytes, in single precision, of one network over a batch.
 * @param {NetworkArchitecture | TransformerArchitecture} architecture @param {Ends} data @param {number} batch
 */
export function keptBytes(architecture, {features, classes}, batch) {
  if ('tokens' in architecture) {
    const layout = transformerLayout(architecture, features, classes)
    return BYTES * lengthOf(transformerWorkspace(SIZES, architecture, layout, batch, true), OF_TRANSFORMER)
  }
  if (architecture.unit === 'pre-activation') return BYTES * keptWhereActivationsComeFirst(architecture, batch)
  const workspace = workspaceOf(SIZES, architecture, layoutOf(architecture, features, classes), batch, true)
  const {norm, width, final_norm: finalNorm} = architecture
  const names = [...OF_PERCEPTRON]
  if (norm !== 'none') names.push(norm === 'batch' ? 'batch_scale' : 'point_scale')
  if (finalNorm) names.push('last', 'final_scale')
  // A dense block's branch fills only the first rows of its slot; slot 0 belongs to the stem and holds h itself.
  const [slots] = /** @type {Place} */ (workspace['workspace.value']).shape
  const branches = (slots - 1) * (growthOf(architecture) || width) * batch
  return BYTES * (lengthOf(workspace, names) + branches)
}

/** Factors on the numbers of all branches: their outputs, gates, or the factors of a dropout. @type {Record<string, number>} */
const EXTRAS = {rezero: 1, highway: 2, dropout: 1}

/** How many numbers a pass keeps. @param {NetworkArchitecture} architecture @param {number} batch */
function keptWhereActivationsComeFirst(architecture, batch) {
  const {width, skip, norm, final_norm: finalNorm} = architecture
  const blocks = blocksOf(architecture),
    growth = growthOf(architecture)
  const entering = Array.from({length: blocks + 1}, (_, block) => width + growth * block)
  // Without a norm, the layers of a dense network read parts of one array; the head has an array of its own.
  const read = growth && norm === 'none' ? entering.slice(-2) : entering
  let normed = norm === 'batch' || norm === 'layer' ? [...entering] : []
  if (norm === 'pre-layer' || norm === 'peri-layer') normed = entering.slice(0, blocks)
  if (finalNorm && norm !== 'batch' && norm !== 'layer') normed.push(entering[blocks])
  const ofBlocks = blocks * width
  let scales = norm === 'batch' ? sum(normed) : normed.length * batch
  let count = sum(read) + sum(normed)
  if (norm === 'post-layer' || norm === 'peri-layer' || norm === 'deep-norm') {
    count += ofBlocks
    scales += blocks * batch
  }
  if ((skip === 'highway' || skip === 'linear') && norm !== 'post-layer' && norm !== 'deep-norm') count += ofBlocks
  count += ofBlocks * (EXTRAS[skip] ?? 0)
  return count * batch + scales
}

/** @param {number[]} numbers */
const sum = numbers => numbers.reduce((total, number) => total + number, 0)
