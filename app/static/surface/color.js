// Color ramps of one hue, perceptually uniform: computed in OKLab (Ottosson 2020). Low losses have the strongest color,
// high ones fade toward the page, in both themes.
export const STEPS = 16

// Most of a surface is low, so that the shades change fastest there.
const BEND = 0.6

const DAY = {lightness: [0.54, 0.95], chroma: [1, 0.22]}
const NIGHT = {lightness: [0.88, 0.34], chroma: [0.85, 0.35]}

/** @param {number} byte */
const linear = byte => (byte <= 0.04045 ? byte / 12.92 : ((byte + 0.055) / 1.055) ** 2.4)
/** @param {number} light */
const gamma = light => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)
/** @param {number[]} row @param {number[]} values */
const dot = (row, values) => row[0] * values[0] + row[1] * values[1] + row[2] * values[2]

const TO_CONES = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const TO_LAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
const FROM_LAB = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
]
const FROM_CONES = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
]

// '#rrggbb' → three shares
/** @param {string} hex */
export function parse(hex) {
  return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16) / 255)
}

/** @param {number[]} rgb */
export function toLab(rgb) {
  const cones = TO_CONES.map(row => Math.cbrt(dot(row, rgb.map(linear))))
  return TO_LAB.map(row => dot(row, cones))
}

/** @param {number[]} lab */
export function fromLab(lab) {
  const cones = FROM_LAB.map(row => dot(row, lab) ** 3)
  return FROM_CONES.map(row => Math.min(1, Math.max(0, gamma(Math.max(0, dot(row, cones))))))
}

// STEPS colors in one array, from the lowest to the highest value.
/** @param {string} hex @param {boolean} dark */
export function ramp(hex, dark) {
  const [, a, b] = toLab(parse(hex)),
    look = dark ? NIGHT : DAY
  const between = (/** @type {number[]} */ [from, to], /** @type {number} */ share) => from + (to - from) * share
  return new Float32Array(
    Array.from({length: STEPS}, (_, at) => {
      const share = (at / (STEPS - 1)) ** BEND,
        chroma = between(look.chroma, share)
      return fromLab([between(look.lightness, share), a * chroma, b * chroma])
    }).flat(),
  )
}

/** @param {ArrayLike<number>} colors @param {number} share */
export function onRamp(colors, share) {
  const place = Math.min(1, Math.max(0, share)) * (STEPS - 1),
    at = Math.min(STEPS - 2, Math.floor(place))
  return [0, 1, 2].map(
    channel => colors[3 * at + channel] + (colors[3 * at + 3 + channel] - colors[3 * at + channel]) * (place - at),
  )
}
