// The figure `degradation` without a server: what sims/simulations/depth/degradation.py and app/views/depth/degradation.py do.
// Python stays the source: tests/twins compares everything that both give.
import {percent} from '../../shared/numbers.js'
import {divergences} from '../divergence.js'
import {ENDINGS, band, last, median, medians, quantity, recordBands, spread, steps} from '../frame.js'
import {Picture} from '../pictures/picture.js'
import {recipeOf, seedsOf, trainingNumbers} from '../recipe/recipe.js'
import {DATA, NORMS, STARTS, stepsTaken} from '../recipe/words.js'

export const NAME = 'degradation'
export const TITLE = 'The same layers, with and without a skip connection'
export const DIVISIBLE = true

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  depth: 'int',
  norm: 'text',
  data: 'text',
  measure: 'text',
  optimizer: 'text',
  learning_rate: 'float',
  initialization: 'text',
  unit: 'text',
  final_norm: 'bool',
  networks: 'text',
  width: 'int',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

export const COUNTS = ['depth'] // results that are whole numbers

/** @type {Record<string, string>} */
const NETWORKS = {plain: 'none', residual: 'additive'}
const LOOKS = Object.keys(NETWORKS)
const NOT_RUN = [...LOOKS, 'untrained']
const BATCHES = {teacher: 128, digits: 64}
const CURVE = 25 // points of a curve over a whole run

const BESIDE = 0.02 // room on the axis of steps for dots at its ends, in runs
const LOWEST = -0.11,
  HIGHEST = 1.06 // ends of the axis of errors
const DEFAULT = 'default ' // before the depth in the name of a run with the default settings
const APART = 0.08 * (HIGHEST - LOWEST)
const ERRORS = {low: LOWEST, high: HIGHEST, height: 258}

/** @param {Values} settings */
const parsed = settings => ({
  ...trainingNumbers(settings),
  depth: Number(settings.depth),
  measure: settings.measure,
  data: /** @type {'teacher' | 'digits'} */ (settings.data),
  finalNorm: settings.final_norm === 'yes',
  width: Number(settings.width),
})

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {depth, width, finalNorm, data} = parsed(settings)
  const {norm, unit, initialization} = settings
  const names = settings.networks === 'both' ? LOOKS : [settings.networks]
  const shape = {depth, width, norm, unit, initialization, final_norm: finalNorm, branch_factor: '1'}
  const recipe = recipeOf(settings, BATCHES[data], CURVE),
    seeds = seedsOf(settings)
  return Object.fromEntries(
    names.map(name => [name, {architecture: {...shape, skip: NETWORKS[name]}, recipe, data, seeds}]),
  )
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(runs, settings) {
  const {depth, trainingSteps} = parsed(settings)
  const [anyRun] = Object.values(runs)
  const quantities = {steps: steps(anyRun)}
  /** @type {Record<string, number>} */
  const results = {}
  for (const [name, run] of Object.entries(runs)) {
    Object.assign(quantities, recordBands(run.records, `${name}_`, `${name}: `))
    Object.assign(quantities, gradients(name, run, '', run.now), gradients(name, run, '_at_start', run.records[0]))
    results[`${name}_training_error`] = median(run.now.train_error)
    results[`${name}_test_error`] = median(run.now.test_error)
  }
  return {
    quantities,
    results: {...results, depth},
    counts: COUNTS,
    step: anyRun.step,
    steps: trainingSteps,
    diverged: Object.entries(runs).flatMap(([name, run]) => divergences(run, name)),
  }
}

/** @param {string} name @param {TrainingRun} run @param {string} when @param {TrainingRecord} record */
function gradients(name, run, when, record) {
  const label = `${name}: norm of the weight gradient${when.replaceAll('_', ' ')}, median of the seeds`
  const values = medians(record.weight_gradients, run.seeds)
  return {[`${name}_gradients${when}`]: quantity(values, label, 'loss per unit of weight', ['layer'])}
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe(frame, settings) {
  const {depth, measure, seeds} = parsed(settings)
  const errors = LOOKS.filter(name => `${name}_${measure}_error` in frame.quantities).map(
    name => `${spread(frame, `${name}_${measure}_error`, seeds)} for the ${name} network`,
  )
  const step = last(frame.quantities.steps.values)
  const when = step ? `After ${step} of ${frame.steps} steps` : 'Before the first step'
  const part = measure === 'train' ? 'training' : 'test'
  return `${when} at depth ${depth}, the ${part} error is ${errors.join(' and ')}.`
}

const GESTURES = ['pan', 'panstart', 'tap']
const SHALLOWEST = 2,
  DEEPEST = 64

/**
 * The line at the present depth follows the pointer, in steps of two layers.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number}} gesture
 */
export function pointed(names, {event_name: kind = '', origin, x}) {
  if (origin?.id !== names._over || !GESTURES.includes(kind) || typeof x !== 'number') return null
  return {depth: String(Math.min(Math.max(2 * Math.round(x / 2), SHALLOWEST), DEEPEST))}
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {depth, width, finalNorm, data, learningRate, trainingSteps, seeds, seed} = parsed(settings)
  const {norm, unit, initialization, optimizer} = settings
  const span = unit === 'original' ? 'two layers' : 'one layer'
  const head = finalNorm ? '; a LayerNorm before the head' : ''
  const statistics =
    norm === 'batch' ? ' For the test error, BatchNorm takes the statistics of the test set itself.' : ''
  const taken = stepsTaken(trainingSteps, optimizer, learningRate, BATCHES[data])
  return {
    network:
      `Multilayer perceptrons, ${depth} linear layers of width ${width}, ReLU, ${NORMS[norm]}${head}; ` +
      `${STARTS[initialization]}. The residual one adds a skip over every ${span} and is otherwise the same network, ` +
      `with the same number of parameters.${statistics}`,
    data: DATA[data],
    seeds:
      `${seeds} (from ${seed}), the same for both networks; the line is their median, the band their whole range; ` +
      `${taken}.`,
    cannot_show:
      'What more steps, another learning rate or a wider network would do. This is not a convolutional network on ' +
      'CIFAR-10: it shows the same effect at a size that your browser can train while you wait.',
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
  const {measure} = settings
  const trained = LOOKS.filter(name => `${name}_gradients` in frame.quantities)
  const bands = (/** @type {string} */ what) =>
    Object.fromEntries(trained.map(name => [name, band(frame, `${name}_${measure}_${what}`)]))
  showDepths(picture, frame, trained, settings, ends)
  showRun(picture, frame, bands('error'))
  picture.curves('_loss', LOOKS, frame.quantities.steps.values, frame.steps, bands('loss'))
  picture.logBars(
    '_gradients',
    LOOKS,
    Object.fromEntries(trained.map(name => [name, frame.quantities[`${name}_gradients`].values])),
  )
  return picture.changes
}

/**
 * @param {Picture} picture
 * @param {TrainingFrame} frame
 * @param {string[]} trained
 * @param {Values} settings
 * @param {KeptEnds} keptEnds
 */
function showDepths(picture, frame, trained, settings, keptEnds) {
  const {depth: current, measure} = parsed(settings)
  const isDefault = (/** @type {string} */ name) => name.startsWith(DEFAULT)
  const ends = byDepth(keptEnds, name => !isDefault(name))
  if (frame.step >= frame.steps) ends.set(current, frame)
  const isAlone = ![...ends.keys()].some(depth => depth !== current)
  // Where no other depth has been run with these settings, a pale curve shows what to expect.
  const defaults = byDepth(keptEnds, name => isAlone && isDefault(name))
  const shown = [ends, defaults].map(runs => overDepths(runs, trained, measure))
  for (const [at, name] of ['_ends', '_default'].entries())
    picture.bands(name, LOOKS, shown[at].depths, shown[at].bands)
  const {depths, bands} = shown[defaults.size ? 1 : 0]
  const deepest = depths.at(-1)
  picture.words(
    '_names',
    LOOKS,
    APART,
    deepest === undefined
      ? {}
      : Object.fromEntries(trained.map(name => [name, [deepest, bands[name][0][depths.length - 1], name]])),
  )
  const now = trained.map(name => [name, [current, last(frame.quantities[`${name}_${measure}_error`].values)]])
  picture.dots('_marks', NOT_RUN, frame.step ? Object.fromEntries(now) : {untrained: now[0][1]})
  picture.set('_here', {data: {x: [current, current], y: [0, 0.98]}})
  picture.set('_depth', {data: {x: [current], y: [1.02], text: [`◂ ${current} ▸`]}})
  const note = defaults.size ? ['pale: default\nsettings'] : []
  picture.set('_note', {data: {x: note.map(() => (current > 33 ? 18 : 50)), y: note.map(() => 0.82), text: note}})
}

/** @param {KeptEnds} ends @param {(name: string) => boolean} chosen by the name of a run @returns {Map<number, RunEnd>} */
function byDepth(ends, chosen) {
  const names = Object.keys(ends).filter(chosen)
  return new Map(names.map(name => [Number(name.replace(DEFAULT, '')), ends[name]]))
}

/**
 * The median, lowest and highest error at the end of runs, over their depths, for each network.
 * @param {Map<number, RunEnd>} ends @param {string[]} trained @param {string} measure
 */
function overDepths(ends, trained, measure) {
  const depths = [...ends.keys()].sort((one, other) => one - other)
  const end = (/** @type {number} */ depth, /** @type {string} */ name) =>
    last(/** @type {RunEnd} */ (ends.get(depth)).quantities[name].values)
  const bands = Object.fromEntries(
    trained.map(name => [
      name,
      ENDINGS.map(ending => depths.map(depth => end(depth, `${name}_${measure}_error${ending}`))),
    ]),
  )
  return {depths, bands}
}

/**
 * @param {Picture} picture
 * @param {TrainingFrame} frame
 * @param {Record<string, import('../frame.js').Band>} bands
 */
function showRun(picture, frame, bands) {
  const recorded = frame.quantities.steps.values
  picture.bands('_errors', LOOKS, recorded, bands)
  /** @type {Record<string, import('../pictures/picture.js').Point>} */
  let now = Object.fromEntries(Object.entries(bands).map(([name, [middle]]) => [name, [last(recorded), last(middle)]]))
  if (!frame.step) now = {untrained: Object.values(now)[0]}
  picture.dots('_tips', NOT_RUN, now)
  const {steps} = frame,
    end = (1 + BESIDE) * steps
  picture.set('_run.x_range', {start: -BESIDE * steps, end})
  const labels = Object.entries(now).map(([name, [, error]]) => [name, [error, `${name} ${percent(error)}`]])
  picture.endLabels('_values', NOT_RUN, end, ERRORS, Object.fromEntries(labels))
  picture.ticks('_run.xaxis', [0, Math.floor(steps / 3), Math.floor((2 * steps) / 3), steps])
}
