// Blocks in a row, or on a phone in two, with arcs over them and the signals through them: what
// app/pictures/charts/lit_network.py does when it is shown.
import {written} from '../../parameters.js'

/** @typedef {import('../picture.js').Picture} Picture */
/** @typedef {{error: number, lowest: number, highest: number, guessing: number, words: string}} Bar an error, 0 to 1, its range, and the error of a guess */
/** @typedef {{stream: ArrayLike<number>, degrees: number[], gradient: ArrayLike<number>, forwardWords: string, backWords: string, bar?: Bar, norm?: string, plural?: string, letters?: string}} Light what is measured at places from the stem to the last block */

/** @typedef {{picture: Picture, path: string, rows: number, beside: number, blocks: number, long: number, foot: number}} Rows the figure on one kind of screen: the blocks in a row, and how far the last row is below the first */

/** @type {Record<string, {rows: number, beside: number}>} */
const SCREENS = {
  wide: {rows: 1, beside: 0.03}, // room beside a row, as a share of it
  narrow: {rows: 2, beside: 0.015},
}
const UNIT = 57 // pixels of a unit of height on a wide window, about
const DROP = 5.65 // from a row to the next
const FORWARD = 2.65,
  NETWORK = 0.3,
  BACK = -1.15
const FORWARD_WORDS = 3.75,
  BACK_WORDS = -0.5,
  BAR_WORDS = -1.95
const BAR = -2.45, // the middle of the bar
  HEIGHT = 0.42
const APART = 0.75
const ARC = 1.15,
  FINEST = 25
const LOWEST = -0.4,
  HIGHEST = 1.7 // ends of what can be pressed
/** @type {Record<string, [shift: number, height: number]>} */
const NORMS = {none: [0, 0], pre: [-0.84, 0.5], post: [0, 0.86]}
const THICK = 7,
  THICKER = 3,
  THINNEST = 1.5,
  THICKEST = 20
const DARK_AFTER = 8, // powers of ten below 1
  DARKEST = 0.07
const PALE = 0.3 // share of a line's opacity before the signal has come there
const HALOS = [
  [2.8, 0.16],
  [1, 1],
]

/** The opacity of a line for a size of 10 to the power of `decades`, up to 1. @param {number} decades */
export const brightness = decades => clipped(1 + decades / DARK_AFTER, DARKEST, 1)

/** The thickness in pixels. @param {number} decades */
const thickness = decades => clipped(THICK + THICKER * decades, THINNEST, THICKEST)

/** @param {number} value @param {number} low @param {number} high */
const clipped = (value, low, high) => Math.min(Math.max(value, low), high)

/** @param {number} blocks @param {number} rows */
const rowOf = (blocks, rows) => Math.ceil(blocks / rows)

/**
 * What a press on an arc sets: its plus sign is taken out, or put back.
 * @param {Record<string, string>} names @param {string} path
 * @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 * @param {number[]} without the blocks without a plus sign, counted from 1 @param {number} blocks
 */
export function pressedPlusSign(names, path, gesture, without, blocks) {
  const screen = Object.keys(SCREENS).find(name => gesture.origin?.id === names[`${path}.screens.${name}.figure`])
  if (!screen || gesture.event_name !== 'tap') return null
  const block = pressedBlock(gesture, blocks, SCREENS[screen].rows)
  if (block === null) return null
  return {cut: written(without.includes(block) ? without.filter(other => other !== block) : [...without, block])}
}

/**
 * The block, from 1, whose arc was pressed; null beside all of them.
 * @param {{x?: number, y?: number}} gesture @param {number} blocks @param {number} rows
 */
function pressedBlock({x, y}, blocks, rows) {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return null
  const [across, up] = /** @type {[number, number]} */ ([x, y])
  const long = rowOf(blocks, rows),
    row = Math.floor((HIGHEST - up) / DROP)
  if (row < 0 || row >= rows || up + row * DROP < LOWEST || across < 0 || across > long) return null
  const block = row * long + Math.max(Math.ceil(across), 1)
  return block <= blocks ? block : null
}

/**
 * `LitNetwork.show`: the blocks of `without`, counted from 1, have no arc.
 * @param {Picture} picture @param {string} path @param {Light} light @param {number[]} without
 */
export function showLitNetwork(picture, path, light, without) {
  const blocks = light.stream.length - 1
  for (const [screen, looks] of Object.entries(SCREENS)) {
    const long = rowOf(blocks, looks.rows),
      foot = (looks.rows - 1) * DROP
    showRows({picture, path: `${path}.screens.${screen}`, ...looks, blocks, long, foot}, light, without)
  }
}

/**
 * Where a height of the first row is in the row of a block, at a share of the block's width.
 * @param {Rows} rows @param {number} block @param {number} share @param {number} height
 */
function place({long}, block, share, height) {
  const row = Math.floor((block - 1) / long)
  return {x: block - 1 - row * long + share, y: height - row * DROP}
}

/** @param {{x: number, y: number}[]} places */
const columns = places => ({x: places.map(({x}) => x), y: places.map(({y}) => y)})

/** @param {Rows} rows @param {Light} light @param {number[]} without */
function showRows(rows, light, without) {
  const {picture, path, beside, blocks, long, foot} = rows
  const {stream, degrees, gradient, forwardWords, backWords, bar, norm = 'none', plural = 'Blocks', letters} = light
  const last = 2 * blocks + 1
  const numbers = Array.from({length: blocks}, (_, at) => at + 1)
  const starts = Array.from({length: Math.ceil(blocks / long)}, (_, at) => at * long),
    further = starts.slice(1)
  picture.set(`${path}.figure.x_range`, {start: -beside * long, end: (1 + beside) * long})
  const wire = {
    x: starts.map(start => [0, Math.min(long, blocks - start)]),
    y: starts.map((_, at) => [NETWORK - at * DROP, NETWORK - at * DROP]),
  }
  if (norm === 'pre') wire.x[wire.x.length - 1][1] += lastNorm(rows)
  picture.set(`${path}._wire`, {data: wire})
  const blocksOf = further.map(start => `${plural} ${start + 1} to ${Math.min(start + long, blocks)}`)
  const heights = further.map((_, at) => FORWARD_WORDS - (at + 1) * DROP)
  picture.set(`${path}._further`, {data: {x: further.map(() => 0), y: heights, text: blocksOf}})
  const at = (/** @type {number} */ share) => (/** @type {number} */ block) => place(rows, block, share, NETWORK)
  const middles = numbers.map(at(0.5))
  picture.set(`${path}._boxes`, {data: columns(middles)})
  if (letters) {
    const seconds = middles.filter((_, box) => box % letters.length === 1)
    picture.set(`${path}._seconds`, {data: columns(seconds)})
    const text = numbers.map(block => letters[(block - 1) % letters.length])
    picture.set(`${path}._letters`, {data: {...columns(middles), text}})
  }
  const moments = numbers.flatMap(block => [block, last - block].map(moment => ({block, moment})))
  picture.timed(
    `${path}._passing`,
    columns(moments.map(({block}) => at(0.5)(block))),
    moments.map(({moment}) => [moment, moment]),
    last,
  )
  const withSkip = numbers.filter(block => !without.includes(block))
  for (const [kind, members] of Object.entries({kept: withSkip, cut: without})) {
    const arcs = members.map(at(0.5)).map(arc)
    picture.set(`${path}._arcs.${kind}`, {data: {x: arcs.map(({x}) => x), y: arcs.map(({y}) => y)}})
  }
  picture.set(`${path}._sums`, {data: columns(withSkip.map(at(1)))})
  picture.set(`${path}._norms`, {data: normBars(rows, norm, numbers)})
  const apart = degrees.map(angle => (APART * (Number.isNaN(angle) ? 0 : angle)) / 90)
  const forth = numbers.map(block => [block, last]),
    back = numbers.map(block => [last - block, last])
  const one = apart.map(distance => FORWARD + distance),
    other = apart.map(distance => FORWARD - distance),
    level = apart.map(() => BACK)
  showLine(rows, 'one', stream, one, forth, last)
  showLine(rows, 'other', stream, other, forth, last)
  showLine(rows, 'back', gradient, level, back, last)
  const end = place(rows, blocks, 1, BACK)
  picture.set(`${path}._ends`, {data: {x: [0, 0, end.x], y: [one[0], other[0], end.y]}})
  if (bar) showBar(rows, bar)
  const text = [forwardWords, backWords, ...(bar ? [bar.words] : [])],
    y = [FORWARD_WORDS, BACK_WORDS, BAR_WORDS - foot].slice(0, text.length)
  picture.set(`${path}._words`, {data: {x: y.map(() => 0), y, text}})
  picture.set(`${path}._tag`, {data: {moment: [last], last: [last]}})
}

/** @param {Rows} rows @param {Bar} bar */
function showBar({picture, path, long, foot}, {error, lowest, highest, guessing}) {
  /** @type {[name: string, left: number, right: number, thin: number][]} */
  const parts = [
    ['_track', 0, 1, 0],
    ['_bar', 0, error, 0],
    ['_range', lowest, highest, 0.4 * HEIGHT],
  ]
  for (const [name, left, right, thin] of parts) {
    const isKnown = Number.isFinite(left) && Number.isFinite(right)
    const only = (/** @type {number} */ value) => (isKnown ? [value] : [])
    const data = {
      left: only(left * long),
      right: only(right * long),
      bottom: only(BAR - foot - HEIGHT / 2 + thin),
      top: only(BAR - foot + HEIGHT / 2 - thin),
    }
    picture.set(`${path}.${name}`, {data})
  }
  for (const [name, at] of /** @type {[string, number][]} */ ([
    ['_end', error],
    ['_guess', guessing],
  ])) {
    const x = Number.isFinite(at) ? [at * long] : []
    const [bottom, top] = [-1, 1].map(way => x.map(() => BAR - foot + (way * HEIGHT) / 2))
    picture.set(`${path}.${name}`, {data: {x, bottom, top}})
  }
}

/**
 * A band per block, as thick at its ends as the sizes are large, on top of a halo.
 * @param {Rows} rows @param {string} name @param {ArrayLike<number>} sizes @param {number[]} heights
 * @param {number[][]} times the first and the last moment of every band @param {number} moment
 */
function showLine(rows, name, sizes, heights, times, moment) {
  const decades = Array.from(sizes, Math.log10)
  const half = decades.map(size => thickness(size) / 2 / UNIT)
  const bands = HALOS.flatMap(([thicker, paler]) => {
    const low = heights.map((height, at) => height - thicker * half[at]),
      high = heights.map((height, at) => height + thicker * half[at])
    return times.map((time, at) => {
      const corner = (/** @type {number} */ share, /** @type {number} */ height) => place(rows, at + 1, share, height)
      return {
        corners: columns([corner(0, low[at]), corner(1, low[at + 1]), corner(1, high[at + 1]), corner(0, high[at])]),
        bright: paler * brightness((decades[at] + decades[at + 1]) / 2),
        time,
      }
    })
  }).filter(({bright}) => !Number.isNaN(bright))
  rows.picture.timed(
    `${rows.path}._lines.${name}`,
    {
      xs: bands.map(({corners}) => corners.x),
      ys: bands.map(({corners}) => corners.y),
      bright: bands.map(({bright}) => bright),
    },
    bands.map(({time}) => time),
    moment,
    PALE,
  )
}

/** How far behind the last block the norm before the head is. @param {Rows} rows */
const lastNorm = ({beside, long}) => (2 / 3) * beside * long

/** The bars of the norms: one for each block, and with "pre" one more before the head. @param {Rows} rows @param {string} norm @param {number[]} numbers */
function normBars(rows, norm, numbers) {
  const [shift, height] = NORMS[norm]
  const places = height ? numbers.map(block => place(rows, block, 1 + shift, NETWORK)) : []
  if (norm === 'pre') places.push(place(rows, rows.blocks, 1 + lastNorm(rows), NETWORK))
  return {...columns(places), height: places.map(() => height)}
}

/** The arc over a block with its middle at `x`, from the place before it to the one after it. @param {{x: number, y: number}} middle */
function arc({x, y}) {
  const turns = Array.from({length: FINEST}, (_, at) => (at * Math.PI) / (FINEST - 1))
  return {x: turns.map(turn => x - 0.46 * Math.cos(turn)), y: turns.map(turn => y + ARC * Math.sin(turn))}
}
