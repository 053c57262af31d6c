// The figure `paths` without a server: what sims/simulations/gradients/paths.py and app/views/gradients/paths.py do.
// Python stays the source: tests/twins compares everything that both give.
import {blocks, number} from '../../../shared/numbers.js'
import {showLanes} from '../../pictures/charts/lanes.js'
import {draggedGain, showPathDiagram} from '../../pictures/diagrams/path-diagram.js'
import {quantity} from '../../frame.js'
import {texted} from '../../parameters.js'
import {Picture} from '../../pictures/picture.js'

export const NAME = 'paths'
export const TITLE = 'All paths of a gradient'

const MOST = 10, // blocks
  LOWEST = -2.5,
  HIGHEST = 1.5

const OWN = Array.from({length: MOST}, (_, block) => `gain_${block + 1}`)

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  ...{blocks: 'int', gain: 'float', alike: 'bool'},
  ...Object.fromEntries(OWN.map(name => [name, /** @type {ParameterKind} */ ('float')])),
}

export const COUNTS = ['paths'] // results that are whole numbers

/** The gain of every branch. @param {Values} settings */
function gainsOf({blocks, gain, alike, ...own}) {
  const names = OWN.slice(0, Number(blocks))
  return Float64Array.from(names, name => Number(alike === 'yes' ? gain : own[name]))
}

export const calculation = () => null

/**
 * @param {unknown} _measured
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(_measured, settings) {
  const gains = gainsOf(settings),
    blocks = gains.length
  const weights = pathWeights(gains)
  const product = (/** @type {(gain: number) => number} */ factor) =>
    gains.reduce((total, gain) => total * factor(gain), 1)
  const total = product(gain => 1 + gain)
  const lengths = Int32Array.from({length: 2 ** blocks}, (_, path) => bitsOf(path))
  const beginnings = Float64Array.from(weights.slice(1).flatMap(part => Array.from(part)))
  const counts = Float64Array.from({length: blocks + 1}, (_, length) => lengths.filter(own => own === length).length)
  return {
    quantities: {
      gains: quantity(gains, 'gain of the branch', 'relative', ['block']),
      beginnings: quantity(beginnings, 'weight of a beginning of paths', 'relative', ['beginning']),
      weights: quantity(weights[blocks], 'weight of the path', 'relative', ['path']),
      lengths: quantity(lengths, 'branches on the path', 'branches', ['path']),
      sums: quantity(sumsByLength(gains), 'sum of the paths', 'relative', ['length']),
      counts: quantity(counts, 'number of paths', 'paths', ['length']),
    },
    results: {
      total,
      plain: product(gain => gain),
      direct_share: total ? 1 / total : 'no share, since the total is 0',
      paths: 2 ** blocks,
      absolute: product(gain => 1 + Math.abs(gain)),
    },
    counts: COUNTS,
    step: 0,
    steps: 0,
    diverged: [],
  }
}

/** The weights of all ways through the first blocks, for each number of blocks. @param {Float64Array} gains */
function pathWeights(gains) {
  const weights = [Float64Array.of(1)]
  for (const gain of gains)
    weights.push(Float64Array.from(Array.from(weights[weights.length - 1]).flatMap(weight => [weight, weight * gain])))
  return weights
}

/** The sum over all paths of each length. @param {Float64Array} gains */
function sumsByLength(gains) {
  const sums = new Float64Array(gains.length + 1)
  sums[0] = 1
  for (const [done, gain] of gains.entries())
    for (let length = done + 1; length > 0; length--) sums[length] += gain * sums[length - 1]
  return sums
}

/** How many bits of a whole number are set. @param {number} whole */
const bitsOf = whole => Array.from(whole.toString(2)).filter(bit => bit === '1').length

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 */
export function describe({quantities, results}) {
  const [total, absolute, plain] = ['total', 'absolute', 'plain'].map(name => Number(results[name]))
  let share = total ? `or ${number(1 / Math.abs(total))} times as much` : 'and all the others together are −1'
  if (Math.abs(total) >= 1) share = `or ${number(100 / Math.abs(total))}% of the total in size`
  const text =
    `${number(Number(results.paths))} paths through ${blocks(quantities.gains.values.length)} add up to ` +
    `${number(total, 4)}; the direct path alone is 1, ${share}. Without skips only the path through every branch is ` +
    `left: ${number(plain)}.`
  if (!quantities.weights.values.some(weight => weight < 0)) return text
  return `${text} Without regard to sign, the paths would add up to ${number(absolute, 4)}: the rest cancels.`
}

/**
 * What was computed, and what it cannot show.
 * @returns {Disclosure}
 */
export const disclosure = () => ({
  network:
    'A chain of scalar blocks x + F(x), each branch with the derivative that you set; every path is listed and ' +
    'multiplied out.',
  data: 'None: the derivative is all there is.',
  seeds: 'None, nothing is random; the sum over the listed paths equals the product up to rounding errors.',
  cannot_show:
    'Real blocks. Instead of one number, they have a matrix, a different one for every input, and matrices add up ' +
    'less neatly. The measured counterpart is further down the page.',
})

/**
 * Drags a gain. The first drag gives the branches separate gains.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 * @param {Values} settings
 */
export function pointed(names, gesture, settings) {
  if (gesture.origin?.id !== names['_diagram.gains']) return null
  const blocks = Number(settings.blocks)
  const dragged = draggedGain(gesture, blocks, LOWEST, HIGHEST)
  if (!dragged) return null
  const [block, gain] = dragged
  const alike = OWN.slice(0, blocks).map(name => [name, settings.gain])
  const values = settings.alike === 'yes' ? {...Object.fromEntries(alike), alike: 'no'} : {}
  return {...values, [OWN[block]]: texted(gain)}
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 */
export function update(names, {quantities, results}) {
  const picture = new Picture(names)
  const [total, plain] = ['total', 'plain'].map(name => Number(results[name]))
  const {paths, direct_share: share} = results
  const direct = typeof share === 'number' && share > 0 && share <= 1 ? `direct ${number(100 * share)}%` : 'direct 1'
  const readings = [`${number(Number(paths))} paths`, `sum ${number(total, 4)}`, direct]
  showPathDiagram(picture, '_diagram', quantities, readings)
  const /** @type {[name: string, value: number, kind: string][]} */ totals = [
      ['sum of all paths', total, 'residual'],
      ['direct path alone', 1, 'idle'],
      ['without skips', plain, 'plain'],
    ]
  showLanes(
    picture,
    '_totals',
    {kinds: ['residual', 'idle', 'plain'], room: 0.34, logarithmic: true, sizes: true},
    totals.map(([name, value, kind]) => ({name, value: Math.abs(value), text: number(value, 4), kind})),
  )
  return picture.changes
}
