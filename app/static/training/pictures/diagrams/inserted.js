// A trained network with inserted layers: what app/pictures/diagrams/inserted.py does when it is shown.
import {number} from '../../../shared/numbers.js'
import {ascending} from '../picture.js'

/** @typedef {import('../picture.js').Picture} Picture */

/** @type {Record<string, [start: number, end: number]>} the parts of the network in a drawing of width 1 */
const PARTS = {trained: [0, 0.2], inserted: [0.2, 0.94], head: [0.94, 1]}
const BEFORE = 3, // layers before the cut
  SHOWN = 12 // units that have lines
const FOOT = -0.09,
  TOP = 1.09,
  ROOM = 0.13
const FEW = 4 // letters of a number in the largest type, at most

/**
 * `Rays.show`: activations (layers, units), of the trained layers and then of the inserted ones.
 * @param {Picture} picture @param {string} path @param {Quantity} activations @param {boolean} copies
 */
export function showRays(picture, path, {values, shape: [layers, width]}, copies) {
  const inserted = layers - BEFORE,
    cut = BEFORE - 1
  const places = [...placesOf('trained', cut), ...placesOf('inserted', inserted).slice(1)]
  const atCut = Array.from(values.subarray(cut * width, BEFORE * width), value => -value)
  const units = ascending(atCut).slice(0, SHOWN)
  const lines = units.map(unit =>
    places.map((_, layer) => {
      const value = values[layer * width + unit]
      return Number.isFinite(value) ? value : Number.NaN
    }),
  )
  for (const [name, from, to] of /** @type {[string, number, number][]} */ ([
    ['trained', 0, BEFORE],
    ['inserted', cut, layers],
  ])) {
    const y = lines.map(line => line.slice(from, to))
    picture.set(`${path}.lines.${name}`, {data: {x: y.map(() => places.slice(from, to)), y}})
  }
  const y = lines.map(line => line[layers - 1])
  picture.set(`${path}._ends`, {data: {x: y.map(() => places[layers - 1]), y}})
  const largest = Math.max(0, ...lines.flat().filter(Number.isFinite)) || 1
  const foot = FOOT * largest,
    top = (TOP + ROOM) * largest
  picture.set(`${path}.figure.y_range`, {start: foot, end: top})
  const [left, right] = PARTS.inserted
  const only = (/** @type {number} */ value) => (inserted ? [value] : [])
  picture.set(`${path}._inside`, {data: {left: only(left), right: only(right), bottom: only(foot), top: only(top)}})
  const level = (/** @type {number} */ height) => places.map(() => height)
  picture.set(`${path}._layers`, {data: {x0: places, y0: level(foot), x1: places, y1: level(TOP * largest)}})
  const kind = copies ? 'copying' : 'random'
  const middle = inserted ? `${inserted} ${kind} layer${inserted === 1 ? '' : 's'}` : 'nothing inserted'
  for (const [name, text] of [
    ['trained', 'trained'],
    ['inserted', middle],
    ['head', 'head'],
  ]) {
    const [start, end] = PARTS[name]
    picture.set(`${path}.words.${name}`, {
      data: {x: [name === 'head' ? end : (start + end) / 2], y: [top], text: [text]},
    })
  }
}

/** Where a part of the network starts, and where each of its layers ends. @param {string} part @param {number} count */
function placesOf(part, count) {
  const [start, end] = PARTS[part]
  const step = (end - start) / count
  return Array.from({length: count + 1}, (_, place) => (!place ? start : place === count ? end : start + place * step))
}

/**
 * `TwoOutputs.show`: outputs for one point, and the largest change of any output for all points and seeds.
 * @param {Picture} picture @param {string} path @param {number[]} before @param {number[]} after @param {number} change
 */
export function showTwoOutputs(picture, path, before, after, change) {
  const count = before.length
  const places = before.map((_, index) => index + 1)
  for (const [name, top] of Object.entries({before, after}))
    picture.set(`${path}.bars.${name}`, {data: {x: places, top}})
  const numbers = [0, ...before, ...after].filter(value => !Number.isNaN(value))
  const lowest = Math.min(...numbers),
    highest = Math.max(...numbers)
  const room = 0.06 * Math.max(highest - lowest, 1e-9)
  picture.set(`${path}.figure.y_range`, {start: lowest - room, end: highest + room})
  const end = count * 1.75
  picture.set(`${path}.figure.x_range`, {start: 0.3, end})
  picture.set(`${path}._zero`, {data: {x: [0.3, count + 0.7], y: [0, 0]}})
  const text = number(change, 2)
  const x = [(count + 0.7 + end) / 2],
    y = [(lowest + highest) / 2]
  picture.set(`${path}.largest`, {data: {x, y, text: [text], size: [text.length <= FEW ? '52px' : '24px']}})
  const texts = {soft: 'largest change\nof any output', before: 'wide: before', after: 'narrow: after'}
  for (const [name, caption] of Object.entries(texts))
    picture.set(`${path}._said.${name}`, {data: {x, y, text: [caption]}})
}
