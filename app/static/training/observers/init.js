// Branches that start in special ways, and how far two networks are apart that begin as the same function: as in
// sims/comparisons/branch_starts.py, sims/simulations/design_choices/init.py and
// sims/instruments/networks/decision_map.py.
import {Generator} from '../engine/numerics/draws.js'
import {initialParameters} from '../engine/perceptrons/initialization.js'
import {lastOfBranches, layoutOf} from '../engine/perceptrons/layout.js'
import {PerceptronRun} from '../engine/perceptrons/run.js'
import {sum} from '../engine/numerics/sums.js'
import {CURVE, SEEN, SIDE} from '../figures/init.js'

/** @typedef {import('./index.js').Beginning} Beginning */
/** @typedef {{apart: Float32Array, compared: Int32Array, maps: Int8Array}} Distances (comparisons, seeds), row by row, the steps of the comparisons, and classes (moments, 2, SIDE, SIDE) on a plane */

/** The standard deviation of GPT-2's initial weights times the root of the width of its smallest model. */
const SPREAD = 0.02 * 768 ** 0.5
const EARLY = [0, 1, 2, 3, 5, 8, 10] // steps with comparisons besides those of the records

/** @param {string} name @param {Beginning} beginning */
export function begin(name, {engine, ziggurat, network, points}) {
  if (name !== 'small' && name !== 'gpt2') return null
  const {architecture, recipe, seeds} = network
  const layout = layoutOf(architecture, points.features, points.classes)
  const parameters = new Float32Array(seeds.length * layout.size)
  for (const [place, seed] of seeds.entries()) {
    const own = initialParameters(architecture, layout, seed, ziggurat)
    if (name === 'gpt2') {
      const random = new Generator([seed, 0], ziggurat)
      for (const {rows, columns, weight} of layout.layers)
        own.set(random.normal(SPREAD * architecture.width ** -0.5, rows * columns), weight)
    }
    for (const {rows, columns, weight} of lastOfBranches(layout))
      for (let at = weight; at < weight + rows * columns; at++) own[at] *= layout.blocks ** -0.5
    parameters.set(own, place * layout.size)
  }
  return new PerceptronRun(engine, architecture, recipe, points, seeds, ziggurat, parameters)
}

/** @param {PerceptronRun} run @param {Values} settings @param {Record<string, PerceptronRun>} runs @returns {import('./index.js').Observer | null} */
export function observer(run, {training_steps: steps}, {small, multiplied}) {
  if (run !== multiplied) return null
  const interval = Math.floor(Number(steps) / CURVE)
  const plane = planeOfInputs(run.data.test)
  const both = () => [small, multiplied].map(network => classesOnPlane(network, plane))
  const apart = distances(small, multiplied),
    compared = [0],
    maps = both()
  return {
    pause(step) {
      const regular = (Math.floor(step / interval) + 1) * interval
      return Math.min(regular, ...EARLY.filter(early => early > step))
    },
    paused() {
      if (run.step % interval && !EARLY.includes(run.step)) return
      apart.push(...distances(small, multiplied))
      compared.push(run.step)
      if (SEEN.includes(run.step)) maps.push(...both())
    },
    now() {
      const every = SEEN.includes(run.step) ? maps : [...maps, ...both()]
      const classes = Int8Array.from(every.flatMap(map => Array.from(map)))
      return /** @type {Distances} */ ({
        apart: Float32Array.from(apart),
        compared: Int32Array.from(compared),
        maps: classes,
      })
    },
  }
}

/** Points (features, SIDE²) of the plane through the first three. @param {import('../engine/data.js').Part} part */
function planeOfInputs({inputs, labels}) {
  const count = labels.length,
    features = inputs.length / count
  const points = new Float32Array(features * SIDE ** 2)
  const along = Array.from({length: SIDE}, (_, at) => ((at + 0.5) / SIDE) * 2 - 0.5)
  for (let feature = 0; feature < features; feature++) {
    const [a, b, c] = inputs.subarray(feature * count)
    for (let row = 0; row < SIDE; row++)
      for (let column = 0; column < SIDE; column++)
        points[(feature * SIDE + row) * SIDE + column] = a + along[column] * (b - a) + along[row] * (c - a)
  }
  return points
}

/** The class that the first seed's network answers at every point; −1 where it is not finite. @param {PerceptronRun} run @param {Float32Array} points */
function classesOnPlane(run, points) {
  const outputs = run.predict(points, SIDE ** 2, 0, 1)
  const scores = (/** @type {number} */ at) =>
    Array.from({length: run.outputs}, (_, place) => outputs[place * SIDE ** 2 + at])
  return Int8Array.from({length: SIDE ** 2}, (_, at) => {
    const every = scores(at)
    return every.every(Number.isFinite) ? every.indexOf(Math.max(...every)) : -1
  })
}

/** ‖one − other‖ / ‖other‖ over all outputs on the test points, for every seed. @param {PerceptronRun} one @param {PerceptronRun} other */
function distances(one, other) {
  const [these, those] = [one, other].map(run => run.predict(run.data.test.inputs, run.data.test.labels.length))
  const size = those.length / other.seeds.length
  return other.seeds.map((_, place) => {
    const [from, to] = [place * size, (place + 1) * size]
    const length = norm(those.subarray(from, to))
    const differences = those.subarray(from, to).map((output, at) => these[from + at] - output)
    return Math.fround(norm(differences) / (length > 0 ? length : 1))
  })
}

/** The length of a vector, in single precision. @param {Float32Array} vector */
const norm = vector => Math.fround(Math.sqrt(sum(vector.map(value => value * value))))
