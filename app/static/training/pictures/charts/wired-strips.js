// A strip of blocks for each of several networks: what app/pictures/charts/wired_strips.py does when it is shown.
import {number, tick} from '../../../shared/numbers.js'
import {sourceOf} from '../picture.js'

/** @typedef {import('../picture.js').Picture} Picture */
/** @typedef {{name: string, label: string, gradients: number[], loss: number[], fits: string}} Strip `loss`: median, lowest, highest */
/** @typedef {[x: number[], y: number[]]} Wire */

const PITCH = 78,
  KEY = 48 // heights in pixels: of a strip, and of the key above all of them
const BOXES = [8, 30],
  WIRES = 31,
  NAME = 67,
  BAR = [12, 26] // heights in a strip
const STRIP = [0, 0.64],
  LOSS = [0.7, 0.96] // ends in a width of 1
const ARC = 18,
  LONG_ARC = 29 // heights of wires
const JOINED = 6, // places of a dense network that are joined, at most, without the first
  FAINTEST = 0.06,
  SWATCHES = 5,
  FINEST = 13 // points of a wire

/** @type {Record<string, string>} how the blocks of each network are joined */
const WIRING = {
  ...{plain: '', residual: '+', residual_relu: '+', rezero: 'α', highway: 'T', dense: 'all', thinned: '+'},
}

/** `WiredStrips.show`. @param {Picture} picture @param {string} path @param {Strip[]} strips from top to bottom */
export function showWiredStrips(picture, path, strips) {
  const [low, high] = decades(strips.flatMap(({gradients}) => gradients)),
    [least, most] = decades(strips.flatMap(({loss}) => loss))
  const /** @type {number[][]} */ boxes = [],
    /** @type {number[][]} */ zeros = [],
    /** @type {unknown[][]} */ texts = []
  const scale = LOSS[1] - LOSS[0]
  for (const [row, {name, label, gradients, loss, fits}] of strips.entries()) {
    const foot = PITCH * (strips.length - 1 - row)
    const edges = spaced(STRIP[0], STRIP[1], gradients.length + 1)
    const gap = 0.12 * (edges[1] - edges[0])
    for (const [at, gradient] of gradients.entries()) {
      const [left, right] = [edges[at], edges[at + 1]]
      boxes.push([left + gap, right - gap, foot + BOXES[0], foot + BOXES[1], brightness(gradient, low, high)])
      if (gradient === 0) zeros.push([(left + right) / 2, foot + (BOXES[0] + BOXES[1]) / 2])
    }
    const {wires, joints} = wiring(WIRING[name], edges, foot + WIRES)
    picture.set(`${path}.wires.${name}`, {data: {x: wires.map(([x]) => x), y: wires.map(([, y]) => y)}})
    picture.set(`${path}.joints.${name}`, {data: sourceOf(['x', 'y'], joints)})
    const ends = loss.map(value => LOSS[0] + scale * share(value, least, most))
    const seen = Number.isFinite(loss[0])
    const only = (/** @type {number[]} */ values) => (seen ? [values] : [])
    const bar = [LOSS[0], Math.max(ends[0], LOSS[0] + 0.004), foot + BAR[0], foot + BAR[1]]
    picture.set(`${path}.bars.${name}`, {data: sourceOf(['left', 'right', 'bottom', 'top'], only(bar))})
    const middle = foot + (BAR[0] + BAR[1]) / 2
    const range = sourceOf(['x0', 'y0', 'x1', 'y1'], only([ends[1], middle, ends[2], middle]))
    picture.set(`${path}._ranges.${name}`, {data: range})
    picture.set(`${path}._said.${name}`, {data: sourceOf(['x', 'y', 'text'], [[STRIP[0], foot + NAME, label]])})
    texts.push([LOSS[0], foot + WIRES + 9, seen ? number(loss[0], 2) : 'overflow', 'left'])
    texts.push([STRIP[1], foot + NAME, fits, 'right'])
  }
  const key = keyOf(PITCH * strips.length, low, high, texts)
  for (const [name, rows] of Object.entries({boxes, _key: key}))
    picture.set(`${path}.${name}`, {data: sourceOf(['left', 'right', 'bottom', 'top', 'bright'], rows)})
  picture.set(`${path}._zeros`, {data: sourceOf(['x', 'y'], zeros)})
  picture.set(`${path}._words`, {data: sourceOf(['x', 'y', 'text', 'align'], texts)})
  const /** @type {[number, string][]} */ labels = spaced(least, most, 3).map(place => [
      LOSS[0] + (scale * (place - least)) / (most - least),
      ofPower(Math.round(place)),
    ])
  labels.push([(STRIP[0] + STRIP[1]) / 2, 'layers, input to output'])
  picture.namedTicks(`${path}.figure.xaxis.0`, labels)
}

/** The boxes of the key of the gradients' colors; adds its texts. @param {number} head @param {number} low @param {number} high @param {unknown[][]} texts */
function keyOf(head, low, high, texts) {
  texts.push([STRIP[0], head + KEY - 10, 'gradient', 'left'])
  /** @type {number[][]} */
  const boxes = []
  for (const [at, exponent] of spaced(low, high, SWATCHES).entries()) {
    const left = 0.2 + (at * (STRIP[1] - 0.2)) / SWATCHES
    const right = left + (0.7 * (STRIP[1] - 0.2)) / SWATCHES
    const bright = FAINTEST + ((1 - FAINTEST) * at) / (SWATCHES - 1)
    boxes.push([left, right, head + KEY - 17, head + KEY - 3, bright])
    if (at % 2 === 0) texts.push([(left + right) / 2, head + KEY - 27, ofPower(Math.round(exponent)), 'center'])
  }
  return boxes
}

/** @param {number} exponent */
const ofPower = exponent => tick(Number(`1e${exponent}`), true)

/** Even powers of ten around all positive finite values, at least four apart. @param {number[]} values */
function decades(values) {
  const positive = values.filter(value => value > 0 && Number.isFinite(value))
  const [least, most] = [Math.min(1, ...positive), Math.max(1, ...positive)].map(Math.log10)
  const low = 2 * Math.floor(least / 2)
  let high = 2 * Math.ceil(most / 2)
  if ((high - low) % 4) high += 2
  return [low, Math.max(high, low + 4)]
}

/** Where a value is between two powers of ten, from 0 to 1. @param {number} value @param {number} low @param {number} high */
function share(value, low, high) {
  return value > 0 ? Math.min(Math.max((Math.log10(value) - low) / (high - low), 0), 1) : 0
}

/** The opacity of a gradient. @param {number} gradient @param {number} low @param {number} high */
function brightness(gradient, low, high) {
  return gradient > 0 && Number.isFinite(gradient) ? FAINTEST + (1 - FAINTEST) * share(gradient, low, high) : 0
}

/** Wires over the blocks between stem and head, and their joints. @param {string} kind @param {number[]} edges the sides of the blocks @param {number} foot @returns {{wires: Wire[], joints: number[][]}} */
function wiring(kind, edges, foot) {
  const places = edges.slice(1, -1)
  if (!kind) return {wires: [], joints: []}
  if (kind === 'all') {
    const chosen = new Set(spaced(0, places.length - 1, JOINED + 1).map(toEven))
    const some = [...chosen].map(place => places[place])
    const longest = some[some.length - 1] - some[0]
    const wires = some.flatMap((left, at) =>
      some.slice(at + 1).map(right => arc(left, right, foot, (LONG_ARC * (right - left)) / longest)),
    )
    return {wires, joints: []}
  }
  const blocks = places.slice(1).map((right, at) => [places[at], right])
  const /** @type {Record<string, number[][]>} */ joints = {
      α: blocks.map(([, right]) => [right, foot]),
      T: blocks.map(([left, right]) => [(left + right) / 2, foot + ARC]),
    }
  return {wires: blocks.map(([left, right]) => arc(left, right, foot, ARC)), joints: joints[kind] ?? []}
}

/** @param {number} left @param {number} right @param {number} foot @param {number} height @returns {Wire} */
function arc(left, right, foot, height) {
  const turns = spaced(0, Math.PI, FINEST)
  return [
    turns.map(turn => (left + right) / 2 - ((right - left) / 2) * Math.cos(turn)),
    turns.map(turn => foot + height * Math.sin(turn)),
  ]
}

/** Equally spaced numbers, both ends included. @param {number} start @param {number} end @param {number} count */
function spaced(start, end, count) {
  const step = (end - start) / (count - 1)
  return Array.from({length: count}, (_, at) => (at === count - 1 ? end : start + at * step))
}

/** The nearest whole number, an even one for a half. @param {number} value */
function toEven(value) {
  const nearest = Math.round(value)
  return nearest - value === 0.5 && nearest % 2 ? nearest - 1 : nearest
}
