// A row of blocks with arcs over them and the signals through it: what app/pictures/charts/lit_network.py does when it is
// shown.
import {written} from '../parameters.js'

/** @typedef {import('../pictures.js').Picture} Picture */
/** @typedef {{error: number, lowest: number, highest: number, words: string}} Bar an error, 0 to 1, and its range */
/** @typedef {{stream: ArrayLike<number>, degrees: number[], gradient: ArrayLike<number>, forwardWords: string, backWords: string, bar?: Bar, norm?: string}} Light what is measured at places from the stem to the last block */

const FORWARD = 2.65,
  NETWORK = 0.3,
  BACK = -1.15
const FORWARD_WORDS = 3.75,
  BACK_WORDS = -0.5,
  BAR_WORDS = -1.95
const BAR = -2.45, // the middle of the bar
  HEIGHT = 0.42
const UNIT = 57 // pixels of a unit of height, about
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

/**
 * What a press on an arc sets: its plus sign is taken out, or put back.
 * @param {Record<string, string>} names @param {string} path
 * @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 * @param {number[]} without the blocks without a plus sign, counted from 1 @param {number} blocks
 */
export function pressedPlusSign(names, path, gesture, without, blocks) {
  if (gesture.origin?.id !== names[`${path}.figure`] || gesture.event_name !== 'tap') return null
  const block = pressedBlock(gesture, blocks)
  if (block === null) return null
  return {cut: written(without.includes(block) ? without.filter(other => other !== block) : [...without, block])}
}

/**
 * The block, from 1, whose arc was pressed; null beside all of them.
 * @param {{x?: number, y?: number}} gesture @param {number} blocks
 */
function pressedBlock({x, y}, blocks) {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return null
  const [across, up] = /** @type {[number, number]} */ ([x, y])
  if (up < LOWEST || up > HIGHEST || across < 0 || across > blocks) return null
  return clipped(Math.ceil(across), 1, blocks)
}

/**
 * `LitNetwork.show`: the blocks of `without`, counted from 1, have no arc.
 * @param {Picture} picture @param {string} path @param {Light} light @param {number[]} without
 */
export function showLitNetwork(picture, path, light, without) {
  const {stream, degrees, gradient, forwardWords, backWords, bar, norm = 'none'} = light
  const blocks = stream.length - 1,
    last = 2 * blocks + 1
  const numbers = Array.from({length: blocks}, (_, at) => at + 1)
  picture.set(`${path}.figure.x_range`, {start: -0.03 * blocks, end: 1.03 * blocks})
  picture.set(`${path}._wire`, {data: {x: [0, blocks], y: [NETWORK, NETWORK]}})
  picture.set(`${path}._boxes`, {data: {x: numbers.map(block => block - 0.5), y: numbers.map(() => NETWORK)}})
  const moments = numbers.flatMap(block => [block, last - block].map(moment => ({block, moment})))
  picture.timed(
    `${path}._passing`,
    {x: moments.map(({block}) => block - 0.5), y: moments.map(() => NETWORK)},
    moments.map(({moment}) => [moment, moment]),
    last,
  )
  const withSkip = numbers.filter(block => !without.includes(block))
  for (const [kind, members] of Object.entries({kept: withSkip, cut: without})) {
    const arcs = members.map(arc)
    picture.set(`${path}._arcs.${kind}`, {data: {x: arcs.map(({x}) => x), y: arcs.map(({y}) => y)}})
  }
  picture.set(`${path}._sums`, {data: {x: withSkip, y: withSkip.map(() => NETWORK)}})
  picture.set(`${path}._norms`, {data: normBars(norm, blocks, numbers)})
  const apart = degrees.map(angle => (APART * (Number.isNaN(angle) ? 0 : angle)) / 90)
  const forth = numbers.map(block => [block, last]),
    back = numbers.map(block => [last - block, last])
  const one = apart.map(distance => FORWARD + distance),
    other = apart.map(distance => FORWARD - distance)
  showLine(picture, `${path}._lines.one`, stream, one, forth, last)
  showLine(picture, `${path}._lines.other`, stream, other, forth, last)
  showLine(
    picture,
    `${path}._lines.back`,
    gradient,
    apart.map(() => BACK),
    back,
    last,
  )
  picture.set(`${path}._ends`, {data: {x: [0, 0, blocks], y: [one[0], other[0], BACK]}})
  if (bar) showBar(picture, path, bar, blocks)
  const text = [forwardWords, backWords, ...(bar ? [bar.words] : [])],
    y = [FORWARD_WORDS, BACK_WORDS, BAR_WORDS].slice(0, text.length)
  picture.set(`${path}._words`, {data: {x: y.map(() => 0), y, text}})
  picture.set(`${path}._tag`, {data: {moment: [last], last: [last]}})
}

/** @param {Picture} picture @param {string} path @param {Bar} bar @param {number} blocks */
function showBar(picture, path, {error, lowest, highest}, blocks) {
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
      left: only(left * blocks),
      right: only(right * blocks),
      bottom: only(BAR - HEIGHT / 2 + thin),
      top: only(BAR + HEIGHT / 2 - thin),
    }
    picture.set(`${path}.${name}`, {data})
  }
}

/**
 * A band per block, as thick at its ends as the sizes are large, on top of a halo.
 * @param {Picture} picture @param {string} path @param {ArrayLike<number>} sizes @param {number[]} heights
 * @param {number[][]} times the first and the last moment of every band @param {number} moment
 */
function showLine(picture, path, sizes, heights, times, moment) {
  const decades = Array.from(sizes, Math.log10)
  const half = decades.map(size => thickness(size) / 2 / UNIT)
  const bands = HALOS.flatMap(([thicker, paler]) => {
    const low = heights.map((height, at) => height - thicker * half[at]),
      high = heights.map((height, at) => height + thicker * half[at])
    return times.map((time, at) => ({
      xs: [at, at + 1, at + 1, at],
      ys: [low[at], low[at + 1], high[at + 1], high[at]],
      bright: paler * brightness((decades[at] + decades[at + 1]) / 2),
      time,
    }))
  }).filter(({bright}) => !Number.isNaN(bright))
  picture.timed(
    path,
    {xs: bands.map(({xs}) => xs), ys: bands.map(({ys}) => ys), bright: bands.map(({bright}) => bright)},
    bands.map(({time}) => time),
    moment,
  )
}

/** The bars of the norms: one for each block, and with "pre" one more before the head. @param {string} norm @param {number} blocks @param {number[]} numbers */
function normBars(norm, blocks, numbers) {
  const [shift, height] = NORMS[norm]
  const x = height ? numbers.map(block => block + shift) : []
  if (norm === 'pre') x.push(1.02 * blocks)
  return {x, y: x.map(() => NETWORK), height: x.map(() => height)}
}

/** The arc over a block, from the place before it to the one after it. @param {number} block */
function arc(block) {
  const turns = Array.from({length: FINEST}, (_, at) => (at * Math.PI) / (FINEST - 1))
  return {
    x: turns.map(turn => block - 0.5 - 0.46 * Math.cos(turn)),
    y: turns.map(turn => NETWORK + ARC * Math.sin(turn)),
  }
}
