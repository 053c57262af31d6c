/** @typedef {{turn: number, tilt: number, zoom: number}} Camera radians around and up, and how close */
/** @typedef {number[]} Vector x, y and z in the box */

// Coordinates in the box of a surface, and its projection by the camera. The box extends from -1 to 1 sideways, and
// from the floor at 0 up to TOP. Its size on screen is the same for any turn, and it always fits into the picture.
export const TOP = 1.15
export const FOOT = 0.3 // height of the lowest value, so that the floor can be seen below the surface
export const RADIUS = Math.hypot(1, 1, TOP / 2)
/** @type {Readonly<Camera>} */
export const HOME = Object.freeze({turn: -0.62, tilt: 0.56, zoom: 1})

const OPENING = 0.42 // field of view, radians
const DISTANCE = RADIUS / Math.sin(OPENING / 2)
const NEAR = DISTANCE - 1.1 * RADIUS,
  FAR = DISTANCE + 1.1 * RADIUS
const TILTS = [0.06, 1.55],
  ZOOMS = [0.6, 4]
const ASIDE = 24,
  ABOVE = 44,
  BELOW = 26 // pixels for the words around the box
const TURNS = 8 // angles in a quarter of a turn, after which the box looks the same
const SHORTEST = 100 // minimum focal length in pixels

/** @param {number} value @param {number[]} ends */
const clamp = (value, [low, high]) => Math.min(high, Math.max(low, value))

/** @param {Camera} camera @param {Partial<Camera>} by @returns {Camera} */
export function moved(camera, {turn = 0, tilt = 0, zoom = 1}) {
  return {
    turn: (camera.turn + turn) % (2 * Math.PI),
    tilt: clamp(camera.tilt + tilt, TILTS),
    zoom: clamp(camera.zoom * zoom, ZOOMS),
  }
}

// Unit vectors: to the right and up on the screen, and from the box to the eye.
/** @param {Omit<Camera, 'zoom'>} camera @returns {{right: Vector, up: Vector, eye: Vector}} */
export function directions({turn, tilt}) {
  const [s, c, S, C] = [Math.sin(turn), Math.cos(turn), Math.sin(tilt), Math.cos(tilt)]
  return {right: [c, s, 0], up: [-s * S, c * S, C], eye: [s * C, -c * C, S]}
}

// The extent of the box to the side, up and down at that tilt for any turn, for a focal length of 1.
/** @param {number} tilt */
function measured(tilt) {
  const extent = {tilt, aside: 0, up: 0, down: 0}
  for (let at = 0; at < TURNS; at++) {
    const {right, up, eye} = directions({turn: ((at / TURNS) * Math.PI) / 2, tilt})
    for (const corner of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const place = [corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, ((corner & 4 ? 1 : -1) * TOP) / 2]
      const along = (/** @type {Vector} */ way) => way.reduce((sum, value, axis) => sum + value * place[axis], 0)
      const far = DISTANCE - along(eye),
        [x, y] = [along(right) / far, along(up) / far]
      extent.aside = Math.max(extent.aside, Math.abs(x))
      extent.up = Math.max(extent.up, y)
      extent.down = Math.max(extent.down, -y)
    }
  }
  return extent
}

let last = measured(HOME.tilt)
/** @param {number} tilt */
const reach = tilt => (last.tilt === tilt ? last : (last = measured(tilt)))

// A matrix, column by column, from the box to clip space for a picture of that size, whose words are `larger` than usual.
/** @param {Camera} camera @param {number} width @param {number} height @param {number} [larger] */
export function matrix(camera, width, height, larger = 1) {
  const {right, up, eye} = directions(camera),
    box = reach(camera.tilt)
  const [aside, above, below] = [ASIDE, ABOVE, BELOW].map(pixels => pixels * larger)
  const free = height - above - below
  const lens = Math.max(SHORTEST, Math.min((width / 2 - aside) / box.aside, free / (box.up + box.down))) * camera.zoom
  const [x, y] = [(2 * lens) / width, (2 * lens) / height]
  const center = TOP / 2
  const lift = (below - above) / height - ((box.up - box.down) / 2) * y // centers the visible part
  const far = [...eye.map(value => -value), DISTANCE + eye[2] * center]
  const rows = [
    [...right.map(value => value * x), -right[2] * center * x],
    [...up.map(value => value * y), -up[2] * center * y].map((value, at) => value + lift * far[at]),
    [0, 0, 0, 0], // the depth, which follows from the distance
    far,
  ]
  const scale = (FAR + NEAR) / (FAR - NEAR),
    shift = (-2 * FAR * NEAR) / (FAR - NEAR)
  rows[2] = rows[3].map((value, at) => value * scale + (at === 3 ? shift : 0))
  return new Float32Array([0, 1, 2, 3].flatMap(column => rows.map(row => row[column])))
}

// Pixels from the left and the top, and a depth that increases away from the eye.
/** @param {ArrayLike<number>} m @param {Iterable<number>} point @param {number} width @param {number} height @returns {[x: number, y: number, depth: number]} */
export function project(m, [x, y, z], width, height) {
  const w = m[3] * x + m[7] * y + m[11] * z + m[15]
  const at = (/** @type {number} */ row) => (m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]) / w
  return [((at(0) + 1) * width) / 2, ((1 - at(1)) * height) / 2, at(2)]
}
