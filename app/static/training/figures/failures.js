// The figure `failures` without a server: what sims/simulations/depth/failures.py and app/views/depth/failures.py do.
// Python stays the source: tests/twins compares everything that both give.
import {number, percent} from '../../shared/numbers.js'
import {showDiagnoses} from '../pictures/charts/diagnoses.js'
import {showLikenesses} from '../pictures/charts/likenesses.js'
import {EXPLODED, FINE, LEVEL, VANISHED, gradientRatio} from '../comparisons/gradient-ratio.js'
import {divergences} from '../divergence.js'
import {band, last, median, medians, quantity, recordBands, spread, steps} from '../frame.js'
import {Picture} from '../pictures/picture.js'
import {recipeOf, seedsOf, trainingNumbers} from '../recipe/recipe.js'
import {DATA, NORMS, STARTS, stepsTaken} from '../recipe/words.js'

export const NAME = 'failures'
export const TITLE = 'Three ways for depth to fail'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  depth: 'int',
  initialization: 'text',
  skip: 'text',
  norm: 'text',
  activation: 'text',
  optimizer: 'text',
  learning_rate: 'float',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

export const COUNTS = /** @type {string[]} */ ([])

const CURVE = 25 // points of a curve over a whole run
const BATCH = 128
const WIDTH = 48
const COMPARED = 64 // inputs that are compared with each other

/** @type {Record<string, string>} */
const MEANING = {
  fine: 'the network fits its training data',
  vanished: 'next to no gradient reaches the first layers',
  exploded: 'an enormous gradient reaches the first layers',
  stalled: 'the gradients are level, and yet the fit is bad',
  tilted: 'the fit is bad, and the gradients slope without having vanished or exploded',
}

const PLAIN = {skip: 'none', activation: 'relu'}
/** @type {Record<string, Values>} the settings that lead to each failure */
const CASES = {
  Default: {...PLAIN, initialization: 'default', norm: 'none'},
  BatchNorm: {...PLAIN, initialization: 'he', norm: 'batch'},
  He: {...PLAIN, initialization: 'he', norm: 'none'},
}
const OTHER = 'Yours'
const TIMES = ['at start', 'now']

/** @param {Values} settings */
const parsed = settings => ({
  ...trainingNumbers(settings),
  depth: Number(settings.depth),
})

/** Looks-linear weights are made for ReLU. @param {Values} settings */
const activationOf = ({initialization, activation}) => (initialization === 'looks-linear' ? 'relu' : activation)

/** @param {Values} settings */
const kindOf = ({skip}) => (skip === 'none' ? 'plain' : 'residual')

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {depth} = parsed(settings)
  const {skip, norm, initialization} = settings
  const architecture = {
    ...{depth, width: WIDTH, skip, norm, unit: 'pre-activation', initialization},
    activation: activationOf(settings),
    final_norm: norm === 'pre-layer',
  }
  const recipe = recipeOf(settings, BATCH, CURVE),
    seeds = seedsOf(settings)
  return {network: {architecture, recipe, data: 'teacher', seeds}}
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame({network: run}, settings) {
  const {trainingSteps} = parsed(settings)
  const [first] = run.records,
    {now, seeds} = run
  const /** @type {Record<string, Quantity>} */ quantities = {
      steps: steps(run),
      ...recordBands(run.records, '', '', ['train_loss', 'train_error']),
    }
  for (const [name, record] of /** @type {[string, TrainingRecord][]} */ (Object.entries({now, 'at start': first})))
    for (const [kind, matrix, axis] of /** @type {[string, Float64Array, string][]} */ ([
      ['weight gradient', record.weight_gradients, 'layer'],
      ['stream gradient', record.stream_gradients, 'place'],
    ])) {
      const label = `norm of the ${kind}, ${name}, median of the seeds`
      quantities[`${kind} ${name}`] = quantity(medians(matrix, seeds), label, 'relative', [axis])
    }
  const alike = /** @type {import('../observers/likeness.js').Likeness} */ (run.observed)
  for (const [name, matrix] of Object.entries({now: alike.now, 'at start': alike.start})) {
    const label = `mean cosine between the activations of different test inputs, ${name}, median of the seeds`
    quantities[`likeness ${name}`] = quantity(medians(matrix, seeds), label, 'cosine', ['layer'])
  }
  const ratio = gradientRatio(first, seeds),
    error = median(now.train_error)
  return {
    quantities,
    results: {
      ratio,
      training_error: error,
      likeness: last(quantities['likeness at start'].values),
      diagnosis: run.step >= trainingSteps ? diagnosis(ratio, error) : 'not trained yet',
    },
    counts: COUNTS,
    step: run.step,
    steps: trainingSteps,
    diverged: divergences(run, kindOf(settings)),
  }
}

/** @param {number} ratio @param {number} error */
function diagnosis(ratio, error) {
  if (error < FINE) return 'fine'
  if (!(ratio >= VANISHED)) return 'vanished'
  if (ratio > EXPLODED) return 'exploded'
  return LEVEL[0] <= ratio && ratio <= LEVEL[1] ? 'stalled' : 'tilted'
}

/** The name of the failure with these settings, if they are those of one of the three. @param {Values} settings */
const caseOf = settings =>
  Object.keys(CASES).find(name => Object.entries(CASES[name]).every(([key, value]) => settings[key] === value))

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe(frame, settings) {
  const {seeds} = parsed(settings)
  const verdict = String(frame.results.diagnosis)
  const start = `Before training, the first of the stream's gradients is ${number(Number(frame.results.ratio))} times the last.`
  const error = spread(frame, 'train_error', seeds)
  if (frame.step >= frame.steps)
    return `${start} After ${frame.steps} steps the training error is ${error}. Diagnosis: ${verdict}; ${MEANING[verdict]}.`
  const step = last(frame.quantities.steps.values)
  return `${start} ${step ? `After ${step} steps` : 'At the start,'} the training error is ${error}.`
}

/**
 * A click on a failure opens it.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number}} gesture
 */
export function pointed(names, {event_name: kind, origin, x}) {
  if (origin?.id !== names['_cases.figure'] || kind !== 'tap' || typeof x !== 'number' || x < 0) return null
  return Object.values(CASES)[Math.trunc(x)] ?? null
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {depth, learningRate, trainingSteps, seeds, seed} = parsed(settings)
  const {norm, initialization, optimizer, activation} = settings
  const used = activationOf(settings)
  const clash = used === activation ? '' : ' (looks-linear weights are made for ReLU, so ReLU it is)'
  return {
    network:
      `A ${kindOf(settings)} multilayer perceptron of ${depth} linear layers, width ${WIDTH}, ` +
      `${used === 'relu' ? 'ReLU' : 'tanh'}${clash}, ${NORMS[norm]}; ${STARTS[initialization]}.`,
    data: DATA.teacher,
    seeds:
      `${seeds} (from ${seed}); line and bars are their median, the band their whole range; ` +
      `${stepsTaken(trainingSteps, optimizer, learningRate, BATCH)}.`,
    cannot_show:
      `Whether a bad fit would improve with more than ${trainingSteps} steps. The rule: a training error below ` +
      `${percent(FINE)} is fine; otherwise a ratio of the stream's first gradient to its last below ` +
      `${number(VANISHED)} counts as vanished, above ${number(EXPLODED)} as exploded, from ${number(LEVEL[0])} to ` +
      `${number(LEVEL[1])} as stalled, and the rest as tilted. The mean cosine is over all pairs of ${COMPARED} ` +
      'test inputs; it does not show whether this similarity causes a bad fit.',
  }
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 * @param {KeptEnds} ends
 */
export function update(names, frame, settings, ends) {
  const picture = new Picture(names)
  const cases = Object.keys(CASES)
  const own = caseOf(settings),
    chosen = own ?? OTHER
  const present = {frame, skip: settings.skip !== 'none'}
  const towers = Object.fromEntries(
    [...cases, ...(own ? [] : [OTHER])].map(name => [
      name,
      name === chosen ? present : {frame: ends[name] ?? null, skip: false},
    ]),
  )
  showDiagnoses(picture, '_cases', towers, chosen)
  showLikenesses(picture, '_alike', towers, chosen, cases, OTHER)
  const values = (/** @type {string} */ name) => frame.quantities[name].values
  for (const time of TIMES) {
    const y = Array.from(values(`likeness ${time}`))
    picture.set(`_likeness_sources.${time}`, {data: {x: y.map((_, layer) => layer + 1), y}})
  }
  picture.set('_likeness.x_range', {end: values('likeness now').length})
  for (const kind of ['weight', 'stream']) {
    const groups = Object.fromEntries(TIMES.map(time => [time, values(`${kind} gradient ${time}`)]))
    picture.logBars(kind === 'weight' ? '_weights' : '_stream', TIMES, groups)
  }
  const recorded = values('steps')
  picture.curves('_loss', ['train'], recorded, frame.steps, {train: band(frame, 'train_loss')})
  picture.curves('_error', ['train'], recorded, frame.steps, {train: band(frame, 'train_error')}, false)
  return picture.changes
}
