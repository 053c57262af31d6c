// The figure `insert_identity` without a server: what sims/simulations/depth/insert_identity.py and
// app/views/depth/insert_identity.py do. Python stays the source: tests/twins compares everything that both give.
import {number, percent} from '../../shared/numbers.js'
import {showRays, showTwoOutputs} from '../pictures/diagrams/inserted.js'
import {divergences} from '../divergence.js'
import {band, last, median, quantity, recordBand, spread, steps} from '../frame.js'
import {Picture} from '../pictures/picture.js'
import {recipeOf, seedsOf} from '../recipe/recipe.js'
import {DATA} from '../recipe/words.js'

export const NAME = 'insertidentity'
export const TITLE = 'Insert layers that copy into a trained network'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  inserted: 'int',
  weights: 'text',
  data: 'text',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

export const COUNTS = ['depth']

/** The network that is trained before the insertion. */
export const SHALLOW = {
  ...{depth: 4, width: 48, skip: 'none', norm: 'none', unit: 'one-layer', initialization: 'he'},
  final_norm: false,
}
export const FIRST_STEPS = 600
const CURVE = 25, // points of a curve over a whole run
  BATCH = 128
const OPTIMIZER = {optimizer: 'adam', learning_rate: '0.001'}

/** @type {Record<string, string>} */
const WORDS = {shallow: 'before', deep: 'after'}
const NAMES = Object.keys(WORDS)
const FLOOR = 1e-9 // where an exact zero is on a logarithmic axis
const BESIDE = 0.03 // room on the axis of steps for dots at its ends, in runs
const ERRORS = {low: -0.14, high: 1.04, height: 206} // of the errors

/** @param {Values} settings */
const parsed = settings => ({
  inserted: Number(settings.inserted),
  data: /** @type {'teacher' | 'digits'} */ (settings.data),
  trainingSteps: Number(settings.training_steps),
  seeds: Number(settings.seeds),
  seed: Number(settings.seed),
})

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {inserted, data} = parsed(settings)
  const recipe = recipeOf({...settings, ...OPTIMIZER}, BATCH, CURVE),
    seeds = seedsOf(settings)
  return {deep: {architecture: {...SHALLOW, depth: SHALLOW.depth + inserted}, recipe, data, seeds}}
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame({deep}, settings) {
  const {trainingSteps} = parsed(settings)
  const {records} = deep
  const cut = /** @type {import('../observers/insert_identity.js').Cut} */ (deep.observed)
  const single = (/** @type {ArrayLike<number>} */ values) => Float32Array.from(values)
  const /** @type {Record<string, Quantity>} */ quantities = {
      steps: {...steps(deep), label: 'further step'},
      change: quantity(single(cut.change), 'largest change of any output', 'output', ['seed']),
    }
  for (const name of /** @type {const} */ (['before', 'after'])) {
    const label = `first seed, first test point: outputs ${name} the layers went in`
    quantities[`outputs_${name}`] = quantity(single(cut[name]), label, 'output', ['class'])
  }
  for (const [name, when] of /** @type {const} */ ([
    ['activations', 'when the layers went in'],
    ['activations_now', 'now'],
  ])) {
    const label = `first seed, first test point: activations after every layer but the head, ${when}`
    const values = single(cut[name])
    const shape = [values.length / SHALLOW.width, SHALLOW.width]
    quantities[name] = quantity(values, label, 'activation', ['layer', 'unit'], shape)
  }
  const before = records.map(record => ({...record, train_error: cut.error, train_loss: cut.loss}))
  for (const measure of /** @type {const} */ (['error', 'loss'])) {
    const curve = /** @type {const} */ (`train_${measure}`)
    Object.assign(quantities, recordBand(records, curve, `deep_${measure}`, 'with inserted layers: '))
    Object.assign(quantities, recordBand(before, curve, `shallow_${measure}`, 'before: '))
  }
  return {
    quantities,
    results: {
      change: Math.max(...quantities.change.values),
      depth: deep.architecture.depth,
      training_error: median(deep.now.train_error),
    },
    counts: COUNTS,
    step: deep.step,
    steps: trainingSteps,
    diverged: divergences(deep, 'deeper'),
  }
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe(frame, settings) {
  const {inserted, seeds} = parsed(settings)
  const change = Number(frame.results.change),
    step = last(frame.quantities.steps.values)
  const changed = change === 0 ? 'exactly 0' : `at most ${number(change, 3)}`
  const layers = `${inserted} ${settings.weights} layer${inserted === 1 ? '' : 's'}`
  const when = step ? `after ${step} further steps` : 'before any further step'
  return (
    `Inserting ${layers} changed the outputs by ${changed}. With ${frame.results.depth} layers, ${when}, the training ` +
    `error is ${spread(frame, 'deep_error', seeds)}; before the insertion, it was ` +
    `${spread(frame, 'shallow_error', seeds)}.`
  )
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {inserted, data, seeds, seed} = parsed(settings)
  return {
    network:
      `A plain ReLU network of ${SHALLOW.depth} linear layers of width ${SHALLOW.width}, trained for ${FIRST_STEPS} ` +
      `steps of Adam at 0.001; then ${inserted} more layers before its head.`,
    data: DATA[data],
    seeds: `${seeds} (from ${seed}); the line is their median, the band their whole range.`,
    cannot_show:
      'Whether training from a random start finds the copying layers: the figure only shows that they exist. And it ' +
      'shows nothing about test error.',
  }
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, frame, settings) {
  const picture = new Picture(names)
  const {quantities, results, steps} = frame
  for (const [path, name] of [
    ['_rays', 'activations'],
    ['_rays_now', 'activations_now'],
  ])
    showRays(picture, path, quantities[name], settings.weights === 'identity')
  const [before, after] = ['before', 'after'].map(name => Array.from(quantities[`outputs_${name}`].values))
  showTwoOutputs(picture, '_outputs', before, after, Number(results.change))
  const bands = (/** @type {string} */ measure) =>
    Object.fromEntries(NAMES.map(name => [name, band(frame, `${name}_${measure}`)]))
  const recorded = quantities.steps.values,
    errors = bands('error')
  picture.bands('_curves', NAMES, recorded, errors)
  const ends = NAMES.map(name => /** @type {const} */ ([name, last(errors[name][0])]))
  picture.dots('_tips', NAMES, Object.fromEntries(ends.map(([name, error]) => [name, [last(recorded), error]])))
  const end = (1 + BESIDE) * steps
  picture.set('_error.x_range', {start: -BESIDE * steps, end})
  const labels = ends.map(([name, error]) => [name, [error, `${WORDS[name]} ${percent(error)}`]])
  picture.endLabels('_words', NAMES, end, ERRORS, Object.fromEntries(labels))
  picture.ticks('_error.xaxis', [0, Math.floor(steps / 2), steps])
  picture.curves('_loss', NAMES, recorded, steps, bands('loss'))
  const changes = Array.from(quantities.change.values, (change, index) => [index + 1, change])
  for (const [path, rows] of /** @type {[string, number[][]][]} */ ([
    ['_change', changes.filter(([, change]) => change > 0)],
    ['_zero', changes.filter(([, change]) => change === 0).map(([x]) => [x, FLOOR])],
  ]))
    picture.set(path, {data: {x: rows.map(([x]) => x), y: rows.map(([, y]) => y)}})
  return picture.changes
}
