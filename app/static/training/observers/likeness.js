// How alike a network makes different inputs, layer by layer, as in sims/instruments/networks/likeness.py. Sums are taken in
// NumPy's order, so that the same bits come out.
import {sum} from '../engine/numerics/sums.js'

/** @typedef {{start: Float64Array, now: Float64Array}} Likeness each (seeds, layers − 1), row by row, before training and at this step */

/** @typedef {import('./index.js').PerceptronRun} PerceptronRun */

const COMPARED = 64 // test inputs, the first ones

/** @param {PerceptronRun} run @returns {import('./index.js').Observer} */
export function observer(run) {
  const {features, test} = run.data
  const points = new Float32Array(features * COMPARED)
  for (let feature = 0; feature < features; feature++) {
    const from = feature * test.labels.length
    points.set(test.inputs.subarray(from, from + COMPARED), feature * COMPARED)
  }
  const measured = () => Float64Array.from(run.seeds.flatMap((_, seed) => likenessOf(run, points, seed)))
  const start = measured()
  return {now: () => /** @type {Likeness} */ ({start, now: run.step ? measured() : start})}
}

/** @param {PerceptronRun} run @param {Float32Array} points @param {number} seed its place */
function likenessOf(run, points, seed) {
  const {values, shape} = run.layerValues(points, COMPARED, seed)
  return Array.from(meanCosine(values, shape))
}

/**
 * The mean cosine over the pairs of different points of values (layers, units, points), for each layer.
 * @param {Float32Array | Float64Array} values @param {number[]} shape
 */
export function meanCosine(values, [layers, units, points]) {
  return Float64Array.from({length: layers}, (_, layer) => {
    const directions = Float64Array.from(values.subarray(layer * units * points, (layer + 1) * units * points))
    for (let point = 0; point < points; point++) {
      let squares = 0
      for (let at = point; at < directions.length; at += points) squares += square(directions[at])
      const length = Math.sqrt(squares)
      // A vector of zeros has no direction.
      for (let at = point; at < directions.length; at += points)
        directions[at] = length === 0 ? 0 : directions[at] / length
    }
    const sums = Float64Array.from({length: units}, (_, unit) =>
      sum(directions.subarray(unit * points, (unit + 1) * points)),
    )
    // The squared length of the sum of all directions is the sum of all their products, of each with itself included.
    const pairs = sum(sums.map(square)) - sum(directions.map(square))
    return pairs / (points * (points - 1))
  })
}

/** @param {number} value */
const square = value => value * value
