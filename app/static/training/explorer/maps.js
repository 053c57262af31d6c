// Maps of a network over the plane, as bytes: its answers, its units, and what it can be fed. As in
// sims/instruments/networks/decision_map.py and unit_maps.py, in the same precision.
import {FEATURES, computed} from '../datasets.js'
import {exponential} from '../engine/numerics/singles.js'

const {abs, fround, max, min, trunc} = Math

export const SIDE = 64, // points along each side of a map of answers
  UNIT_SIDE = 20,
  FEATURE_SIDE = 16
export const MOST = 9 // units of a layer that are mapped
const LEVELS = 16 // of confidence
/** The byte of a point where the answer is not finite. */
export const NOTHING = 255
const BROKEN = 0,
  REST = 128

/** The nearest whole number; halves are rounded to even ones. @param {number} value */
export function nearest(value) {
  const low = Math.floor(value),
    rest = value - low
  if (rest === 0.5) return low % 2 ? low + 1 : low
  return rest < 0.5 ? low : low + 1
}

/** Points (2, side²) at the cell centers of the square ±`reach`, row by row from the lowest. @param {number} reach @param {number} side */
export function grid(reach, side) {
  const points = new Float32Array(2 * side * side)
  const middle = Float32Array.from({length: side}, (_, at) => (((at + 0.5) / side) * 2 - 1) * reach)
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      points[row * side + column] = middle[column]
      points[side * side + row * side + column] = middle[row]
    }
  return points
}

/** A byte, LEVELS · class + confidence, for every point of outputs (classes, points). @param {Float32Array} outputs @param {number} classes */
export function answerMap(outputs, classes) {
  const count = outputs.length / classes
  const bytes = new Uint8Array(count).fill(NOTHING)
  const least = fround(1 / classes),
    span = fround(1 - 1 / classes)
  for (let at = 0; at < count; at++) {
    let answer = 0,
      finite = true
    for (let place = 0; place < classes; place++) {
      const output = outputs[place * count + at]
      finite &&= Number.isFinite(output)
      if (output > outputs[answer * count + at]) answer = place
    }
    if (!finite) continue
    const largest = outputs[answer * count + at]
    let sum = 0
    for (let place = 0; place < classes; place++)
      sum = fround(sum + exponential(fround(outputs[place * count + at] - largest)))
    const share = fround(fround(fround(1 / sum) - least) / span)
    bytes[at] = answer * LEVELS + trunc(min(max(fround(share * LEVELS), 0), LEVELS - 1))
  }
  return bytes
}

/** The share of a map that its most common class covers. @param {Uint8Array} map */
export function shareOfCommonest(map) {
  const counts = new Array(LEVELS).fill(0)
  for (const byte of map) counts[byte >> 4] += 1
  return max(...counts) / map.length
}

/** Maps of values (…, points), each in parts of its largest size. @param {Float32Array} values @param {number} points */
function inParts(values, points) {
  const bytes = new Uint8Array(values.length)
  for (let first = 0; first < values.length; first += points) {
    let largest = 0
    for (let at = first; at < first + points; at++)
      if (Number.isFinite(values[at])) largest = max(largest, abs(values[at]))
    for (let at = first; at < first + points; at++)
      bytes[at] = Number.isFinite(values[at]) ? REST + nearest(127 * (values[at] / (largest || 1))) : BROKEN
  }
  return bytes
}

/**
 * Maps (layers, units, UNIT_SIDE, UNIT_SIDE) of the first units of every layer, MOST at most.
 * @param {{values: Float32Array, shape: number[]}} layers values (layers, units, points)
 */
export function unitMaps({values, shape: [layers, units, points]}) {
  const shown = min(units, MOST)
  const chosen = new Float32Array(layers * shown * points)
  for (let layer = 0; layer < layers; layer++)
    chosen.set(values.subarray(layer * units * points, (layer * units + shown) * points), layer * shown * points)
  return {bytes: inParts(chosen, points), shape: [layers, shown, UNIT_SIDE, UNIT_SIDE]}
}

/** Maps (functions, FEATURE_SIDE, FEATURE_SIDE) of all that a network can be fed. @param {number} reach */
export const featureMaps = reach => inParts(computed(grid(reach, FEATURE_SIDE), FEATURES), FEATURE_SIDE ** 2)
