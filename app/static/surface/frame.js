// The surroundings of a surface that depend on the camera: the walls behind it, the axes, and their labels.
import {tick} from '../shared/numbers.js'
import {directions, project, FOOT, TOP} from './camera.js'
import {Lines} from './lines.js'
import {linearTicks} from './scale.js'

/** @typedef {{text: string, x: number, y: number, align: 'left' | 'right' | 'center', title?: boolean, upright?: boolean}} Label */
/** @typedef {import('./camera.js').Vector} Vector */
/** @typedef {import('./index.js').Colors} Colors */
const LEAST = 28 // pixels between two numbers
const SHORTEST = 34 // minimum length in pixels of an axis with numbers
const LETTER = 7,
  LINE = 15 // pixels of a letter, about, and of a line of words
const BESIDE = 10,
  TITLE = 29,
  FARTHEST = 74 // pixels from an axis to its numbers and to its title, which steps aside
const PARALLEL = 0.8 // cosine of the angle from which on an axis looks like a part of the vertical one

// → {lines, labels: [{text, x, y, align, title, upright}]}
/** @param {{camera: import('./camera.js').Camera, m: Float32Array, width: number, height: number, scale: import('./scale.js').Scale, data: {a: number[], b: number[]}, axes: string[], colors: Colors, larger: number}} picture */
export function frame({camera, m, width, height, scale, data, axes, colors, larger}) {
  const {eye} = directions(camera)
  const near = [eye[0] >= 0 ? 1 : -1, eye[1] >= 0 ? 1 : -1]
  const onScreen = (/** @type {Vector} */ point) => project(m, point, width, height)
  const lines = walls(near, scale, colors),
    labels = /** @type {Label[]} */ ([]),
    titles = /** @type {(() => void)[]} */ ([])
  const ends = (/** @type {number[]} */ list) => [list[0], list[list.length - 1]]
  const sides = [
    {range: ends(data.a), title: axes[0], at: (/** @type {number} */ share) => [share, near[1], 0]},
    {range: ends(data.b), title: axes[1], at: (/** @type {number} */ share) => [near[0], share, 0]},
  ]
  const middle = onScreen([0, 0, 0])
  const corner = [
    [near[0], -near[1]],
    [-near[0], near[1]],
  ].sort((one, other) => onScreen([...one, 0])[0] - onScreen([...other, 0])[0])[0]
  const isCorner = (/** @type {Vector} */ [x, y]) => x === corner[0] && y === corner[1]
  const vertical = screen([...corner, FOOT], [...corner, TOP])
  lines.add([...corner, 0], [...corner, TOP], colors.ink, 1.4)
  /** @type {[Vector, string][]} */
  const heights = scale.ticks().map(value => [[...corner, scale.z(value)], scale.text(value)])
  axis({
    from: [...corner, FOOT],
    to: [...corner, TOP],
    ticks: heights,
    title: axes[2],
    away: onScreen([0, 0, TOP / 2]),
    upright: true,
  })
  for (const {
    range: [low, high],
    title,
    at,
  } of sides) {
    /** @type {[Vector, string][]} */
    const ticks = linearTicks(low, high, 4).map(value => [at((2 * (value - low)) / (high - low) - 1), tick(value)])
    axis({from: at(-1), to: at(1), ticks, title, away: middle})
  }
  for (const put of titles) put()
  return {lines: lines.table, labels}

  /** @param {{from: Vector, to: Vector, ticks: [Vector, string][], title: string, away: number[], upright?: boolean}} axis */
  function axis({from, to, ticks, title, away, upright}) {
    const {start, end, length, along} = screen(from, to)
    if (length < SHORTEST) return
    // The numbers of an axis that begins at the foot of the vertical one stay on the floor, and where it goes on in
    // nearly the same direction, it has none: they would be read as heights.
    const below = !upright && vertical.length >= SHORTEST && [from, to].some(isCorner)
    const numbered = !below || Math.abs(along[0] * vertical.along[0] + along[1] * vertical.along[1]) < PARALLEL
    let out = [along[1], -along[0]]
    const center = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]
    if (out[0] * (center[0] - away[0]) + out[1] * (center[1] - away[1]) < 0) out = out.map(value => -value)
    const put = (
      /** @type {string} */ text,
      /** @type {number[]} */ [x, y],
      /** @type {number} */ distance,
      /** @type {{title: boolean} | undefined} */ more = undefined,
    ) => {
      const align = out[0] > 0.35 ? 'left' : out[0] < -0.35 ? 'right' : 'center'
      /** @type {Label} */
      const label = {text, x: x + out[0] * distance, y: y + out[1] * distance, align, upright, ...more}
      if (!labels.some(other => overlap(other, label, larger))) labels.push(label)
      else if (more && distance < FARTHEST * larger) put(text, [x, y], distance + (LINE * larger) / 2, more)
    }
    const every = Math.ceil((LEAST * larger * (ticks.length - 1)) / length) || 1
    ticks.forEach(([place, text], at) => {
      // At the foot of the vertical axis a number would look like one of its own.
      if (numbered && at % every === 0 && (upright || !isCorner(place))) put(text, outermost(place), BESIDE * larger)
    })
    titles.push(() => {
      if (upright) labels.push({text: title, x: end[0] - 4, y: end[1] - 12, align: 'center', title: true, upright})
      else put(title, outermost(from.map((value, at) => (value + to[at]) / 2)), TITLE * larger, {title: true})
    })

    // Seen from above, the walls lean outward over the floor.
    /** @param {Vector} place */
    function outermost([x, y, z]) {
      const far = (/** @type {number[]} */ [u, v]) => u * out[0] + v * out[1]
      const [low, high] = [onScreen([x, y, z]), onScreen([x, y, TOP])]
      return upright || below || far(low) > far(high) ? low : high
    }
  }

  // An edge as it is seen: its ends, its length and its direction.
  /** @param {Vector} from @param {Vector} to */
  function screen(from, to) {
    const [start, end] = [onScreen(from), onScreen(to)],
      length = Math.hypot(end[0] - start[0], end[1] - start[1])
    return {start, end, length, along: [(end[0] - start[0]) / length, (end[1] - start[1]) / length]}
  }
}

/** @param {Label} one @param {Label} other @param {number} larger */
function overlap(one, other, larger) {
  const span = (/** @type {Label} */ {text, x, align}) => {
    const long = LETTER * larger * text.length,
      from = x - {left: 0, center: long / 2, right: long}[align]
    return [from, from + long]
  }
  const [[a, b], [c, d]] = [span(one), span(other)]
  return Math.abs(one.y - other.y) < LINE * larger && a < d && c < b
}

// The two rear walls, with a line for every number of the vertical axis.
/** @param {number[]} near @param {import('./scale.js').Scale} scale @param {Colors} colors */
function walls(near, scale, colors) {
  const lines = new Lines(),
    [x, y] = [-near[0], -near[1]]
  for (const z of [...scale.ticks().map(value => scale.z(value)), TOP]) {
    lines.add([x, -1, z], [x, 1, z], colors.rule, 1)
    lines.add([-1, y, z], [1, y, z], colors.rule, 1)
  }
  lines.add([x, y, 0], [x, y, TOP], colors.rule, 1)
  return lines
}
