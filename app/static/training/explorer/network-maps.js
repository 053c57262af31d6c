// Up to two networks side by side: what app/pictures/maps/network_maps.py does when it is shown, and where a reader clicks.
import {number} from '../../shared/numbers.js'
import {image} from '../pictures/picture.js'
import {KINDS} from './gradient-health.js'
import {NOTHING, SIDE} from './maps.js'

const {ceil, floor, fround, max, min, sqrt} = Math

const APART = 0.06,
  TILE_GAP = 0.012
const STRIP = 1.025,
  TALL = 0.075,
  NAME = 1.145
const PITCH = 1 + APART
const LEFTS = [0, PITCH]
/** Heights of the cells, by the kind of the gradient. @type {Record<string, number>} */
const HEIGHTS = {level: 0.7, weak: 0.35, strong: 1, zero: 0.1}
const MARKS = 4 // classes that have a mark; of more classes, points are digits
const GLANCE = 4,
  EVERY = 2 // units under the pointer, and the stride in their maps
const COLORS = ['plain', 'residual', 'idle']

/** @typedef {import('../pictures/picture.js').Picture} Picture */
/**
 * One network: its name and color, the kind and size of every layer's gradient, its map, and maps of its units.
 * @typedef {{name: string, color: string, kinds: string[], gradients: number[], answers: Uint8Array, units: {values: Uint8Array, shape: number[]}}} Drawn
 */
/** @typedef {{x: number[], y: number[], classes: number[], single: boolean}} Points `single`: places of single precision */

/** The layer of each network whose units are shown instead of its answers; 0 for none. @param {number[]} layers @param {number} layer */
const openedOf = (layers, layer) => layers.map(count => (layer >= count ? 0 : layer))

/** The networks whose answers are shown. @param {number[]} layers @param {number} layer */
const mappedOf = (layers, layer) =>
  [...openedOf(layers, layer).entries()].filter(([, chosen]) => layers.length === 1 || !chosen).map(([at]) => at)

/**
 * @param {Picture} picture @param {string} path @param {Drawn[]} networks @param {Points} points @param {number} reach
 * @param {number} layer @param {boolean} back whether the answers are from an earlier moment
 */
export function showMaps(picture, path, networks, points, reach, layer, back) {
  const layers = networks.map(({kinds}) => kinds.length)
  const alone = networks.length === 1
  const opened = openedOf(layers, layer),
    mapped = mappedOf(layers, layer)
  const now = back ? ' now' : ''
  const boxes = networks.length ? LEFTS : LEFTS.slice(0, 1)
  picture.set(`${path}._boxes`, {data: {left: boxes, right: boxes.map(left => left + 1)}})
  picture.set(`${path}._answers`, {
    data: {
      image: mapped.map(at => image(networks[at].answers, [SIDE, SIDE])),
      x: mapped.map(at => LEFTS[at]),
      y: mapped.map(() => 0),
      side: mapped.map(() => 1),
    },
  })
  showPoints(picture, path, points, reach, networks.length ? mapped.map(at => LEFTS[at]) : LEFTS.slice(0, 1))
  showCells(picture, path, networks)
  picture.set(`${path}._inside`, {
    data: {
      maps: networks.map(({units}) => glance(units)),
      gradients: networks.map(({gradients}) => gradients.map(size => number(size))),
      when: networks.map(() => now),
    },
  })
  const chosen = opened.map((place, at) => place || (alone ? max(floor(layers[at] / 2), 1) : 0))
  const tiles = networks.flatMap(({units}, at) =>
    chosen[at] ? tilesOf(units, chosen[at] - 1, alone ? LEFTS[1] : LEFTS[at]) : [],
  )
  picture.set(`${path}._units`, {
    data: {
      image: tiles.map(tile => tile.image),
      x: tiles.map(tile => tile.x),
      y: tiles.map(tile => tile.y),
      side: tiles.map(tile => tile.side),
    },
  })
  picture.set(`${path}._tiles`, {
    data: {
      left: tiles.map(({x}) => x),
      right: tiles.map(({x, side}) => x + side),
      bottom: tiles.map(({y}) => y),
      top: tiles.map(({y, side}) => y + side),
    },
  })
  showNames(picture, path, networks, opened, chosen, now)
}

/** @param {Picture} picture @param {string} path @param {Points} points @param {number} reach @param {number[]} lefts */
function showPoints(picture, path, points, reach, lefts) {
  const round = points.single ? fround : Number
  const place = (/** @type {number} */ value) => round(round(value / (2 * reach)) + 0.5)
  const x = lefts.flatMap(left => points.x.map(value => round(place(value) + round(left))))
  const y = lefts.flatMap(() => points.y.map(place))
  const classes = lefts.flatMap(() => points.classes)
  const many = points.classes.some(label => label >= MARKS)
  const rows = [...classes.keys()]
  for (let kind = 0; kind < MARKS; kind++) {
    const own = many ? [] : rows.filter(row => classes[row] === kind)
    picture.set(`${path}._points.${kind}`, {data: {x: own.map(row => x[row]), y: own.map(row => y[row])}})
  }
  const digits = many ? {x, y, text: classes.map(String)} : {x: [], y: [], text: []}
  picture.set(`${path}._digits`, {data: digits})
}

/** @param {Picture} picture @param {string} path @param {Drawn[]} networks */
function showCells(picture, path, networks) {
  const cells = networks.flatMap(({kinds}, network) =>
    kinds.map((kind, at) => ({
      kind,
      left: LEFTS[network] + at / kinds.length,
      right: LEFTS[network] + (at + 1) / kinds.length,
      top: STRIP + HEIGHTS[kind] * TALL,
    })),
  )
  for (const name of KINDS) {
    const own = cells.filter(({kind}) => kind === name)
    picture.set(`${path}._cells.${name}`, {
      data: {
        left: own.map(({left}) => left),
        right: own.map(({right}) => right),
        bottom: own.map(() => STRIP),
        top: own.map(({top}) => top),
      },
    })
  }
}

/** @param {Picture} picture @param {string} path @param {Drawn[]} networks @param {number[]} opened @param {number[]} chosen @param {string} now */
function showNames(picture, path, networks, opened, chosen, now) {
  const alone = networks.length === 1
  /** @type {{color: string, x: number, text: string}[]} */
  const titles = [],
    /** @type {[left: number, right: number][]} */
    frames = [],
    /** @type {number[]} */
    notes = []
  for (const [at, {name, color, kinds, answers}] of networks.entries()) {
    const left = LEFTS[at],
      layer = opened[at],
      count = kinds.length
    titles.push({color, x: left, text: layer && !alone ? `${name}, layer ${layer}${now}` : name})
    if (alone) titles.push({color: 'idle', x: LEFTS[1], text: `Units of layer ${chosen[at]}${now}`})
    if (chosen[at]) frames.push([left + (chosen[at] - 1) / count, left + chosen[at] / count])
    if (answers.every(byte => byte === NOTHING) && (alone || !layer)) notes.push(left + 0.5)
  }
  for (const name of COLORS) {
    const own = titles.filter(({color}) => color === name)
    picture.set(`${path}._names.${name}`, {
      data: {x: own.map(({x}) => x), y: own.map(() => NAME), text: own.map(({text}) => text)},
    })
  }
  picture.set(`${path}._looked`, {data: {left: frames.map(([left]) => left), right: frames.map(([, right]) => right)}})
  picture.set(`${path}._notes`, {
    data: {x: notes, y: notes.map(() => 0.5), text: notes.map(() => 'overflowed')},
  })
}

/** Coarse maps of the first units of every layer. @param {Drawn['units']} units */
function glance({values, shape: [layers, units, side]}) {
  const shown = min(units, GLANCE),
    coarse = ceil(side / EVERY)
  const bytes = new Uint8Array(layers * shown * coarse * coarse)
  let at = 0
  for (let layer = 0; layer < layers; layer++)
    for (let unit = 0; unit < shown; unit++)
      for (let row = 0; row < side; row += EVERY)
        for (let column = 0; column < side; column += EVERY)
          bytes[at++] = values[((layer * units + unit) * side + row) * side + column]
  return image(bytes, [layers, shown, coarse, coarse])
}

/** The units of a layer as tiles in a square of side 1, row by row from the top. @param {Drawn['units']} units @param {number} layer @param {number} left */
function tilesOf({values, shape: [, units, side]}, layer, left) {
  const columns = ceil(sqrt(units)),
    cell = 1 / columns,
    size = side * side
  return Array.from({length: units}, (_, at) => ({
    x: left + (at % columns) * cell + TILE_GAP,
    y: 1 - (floor(at / columns) + 1) * cell + TILE_GAP,
    side: cell - 2 * TILE_GAP,
    image: image(values.subarray((layer * units + at) * size, (layer * units + at + 1) * size), [side, side]),
  }))
}

/** @typedef {{point: [x: number, y: number]} | {layer: number}} Pressed a point of the plane, each coordinate from −1 to 1, or a layer, counted from 1 */

/**
 * What a reader presses or, along a strip, drags over.
 * @param {number[]} layers of each network @param {number} layer that is looked into @param {number} x @param {number} y @param {boolean} drags
 * @returns {Pressed | null}
 */
export function pressed(layers, layer, x, y, drags) {
  if (drags && y < STRIP) return null
  const at = floor(x / PITCH),
    along = x - at * PITCH
  const mapped = layers.length ? mappedOf(layers, layer) : [0]
  if (along > 1 || !(mapped.includes(at) || (at >= 0 && at < layers.length))) return null
  if (y >= 0 && y <= 1) return mapped.includes(at) ? {point: [2 * along - 1, 2 * y - 1]} : {layer: 0}
  if (y < STRIP || at >= layers.length) return null
  return {layer: min(floor(along * layers[at]), layers[at] - 1) + 1}
}
