// The parts of one surface that do not depend on the camera: the mesh, and lines in three layers. `behind` never hides
// the surface, `on` lies on it, `through` is also faintly visible where the surface hides it.
import {ramp} from './color.js'
import {Lines} from './lines.js'
import {contour, corners, mesh} from './mesh.js'

/** @typedef {import('./index.js').Colors} Colors */
/** @typedef {import('./camera.js').Vector} Vector */
/** @typedef {import('./scale.js').Scale} Scale */
/** @typedef {{rows: number, columns: number, a: ArrayLike<number>, b: ArrayLike<number>}} Grid */
/** @typedef {{surface: import('./mesh.js').Mesh, ramp: Float32Array, place: (point: number[]) => Vector, behind: Float32Array, on: Float32Array, through: Float32Array}} Scene */
const LEVELS = 12
const DROPS = 14 // approximate number of lines from a track to the floor

// data: {rows, columns, a, b, values, track, ball}, where paths are lists of [a, b, loss]; colors: {hue, ink, soft,
// rule, edge, panel} as shares of red, green and blue, but the hue as text.
/** @param {Grid & {values: ArrayLike<number>, track: number[][]}} data @param {Scale} scale @param {Colors & {hue: string}} colors @param {boolean} dark @returns {Scene} */
export function scene(data, scale, colors, dark) {
  const {rows, columns, a, b} = data
  const surface = mesh(rows, columns, a, b, data.values, scale)
  const behind = new Lines(),
    on = new Lines(),
    through = new Lines()
  floor(behind, surface, colors)
  for (const z of scale.levels(LEVELS))
    for (const [x, y, u, v] of contour(surface, z)) {
      behind.add([x, y, 0], [u, v, 0], colors.soft, 1, {alpha: 0.6, lift: 0.001})
      on.add([x, y, z], [u, v, z], colors.ink, 1, {alpha: 0.32, lift: 0.002})
    }
  const place = placer(data, scale)
  const track = data.track.map(place)
  way(through, behind, track, colors)
  const every = Math.ceil(track.length / DROPS)
  track.forEach((point, at) => {
    through.dot(point, colors.ink, 5, {lift: 0.03})
    if (at % every === 0 || at === track.length - 1) drop(through, point, colors)
  })
  return {
    surface,
    ramp: ramp(colors.hue, dark),
    place,
    behind: behind.table,
    on: on.table,
    through: through.table,
  }
}

// [a, b, loss] → the box
/** @param {Grid} grid @param {Scale} scale @returns {(point: number[]) => Vector} */
export function placer({rows, columns, a, b}, scale) {
  const across =
    (/** @type {ArrayLike<number>} */ list, /** @type {number} */ low, /** @type {number} */ high) =>
    (/** @type {number} */ value) =>
      (2 * (value - list[low])) / (list[high] - list[low]) - 1
  const x = across(a, 0, columns - 1),
    y = across(b, 0, columns * (rows - 1))
  return ([first, second, loss]) => [x(first), y(second), scale.z(loss)]
}

// A line with an outline that stands out from any surface, and its shadow on the floor.
/** @param {Lines} through @param {Lines} behind @param {Vector[]} points @param {Colors} colors */
export function way(through, behind, points, colors) {
  for (let at = 1; at < points.length; at++) {
    const [from, to] = [points[at - 1], points[at]]
    through.add(from, to, colors.panel, 5, {lift: 0.008})
    if ([...from, ...to].every(Number.isFinite))
      behind.add([from[0], from[1], 0], [to[0], to[1], 0], colors.ink, 1.6, {alpha: 0.55, lift: 0.002})
  }
  for (let at = 1; at < points.length; at++) through.add(points[at - 1], points[at], colors.ink, 2.4, {lift: 0.01})
}

/** @param {Lines} lines @param {Vector} point @param {Colors} colors */
export function drop(lines, [x, y, z], colors) {
  lines.dashed([x, y, z], [x, y, 0], colors.ink, 1.1, {alpha: 0.7, lift: 0.003}, 0.02)
}

// The floor with its grid; below open cells it is hatched.
/** @param {Lines} lines @param {import('./mesh.js').Mesh} mesh @param {Colors} colors */
function floor(lines, {columns, positions, open}, colors) {
  for (let at = -4; at <= 4; at++) {
    const rim = Math.abs(at) === 4
    const color = rim ? colors.edge : colors.rule
    lines.add([at / 4, -1, 0], [at / 4, 1, 0], color, 1).add([-1, at / 4, 0], [1, at / 4, 0], color, 1)
  }
  for (const cell of open) {
    const [low, , high] = corners(cell, columns).map(corner => [positions[3 * corner], positions[3 * corner + 1]])
    const wide = high[0] - low[0],
      deep = high[1] - low[1]
    const strokes = Math.max(1, Math.round(wide / 0.045))
    for (let at = 0; at < strokes; at++) {
      const share = (at + 0.5) / strokes
      for (const [from, to] of [
        [
          [share, 0],
          [0, share],
        ],
        [
          [1, share],
          [share, 1],
        ],
      ])
        lines.add(
          [low[0] + wide * from[0], low[1] + deep * from[1], 0],
          [low[0] + wide * to[0], low[1] + deep * to[1], 0],
          colors.edge,
          1,
          {lift: 0.0005},
        )
    }
  }
}
