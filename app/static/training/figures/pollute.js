// The figure `pollute` without a server: what sims/simulations/shortcuts/pollute.py and app/views/shortcuts/pollute.py do.
// Python stays the source: tests/twins compares everything that both give.
import {number} from '../../shared/numbers.js'
import {divergences} from '../divergence.js'
import {band, last, median, medians, quantity, recordBand, spread, steps} from '../frame.js'
import {Picture} from '../pictures/picture.js'
import {recipeOf, seedsOf, trainingNumbers} from '../recipe/recipe.js'

export const NAME = 'pollute'
export const TITLE = 'Something on the skip'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  pollutant: 'text',
  factor: 'float',
  blocks: 'int',
  dropped: 'float',
  initialization: 'text',
  final_norm: 'bool',
  optimizer: 'text',
  learning_rate: 'float',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

export const COUNTS = /** @type {string[]} */ ([])

/** @type {Record<string, string>} what is on the skip, inside a sentence */
const POLLUTANTS = {
  nothing: 'nothing',
  scale: 'a factor λ',
  relu: 'a ReLU after the sum',
  norm: 'a LayerNorm after the sum (Post-LN)',
  dropout: 'a dropout on the skip',
  linear: 'a linear map on the skip',
}
const NAMES = ['clean', 'polluted']
const CURVE = 20, // points of a curve over a whole run
  WIDTH = 32,
  BATCH = 64,
  POINTS = 512

/** @param {Values} settings */
const parsed = settings => ({
  ...trainingNumbers(settings),
  factor: Number(settings.factor),
  blocks: Number(settings.blocks),
})

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {factor, blocks} = parsed(settings)
  const clean = {
    ...{depth: 2 * blocks + 2, width: WIDTH, skip: 'additive', norm: 'none', unit: 'two-layer'},
    initialization: settings.initialization,
    final_norm: settings.final_norm === 'yes',
  }
  /** @type {Record<string, Partial<NetworkArchitecture>>} */
  const changes = {
    scale: {scaled_skip: factor},
    relu: {unit: 'original'},
    norm: {norm: 'post-layer'},
    dropout: {skip: 'dropout', dropped: Number(settings.dropped)},
    linear: {skip: 'linear'},
  }
  const recipe = recipeOf(settings, BATCH, CURVE),
    seeds = seedsOf(settings)
  const shared = {recipe, data: {name: 'digits', arguments: {points: POINTS}}, seeds}
  return {
    clean: {...shared, architecture: clean},
    polluted: {...shared, architecture: {...clean, ...changes[settings.pollutant]}},
  }
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(runs, settings) {
  const {factor, blocks, trainingSteps} = parsed(settings)
  const /** @type {Record<string, Quantity>} */ quantities = {steps: steps(runs.clean)},
    /** @type {Record<string, number>} */ results = {}
  for (const name of NAMES) {
    const {records, now, seeds} = runs[name]
    for (const measure of /** @type {const} */ (['loss', 'error']))
      Object.assign(quantities, recordBand(records, `train_${measure}`, `${name}_${measure}`, `${name}: `))
    for (const [kind, matrix, words] of /** @type {[string, Float64Array, string][]} */ ([
      ['stream_gradients', now.stream_gradients, 'gradient of the stream'],
      ['activations', now.activations, 'size of the stream'],
    ]))
      quantities[`${name}_${kind}`] = quantity(medians(matrix, seeds), `${name}: ${words}, now`, 'relative', ['place'])
    results[`${name}_error`] = median(now.train_error)
  }
  return {
    quantities,
    results: {...results, power: factor ** blocks},
    counts: COUNTS,
    step: runs.clean.step,
    steps: trainingSteps,
    diverged: NAMES.flatMap(name => divergences(runs[name], name)),
  }
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe(frame, settings) {
  const {factor, blocks, seeds} = parsed(settings)
  const step = last(frame.quantities.steps.values)
  const when = step ? `After ${step} of ${frame.steps} steps` : 'Before the first step'
  const words = POLLUTANTS[settings.pollutant].replace('λ', `of ${number(factor, 6)}`)
  const power = number(Number(frame.results.power), 2)
  const signal = ` Along the skips alone, a signal is multiplied by ${power} in all.`
  return (
    `${when}, the training error is ${spread(frame, 'clean_error', seeds)} with a clean skip and ` +
    `${spread(frame, 'polluted_error', seeds)} with ${words} in each of ${blocks} blocks.` +
    (settings.pollutant === 'scale' ? signal : '')
  )
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {blocks, learningRate, trainingSteps, seeds, seed} = parsed(settings)
  const start =
    settings.initialization === 'zero-last'
      ? 'every branch starts at zero, so that only the skip is seen at first'
      : `${settings.initialization} initialization`
  return {
    network:
      `Fully connected residual networks of ${blocks} blocks with two layers of width ${WIDTH} each, ReLU, no norm in ` +
      `the branches${settings.final_norm === 'yes' ? ', a norm before the head' : ''}; ${start}.`,
    data:
      `${POINTS} of 1,797 real images of handwritten digits, 8 × 8 pixels each, and ${POINTS / 4} others held out for ` +
      `testing; each step uses ${BATCH} of them.`,
    seeds: `${seeds} (from ${seed}), the same for both; ${trainingSteps} steps, learning rate ${number(learningRate)}.`,
    cannot_show:
      'The convolutional networks of the paper, with BatchNorm in their branches: these are small fully connected ones.',
  }
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 */
export function update(names, frame) {
  const picture = new Picture(names)
  const recorded = frame.quantities.steps.values
  for (const measure of ['error', 'loss']) {
    const bands = Object.fromEntries(NAMES.map(name => [name, band(frame, `${name}_${measure}`)]))
    picture.curves(`_curves.${measure}`, NAMES, recorded, frame.steps, bands, measure === 'loss')
  }
  for (const kind of ['stream_gradients', 'activations']) {
    const groups = Object.fromEntries(NAMES.map(name => [name, frame.quantities[`${name}_${kind}`].values]))
    picture.logBars(`_bars.${kind}`, NAMES, groups, true)
  }
  return picture.changes
}
