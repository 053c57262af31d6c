// Networks with inserted layers, and what the insertion and further training do to them: as in
// sims/simulations/depth/insert_identity.py.
import {PerceptronRun} from '../engine/perceptrons/run.js'
import {withLayers} from '../engine/perceptrons/surgery.js'
import {FIRST_STEPS, SHALLOW} from '../figures/insert_identity.js'

/** @typedef {import('./index.js').Beginning} Beginning */
/**
 * Errors and losses before the insertion and `change`, the largest of any output, for each seed; for the first seed and the
 * first test point, outputs before and after the insertion, and activations (layers − 1, units) then and now.
 * @typedef {{error: Float64Array, loss: Float64Array, change: Float32Array, before: Float32Array, after: Float32Array, activations: Float32Array, activations_now: Float32Array}} Cut
 */
/** @typedef {{run: PerceptronRun, predicted: Float32Array}} Trained `predicted`: outputs (seeds, outputs, points) for the test points */

/** The last networks that were trained for an insertion: the settings of the insertion do not change them. @type {{key: string, trained: Trained} | null} */
let last = null

/** @type {WeakMap<PerceptronRun, Trained>} the networks from which others were made */
const before = new WeakMap()

/** @param {string} _name @param {Beginning} beginning */
export function begin(_name, {engine, ziggurat, network, points, settings}) {
  const {architecture, recipe, seeds} = network
  const trained = trainedFirst(network, () => {
    const first = {...recipe, record_every: FIRST_STEPS}
    const run = new PerceptronRun(engine, SHALLOW, first, points, seeds, ziggurat)
    run.advance(FIRST_STEPS)
    return {run, predicted: predicted(run)}
  })
  const parameters = withLayers(trained.run, architecture, settings.weights === 'identity' ? 'identity' : 'random')
  const run = new PerceptronRun(engine, architecture, recipe, points, seeds, ziggurat, parameters)
  before.set(run, trained)
  return run
}

/** @param {TrainedNetwork} network @param {() => Trained} train */
function trainedFirst({data, seeds}, train) {
  const key = JSON.stringify([data, seeds])
  if (last?.key !== key) last = {key, trained: train()}
  return last.trained
}

/** @param {PerceptronRun} run */
const predicted = run => run.predict(run.data.test.inputs, run.data.test.labels.length)

/** @param {PerceptronRun} run @returns {import('./index.js').Observer} */
export function observer(run) {
  const {run: shallow, predicted: earlier} = /** @type {Trained} */ (before.get(run))
  const later = predicted(run)
  const size = later.length / run.seeds.length
  const change = Float32Array.from(run.seeds, (_, seed) => {
    let most = 0
    // NaN stays, as in NumPy.
    for (let at = seed * size; at < (seed + 1) * size; at++)
      most = Math.max(most, Math.abs(Math.fround(later[at] - earlier[at])))
    return most
  })
  const {features, test} = run.data
  const count = test.labels.length
  const first = Float32Array.from({length: features}, (_, feature) => test.inputs[feature * count])
  const activationsOf = () => run.layerValues(first, 1, 0).values
  const ofFirst = (/** @type {Float32Array} */ all) =>
    Float32Array.from({length: run.outputs}, (_, output) => all[output * count])
  const cut = {
    error: shallow.now.train_error,
    loss: shallow.now.train_loss,
    change,
    before: ofFirst(earlier),
    after: ofFirst(later),
    activations: activationsOf(),
  }
  return {now: () => /** @type {Cut} */ ({...cut, activations_now: activationsOf()})}
}
