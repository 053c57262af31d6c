// All paths through the blocks of a residual network, and the gains of the blocks: what app/pictures/diagrams/path_diagram.py
// does when it is shown.
import {number} from '../../../shared/numbers.js'
import {snapped} from '../picture.js'

/** @typedef {import('../picture.js').Picture} Picture */
/** @typedef {{x0: number[], y0: number[], x1: number[], y1: number[]}} Routes of all prefixes of paths */

const SUMS = 0.8, // width of the part with the sums, relative to the part with the paths
  REACH = 0.5 // share of that part that the bars may fill
const BUNDLE = 0.74,
  APART = 0.13
const THICKEST = 9,
  THINNEST = 0.5
const FAINTEST = 0.16

/** @type {Record<string, (weight: number) => boolean>} */
const KINDS = {positive: weight => weight > 0, negative: weight => weight < 0, none: weight => weight === 0}

/** The numbers from 0 to below `count`. @param {number} count */
const range = count => Array.from({length: count}, (_, at) => at)

/** @type {Map<number, Routes>} */
const known = new Map()

/** A prefix with k branches is in row k; within a row, the one that came down last is lowest. @param {number} blocks */
function routes(blocks) {
  const levels = [{lengths: [0], orders: [0]}]
  const largest = range(blocks + 1).map(() => 1)
  for (let at = 0; at < blocks; at++) {
    const before = levels[at]
    const lengths = before.lengths.flatMap(length => [length, length + 1])
    const orders = lengths.map(() => 0)
    for (const row of range(at + 2)) {
      const members = range(lengths.length).filter(way => lengths[way] === row)
      members.sort((one, other) => (one % 2) - (other % 2) || before.orders[one >> 1] - before.orders[other >> 1])
      for (const [order, way] of members.entries()) orders[way] = order
      largest[row] = Math.max(largest[row], members.length)
    }
    levels.push({lengths, orders})
  }
  const heights = levels.map(({lengths, orders}) => {
    const sizes = range(blocks + 1).map(row => lengths.filter(length => length === row).length)
    return lengths.map(
      (length, way) => length + (orders[way] - (sizes[length] - 1) / 2) * Math.min(APART, BUNDLE / largest[length]),
    )
  })
  const ways = range(blocks).flatMap(at => range(2 ** (at + 1)).map(way => ({at, way})))
  return {
    x0: ways.map(({at}) => at),
    y0: ways.map(({at, way}) => heights[at][way >> 1]),
    x1: ways.map(({at}) => at + 1),
    y1: ways.map(({at, way}) => heights[at + 1][way]),
  }
}

/**
 * `PathDiagram.show`; `readings` are texts next to the gains, from the top.
 * @param {Picture} picture @param {string} path @param {TrainingFrame['quantities']} quantities @param {string[]} readings
 */
export function showPathDiagram(picture, path, {gains, beginnings, sums, counts}, readings) {
  const blocks = gains.values.length,
    numbers = range(blocks)
  const own = Array.from(gains.values)
  picture.set(`${path}._x`, {start: -0.12, end: blocks * (1 + SUMS)})
  picture.set(`${path}.paths.y_range`, {start: blocks + 0.75, end: -0.75})
  const /** @type {[number, string][]} */ columns = numbers.map(at => [at + 0.5, String(at + 1)])
  picture.namedTicks(`${path}.paths.xaxis.0`, columns)
  picture.namedTicks(`${path}.gains.xaxis.0`, columns)
  const ways = Array.from(counts.values)
  picture.namedTicks(
    `${path}.paths.yaxis.0`,
    ways.map((count, length) => [length, length ? `${length} (${count})` : 'direct']),
  )
  picture.set(`${path}._levels`, {data: {end: [blocks]}})
  showLines(picture, path, blocks, Array.from(beginnings.values))
  picture.set(`${path}._stems`, {
    data: {x: numbers.map(at => at + 0.5), y: own, block: numbers.map(at => at + 1), gain: own},
  })
  const left = blocks * (1 + SUMS * 0.04)
  const apart = (-2.1 - 1.1) / (readings.length - 1)
  const heights = readings.map((_, at) => (at === readings.length - 1 ? -2.1 : at * apart + 1.1))
  picture.set(`${path}._readings`, {data: {x: readings.map(() => left), y: heights, text: readings}})
  showSums(picture, path, blocks, Array.from(sums.values), ways)
}

/** @param {Picture} picture @param {string} path @param {number} blocks @param {number[]} weights */
function showLines(picture, path, blocks, weights) {
  const way = known.get(blocks) ?? routes(blocks)
  known.set(blocks, way)
  const fixed = {...way, c0: way.x0.map(x => x + 0.55), c1: way.x1.map(x => x - 0.55)}
  const largest = Math.max(1, ...weights.map(Math.abs))
  const shares = weights.map(weight => Math.abs(weight) / largest)
  for (const [kind, isOfKind] of Object.entries(KINDS)) {
    const chosen = (/** @type {(share: number) => number} */ value) =>
      weights.map((weight, at) => (isOfKind(weight) ? Math.fround(value(shares[at])) : 0))
    const width = chosen(share => THINNEST + (THICKEST - THINNEST) * share),
      alpha = chosen(share => FAINTEST + (1 - FAINTEST) * Math.sqrt(share))
    picture.set(`${path}._lines.${kind}`, {data: {...fixed, width, alpha}})
  }
}

/** @param {Picture} picture @param {string} path @param {number} blocks @param {number[]} sums @param {number[]} counts */
function showSums(picture, path, blocks, sums, counts) {
  const low = Math.min(0, ...sums),
    high = Math.max(1, ...sums)
  const room = blocks * SUMS
  const foot = blocks + room * (0.06 + (REACH * -low) / (high - low))
  const scale = (room * REACH) / (high - low)
  for (const kind of ['positive', 'negative']) {
    const rows = range(sums.length).filter(row => KINDS[kind](sums[row]))
    const ends = rows.map(row => foot + scale * sums[row])
    picture.set(`${path}._bars.${kind}`, {
      data: {
        y: rows,
        left: ends.map(end => Math.min(end, foot)),
        right: ends.map(end => Math.max(end, foot)),
        count: rows.map(row => number(counts[row])),
        sum: rows.map(row => number(sums[row], 6)),
      },
    })
  }
  picture.set(`${path}._zero`, {data: {x: [foot, foot], y: [-0.5, blocks + 0.5]}})
  picture.set(`${path}._ends`, {
    data: {
      x: sums.map(sum => Math.max(foot + scale * sum, foot)),
      y: range(sums.length),
      text: sums.map(sum => number(sum)),
    },
  })
}

/** @type {number | null} the block whose gain the pointer holds */
let held = null

/**
 * The block, from 0, and the gain that a gesture in the figure of the gains sets; null if it sets none.
 * @param {{event_name?: string, x?: number, y?: number}} gesture @param {number} blocks @param {number} low @param {number} high
 * @returns {[block: number, gain: number] | null}
 */
export function draggedGain({event_name: kind, x, y}, blocks, low, high) {
  if (kind === 'panstart' || kind === 'tap') held = typeof x === 'number' && x >= 0 && x < blocks ? Math.trunc(x) : null
  else if (kind !== 'pan') return null
  if (held === null || !Number.isFinite(y)) return null
  return [held, snapped(/** @type {number} */ (y), low, high)]
}
