/**
 * @typedef {object} Mesh
 * @property {number} rows
 * @property {number} columns
 * @property {Float32Array} positions x, y, z of every point in the box
 * @property {Float32Array} shares of the vertical axis
 * @property {Float32Array} normals
 * @property {Uint32Array} triangles
 * @property {number[]} closed the first corners of the cells that are drawn
 * @property {number[]} open and of those with a point that is not finite
 * @property {Float32Array} [places] column and row of every point, once they are painted
 */

// A grid of heights → points, normals and triangles. A cell with a point that is not finite stays open.
/** @param {number} rows @param {number} columns @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {ArrayLike<number>} values @param {import('./scale.js').Scale} scale @returns {Mesh} */
export function mesh(rows, columns, a, b, values, scale) {
  const count = rows * columns
  const positions = new Float32Array(3 * count),
    shares = new Float32Array(count)
  const spread = (
    /** @type {ArrayLike<number>} */ list,
    /** @type {number} */ from,
    /** @type {number} */ step,
    /** @type {number} */ length,
  ) => {
    const low = list[from],
      high = list[from + step * (length - 1)]
    return (/** @type {number} */ at) => (2 * (list[from + step * at] - low)) / (high - low) - 1
  }
  const x = spread(a, 0, 1, columns),
    y = spread(b, 0, columns, rows)
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, at++) {
      positions.set([x(column), y(row), scale.z(values[at])], 3 * at)
      shares[at] = scale.share(values[at])
    }
  /** @type {number[]} */
  const closed = []
  /** @type {number[]} */
  const open = []
  for (let row = 0; row + 1 < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const at = row * columns + column
      const whole = corners(at, columns).every(corner => Number.isFinite(shares[corner]))
      ;(whole ? closed : open).push(at)
    }
  const triangles = new Uint32Array(
    closed.flatMap(at => [at, at + 1, at + columns, at + 1, at + columns + 1, at + columns]),
  )
  return {rows, columns, positions, shares, normals: normals(rows, columns, positions), triangles, closed, open}
}

/** @param {number} at @param {number} columns */
export const corners = (at, columns) => [at, at + 1, at + columns + 1, at + columns]

// Slopes between the nearest finite neighbors on both sides.
/** @param {number} rows @param {number} columns @param {Float32Array} positions */
function normals(rows, columns, positions) {
  const vectors = new Float32Array(positions.length)
  const slope = (
    /** @type {number} */ at,
    /** @type {number} */ before,
    /** @type {number} */ after,
    /** @type {number} */ axis,
  ) => {
    const isKnown = (/** @type {number} */ index) => index >= 0 && Number.isFinite(positions[3 * index + 2])
    const from = isKnown(before) ? before : at,
      to = isKnown(after) ? after : at
    return from === to
      ? 0
      : (positions[3 * to + 2] - positions[3 * from + 2]) / (positions[3 * to + axis] - positions[3 * from + axis])
  }
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, at++) {
      const dx = slope(at, column ? at - 1 : -1, column + 1 < columns ? at + 1 : -1, 0)
      const dy = slope(at, row ? at - columns : -1, row + 1 < rows ? at + columns : -1, 1)
      const length = Math.hypot(dx, dy, 1)
      vectors.set([-dx / length, -dy / length, 1 / length], 3 * at)
    }
  return vectors
}

// Line segments [x, y, x, y] where the surface has this height, on both triangles of every closed cell.
/** @param {Pick<Mesh, 'positions' | 'triangles'>} mesh @param {number} height */
export function contour({positions, triangles}, height) {
  /** @type {number[][]} */
  const pieces = []
  for (let at = 0; at < triangles.length; at += 3) {
    /** @type {number[]} */
    const cut = []
    for (let side = 0; side < 3; side++) {
      const from = 3 * triangles[at + side],
        to = 3 * triangles[at + ((side + 1) % 3)]
      const below = positions[from + 2] < height
      if (below === positions[to + 2] < height) continue
      const share = (height - positions[from + 2]) / (positions[to + 2] - positions[from + 2])
      cut.push(...[0, 1].map(axis => positions[from + axis] + share * (positions[to + axis] - positions[from + axis])))
    }
    if (cut.length === 4) pieces.push(cut)
  }
  return pieces
}

// The grid point shown at a pixel: of the surface if it is there, else of the floor; null outside of both.
/** @param {Pick<Mesh, 'rows' | 'columns' | 'triangles'>} surface @param {number[][]} onScreen @param {number[][]} onFloor @param {number} px @param {number} py */
export function pick(surface, onScreen, onFloor, px, py) {
  const {rows, columns, triangles} = surface
  let best = null,
    depth = Infinity
  for (let at = 0; at < triangles.length; at += 3) {
    const three = [0, 1, 2].map(corner => onScreen[triangles[at + corner]])
    const shares = within(three, px, py)
    if (!shares) continue
    const z = shares.reduce((sum, share, corner) => sum + share * three[corner][2], 0)
    if (z < depth) {
      depth = z
      best = triangles[at + shares.indexOf(Math.max(...shares))]
    }
  }
  if (best !== null) return best
  for (let row = 0; row + 1 < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const four = corners(row * columns + column, columns)
      for (const three of [
        [four[0], four[1], four[2]],
        [four[0], four[2], four[3]],
      ]) {
        const shares = within(
          three.map(corner => onFloor[corner]),
          px,
          py,
        )
        if (shares) return three[shares.indexOf(Math.max(...shares))]
      }
    }
  return null
}

// Weights of the corners of a triangle at a point in it; null outside.
/** @param {number[][]} corners @param {number} x @param {number} y */
function within([p, q, r], x, y) {
  const area = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])
  if (!area) return null
  const second = ((x - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (y - p[1])) / area
  const third = ((q[0] - p[0]) * (y - p[1]) - (x - p[0]) * (q[1] - p[1])) / area
  const first = 1 - second - third
  return Math.min(first, second, third) >= 0 ? [first, second, third] : null
}
