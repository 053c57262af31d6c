// A network's stream, layers and skips, with a mark for each gradient: what app/pictures/diagrams/network_diagram.py does when
// it is shown.
import {number} from '../../shared/numbers.js'
import {KINDS, middle} from './gradient-health.js'

const STREAM = 1,
  LAYERS = 0 // heights of the two rows
const LARGEST = 13,
  SMALLEST = 4,
  ROOM = 300 // pixels
/** Position of the norm along the branch, 0 to 1. @type {Record<string, number>} */
const NORM_AT = {batch: 0.72, 'pre-layer': 0.28}

/** @typedef {{x: number, y: number}} Place */
/** @typedef {{weights: Float64Array, stream: Float64Array, kinds: string[], sizes: number[]}} Gradients kinds of the weights' and then of the stream's, and the root mean squares of the stream */

/**
 * @param {import('../pictures/picture.js').Picture} picture @param {string} path
 * @param {{skip: string, norm: string, perBlock: number}} network @param {Gradients} gradients
 */
export function showDiagram(picture, path, {skip, norm, perBlock}, {weights, stream, kinds, sizes}) {
  const depth = weights.length
  const layers = Array.from(weights, (_, at) => 1 + at)
  const nodes = Array.from({length: Math.ceil((depth - 1) / perBlock)}, (_, at) => 1.5 + at * perBlock)
  drawNetwork(picture, path, {depth, blocks: stream.length - 1, perBlock, skip, norm, layers, nodes})
  const level = middle(weights),
    streamLevel = middle(stream)
  const marks = [
    ...Array.from(weights, (norm, at) => ({
      ...{x: layers[at], y: LAYERS, norm, against: norm / level},
      what: `layer ${at + 1} of ${depth}, its weights`,
    })),
    ...Array.from(stream, (norm, at) => ({
      ...{x: nodes[at], y: STREAM, norm, against: norm / streamLevel},
      what: `stream after ${at ? `block ${at}` : 'the stem'} (root mean square ${number(sizes[at])})`,
    })),
  ]
  for (const kind of KINDS) {
    const own = marks.filter((_, at) => kinds[at] === kind)
    picture.set(`${path}._marks.${kind}`, {
      data: {
        x: own.map(({x}) => x),
        y: own.map(({y}) => y),
        what: own.map(({what}) => what),
        norm: own.map(({norm}) => number(norm)),
        against: own.map(({against}) => `× ${number(against, 2)}`),
      },
    })
  }
}

/**
 * All that depends only on the architecture.
 * @param {import('../pictures/picture.js').Picture} picture @param {string} path
 * @param {{depth: number, blocks: number, perBlock: number, skip: string, norm: string, layers: number[], nodes: number[]}} network
 */
function drawNetwork(picture, path, {depth, blocks, perBlock, skip, norm, layers, nodes}) {
  picture.set(`${path}.figure.x_range`, {start: 0.2, end: depth + 0.8})
  for (const place of KINDS.keys())
    picture.set(`${path}._sizes.${place}`, {size: Math.max(SMALLEST, Math.min(LARGEST, ROOM / depth))})
  picture.set(`${path}._norm_bar`, {size: Math.max(2, Math.min(5, ROOM / depth / 2))})
  const inner = layers.slice(1, -1)
  const firsts = inner.filter((_, at) => at % perBlock === 0),
    lasts = layers.slice(perBlock, -1).filter((_, at) => at % perBlock === 0)
  /** @param {number[]} x0 @param {number} y0 @param {number[]} x1 @param {number} y1 */
  const lines = (x0, y0, x1, y1) => x0.map((x, at) => ({x0: x, y0, x1: x1[at], y1}))
  const before = nodes.slice(0, -1),
    after = nodes.slice(1),
    end = /** @type {number} */ (nodes.at(-1))
  segments(picture, `${path}._wires`, [
    {x0: layers[0], y0: LAYERS, x1: nodes[0], y1: STREAM},
    {x0: end, y0: STREAM, x1: layers[depth - 1], y1: LAYERS},
  ])
  segments(picture, `${path}._branches`, [
    ...lines(before, STREAM, firsts, LAYERS),
    ...lines(firsts, LAYERS, lasts, LAYERS),
    ...lines(lasts, LAYERS, after, STREAM),
  ])
  picture.set(`${path}._branch`, {line_dash: skip === 'rezero' ? 'dotted' : 'solid'})
  picture.set(`${path}._arc`, {
    line_dash: skip === 'highway' ? 'dashed' : 'solid',
    line_width: blocks <= 24 ? 2.2 : 1.3,
  })
  const left = skip === 'none' ? [] : before
  const right = skip === 'dense' ? before.map(() => end) : after
  const longest = Math.max(perBlock, skip === 'dense' ? depth : 0)
  picture.set(`${path}._arcs`, {
    data: {
      x0: left,
      x1: left.map((_, at) => right[at]),
      cx: left.map((x, at) => (x + right[at]) / 2),
      cy: left.map((x, at) => STREAM + 1.3 * Math.sqrt((right[at] - x) / longest)),
    },
  })
  const norms = normsOf(norm, layers, nodes, firsts)
  picture.set(`${path}._norms`, {data: {x: norms.map(({x}) => x), y: norms.map(({y}) => y)}})
}

/** @param {import('../pictures/picture.js').Picture} picture @param {string} path @param {{x0: number, y0: number, x1: number, y1: number}[]} lines */
function segments(picture, path, lines) {
  const data = {
    x0: lines.map(({x0}) => x0),
    y0: lines.map(({y0}) => y0),
    x1: lines.map(({x1}) => x1),
    y1: lines.map(({y1}) => y1),
  }
  picture.set(path, {data})
}

/** @param {string} norm @param {number[]} layers @param {number[]} nodes @param {number[]} firsts @returns {Place[]} */
function normsOf(norm, layers, nodes, firsts) {
  if (norm === 'post-layer') return nodes.slice(1).map(x => ({x, y: STREAM - 0.22}))
  if (!(norm in NORM_AT)) return []
  const way = NORM_AT[norm]
  if (norm === 'pre-layer')
    return firsts.map((first, at) => ({x: nodes[at] + way * (first - nodes[at]), y: STREAM - way}))
  return layers.slice(0, -1).map(x => ({x: x + 0.5 * (1 - way), y: LAYERS + (1 - way)}))
}
