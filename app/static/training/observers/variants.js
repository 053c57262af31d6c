// Stochastic depth, a highway's gates and ReZero's factors: as in sims/simulations/wiring/variants.py and
// sims/instruments/stacks/highway.py.
import {initialOfAll} from '../engine/perceptrons/initialization.js'
import {layoutOf} from '../engine/perceptrons/layout.js'
import {ThinnedRun} from '../engine/perceptrons/stochastic-depth.js'
import {CURVE} from '../figures/variants.js'

/** @typedef {import('./index.js').PerceptronRun} PerceptronRun */
/** @typedef {import('./index.js').Beginning} Beginning */
/** @typedef {{gates: Float64Array}} Gates (seeds, blocks) their mean openings, row by row */
/** @typedef {{factors: Float32Array}} Factors (seeds, blocks), row by row */

const LAST_STAYS = 0.5 // the probability that the last block takes part in a step
const EPSILON = 1e-5 // under the root of a norm

/** @param {string} name @param {Beginning} beginning */
export function begin(name, {engine, ziggurat, network, points, settings}) {
  if (name !== 'thinned') return null
  const {architecture, seeds} = network
  const layout = layoutOf(architecture, points.features, points.classes)
  const initial = initialOfAll(architecture, layout, seeds, ziggurat)
  for (const place of seeds.keys()) initial.fill(1, place * layout.size + layout.factors, (place + 1) * layout.size)
  const every = Math.floor(Number(settings.training_steps) / CURVE)
  return new ThinnedRun(engine, network, points, ziggurat, initial, LAST_STAYS, every)
}

/** @param {PerceptronRun} run @param {Values} _settings @param {Record<string, PerceptronRun>} runs @returns {import('./index.js').Observer | null} */
export function observer(run, _settings, {highway, rezero}) {
  const {size, factors} = run.layout
  const parametersOf = (/** @type {number} */ place) => run.parameters.subarray(place * size, (place + 1) * size)
  if (run === rezero)
    return {
      /** @returns {Factors} */
      now: () => ({
        factors: Float32Array.from(run.seeds.flatMap((_, place) => [...parametersOf(place).subarray(factors)])),
      }),
    }
  if (run !== highway) return null
  return {
    /** @returns {Gates} */
    now: () => ({gates: Float64Array.from(run.seeds.flatMap((_, place) => openings(run, parametersOf(place))))}),
  }
}

/**
 * The opening T of every gate, its mean over training points and units: h ← h + T·(F(h) − h) with T = σ(W_T h + b_T).
 * @param {PerceptronRun} run @param {Float32Array} parameters of one seed
 */
function openings({layout, data, architecture}, parameters) {
  const {inputs, labels} = data.train
  const count = labels.length
  const [stem, ...layers] = layout.layers
  let stream = affine(parameters, stem, Float64Array.from(inputs), count).map(relu)
  return layout.gates.map((gate, block) => {
    const inside = architecture.norm === 'none' ? stream : normalized(stream, architecture.width, count)
    const branch = affine(parameters, layers[block], inside, count).map(relu)
    const opening = affine(parameters, gate, stream, count).map(sigmoid)
    stream = stream.map((value, at) => value + opening[at] * (branch[at] - value))
    return opening.reduce((sum, value) => sum + value, 0) / opening.length
  })
}

const relu = (/** @type {number} */ value) => Math.max(value, 0)
const sigmoid = (/** @type {number} */ value) => 0.5 * (1 + Math.tanh(0.5 * value))

/** A linear layer on values (columns, points). @param {Float32Array} parameters @param {import('../engine/perceptrons/layout.js').Linear} layer @param {Float64Array} values @param {number} count */
function affine(parameters, {rows, columns, weight, bias}, values, count) {
  const outputs = new Float64Array(rows * count)
  for (let row = 0; row < rows; row++) {
    const own = outputs.subarray(row * count, (row + 1) * count).fill(parameters[bias + row])
    for (let column = 0; column < columns; column++) {
      const factor = parameters[weight + row * columns + column]
      const from = column * count
      for (let point = 0; point < count; point++) own[point] += factor * values[from + point]
    }
  }
  return outputs
}

/** Values (width, points) without the mean of each point, and with a mean square of 1. @param {Float64Array} values @param {number} width @param {number} count */
function normalized(values, width, count) {
  const outputs = new Float64Array(values.length)
  for (let point = 0; point < count; point++) {
    let mean = 0,
      square = 0
    for (let at = point; at < values.length; at += count) mean += values[at] / width
    for (let at = point; at < values.length; at += count) square += (values[at] - mean) ** 2 / width
    for (let at = point; at < values.length; at += count)
      outputs[at] = (values[at] - mean) / Math.sqrt(square + EPSILON)
  }
  return outputs
}
