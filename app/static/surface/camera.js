// Where things stand in the box of a surface, and where the camera sees them. The box reaches from -1 to 1 to both
// sides and from the floor at 0 up to TOP; the sphere around it always fits into the picture.
export const TOP = 1.15
export const FOOT = 0.3 // the lowest height is drawn here, so that the floor can be seen below the surface
export const RADIUS = Math.hypot(1, 1, TOP / 2)
export const HOME = Object.freeze({turn: -0.62, tilt: 0.56, zoom: 1})

const OPENING = 0.42 // of the lens, radians
const DISTANCE = RADIUS / Math.sin(OPENING / 2)
const NEAR = DISTANCE - 1.1 * RADIUS, FAR = DISTANCE + 1.1 * RADIUS
const TILTS = [0.06, 1.55], ZOOMS = [0.6, 4]
const MARGIN_X = 46, MARGIN_Y = 26 // pixels for the words around the box
const SIDEWAYS = Math.tan(OPENING / 2) / (Math.SQRT2 / Math.sqrt(DISTANCE ** 2 - 2)) // the box is slimmer than its sphere

const clamp = (value, [low, high]) => Math.min(high, Math.max(low, value))

export function moved(camera, {turn = 0, tilt = 0, zoom = 1}) {
  return {
    turn: (camera.turn + turn) % (2 * Math.PI),
    tilt: clamp(camera.tilt + tilt, TILTS),
    zoom: clamp(camera.zoom * zoom, ZOOMS),
  }
}

// Unit vectors: to the right and up on the screen, and from the box to the eye.
export function directions({turn, tilt}) {
  const [s, c, S, C] = [Math.sin(turn), Math.cos(turn), Math.sin(tilt), Math.cos(tilt)]
  return {right: [c, s, 0], up: [-s * S, c * S, C], eye: [s * C, -c * C, S]}
}

// A matrix, column by column, from the box to clip space for a picture of that size.
export function matrix(camera, width, height) {
  const {right, up, eye} = directions(camera)
  const radius = Math.max(20, Math.min((width / 2 - MARGIN_X) * SIDEWAYS, height / 2 - MARGIN_Y))
  const focus = radius / Math.tan(OPENING / 2) * camera.zoom
  const [x, y] = [2 * focus / width, 2 * focus / height]
  const center = TOP / 2
  const rows = [
    [...right.map(each => each * x), -right[2] * center * x],
    [...up.map(each => each * y), -up[2] * center * y],
    null,
    [...eye.map(each => -each), DISTANCE + eye[2] * center],
  ]
  const scale = (FAR + NEAR) / (FAR - NEAR), shift = -2 * FAR * NEAR / (FAR - NEAR)
  rows[2] = rows[3].map((each, at) => each * scale + (at === 3 ? shift : 0))
  return new Float32Array([0, 1, 2, 3].flatMap(column => rows.map(row => row[column])))
}

// Pixels from the left and the top, and a depth that grows away from the eye.
export function project(m, [x, y, z], width, height) {
  const w = m[3] * x + m[7] * y + m[11] * z + m[15]
  const at = row => (m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]) / w
  return [(at(0) + 1) * width / 2, (1 - at(1)) * height / 2, at(2)]
}
