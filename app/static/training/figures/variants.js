// The figure `variants` without a server: what sims/simulations/wiring/variants.py and app/views/wiring/variants.py do.
// Python stays the source: tests/twins compares everything that both give.
import {formatted, number} from '../../shared/numbers.js'
import {showKeyTable} from '../pictures/charts/key-table.js'
import {showLanes} from '../pictures/charts/lanes.js'
import {showWiredStrips} from '../pictures/charts/wired-strips.js'
import {divergences} from '../divergence.js'
import {keptBytes} from '../engine/kept-activations.js'
import {layoutOf} from '../engine/perceptrons/layout.js'
import {NEVER} from '../engine/perceptrons/stochastic-depth.js'
import {sum} from '../engine/numerics/sums.js'
import {band, last, median, medians, quantity, recordBands, steps} from '../frame.js'
import {Picture} from '../pictures/picture.js'
import {recipeOf, seedsOf, trainingNumbers} from '../recipe/recipe.js'
import {DATA} from '../recipe/words.js'

export const NAME = 'variants'
export const TITLE = 'Seven ways to connect, on one budget'
export const DIVISIBLE = true

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  depth: 'int',
  task: 'text',
  budget: 'text',
  norm: 'text',
  measure: 'text',
  learning_rate: 'float',
  initialization: 'text',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

/** @type {Record<string, string>} what each network is called on the page */
const VARIANTS = {
  plain: 'plain',
  residual: 'additive',
  residual_relu: 'ReLU last',
  rezero: 'ReZero',
  highway: 'highway',
  dense: 'dense',
  thinned: 'stochastic depth',
}
const NAMES = Object.keys(VARIANTS)

export const COUNTS = NAMES.flatMap(name => [`${name}_fits`, `${name}_parameters`, `${name}_width`])

/** @type {Record<string, string>} the skip of a network; an additive one where nothing is said */
const SKIPS = {plain: 'none', rezero: 'rezero', highway: 'highway', dense: 'dense'}
/** @type {Record<string, {data: string | DataSource, sentence: string, features: number, classes: number}>} */
const TASKS = {
  spirals: {
    data: {name: 'spirals', arguments: {}},
    sentence: '256 points on two interleaved spiral arms of 1.5 turns, and 256 more for testing',
    ...{features: 2, classes: 2},
  },
  digits: {data: 'digits', sentence: DATA.digits.slice(0, -1), features: 64, classes: 10},
}

export const CURVE = 25 // points of a curve over a whole run
const WIDTH = 32,
  GROWTH = 8,
  BATCH = 64
const FITS = 0.05 // the largest training error of a network that fits

/** @type {Record<string, number>} a heading of the table, and where its column ends */
const COLUMNS = {fit: 0.44, parameters: 0.67, products: 0.87, ms: 1},
  UNTIMED = {fit: 0.5, parameters: 0.78, products: 1} // before anything was timed
const NOTHING = '–'

/** @param {Values} settings */
const parsed = settings => ({
  ...trainingNumbers(settings),
  depth: Number(settings.depth),
})

/** The network of a variant: of width 32, or of the width that brings its number of parameters closest to that of the plain one. @param {string} name @param {Values} settings @returns {NetworkArchitecture} */
function architectureOf(name, settings) {
  const {depth} = parsed(settings)
  const {norm, initialization, budget, task} = settings
  const skip = SKIPS[name] ?? 'additive'
  const unit = name === 'residual_relu' || name === 'highway' ? 'one-layer' : 'pre-activation'
  const sized = (/** @type {number} */ width, /** @type {number} */ growth) => ({
    ...{depth: depth + 2, width, skip, norm, unit, initialization, final_norm: false, growth},
  })
  if (budget === 'width' || name === 'plain') return sized(WIDTH, GROWTH)
  const target = parametersOf(architectureOf('plain', settings), task)
  const sizes = Array.from({length: 2 * WIDTH - 2}, (_, index) => index + 2)
  const tried = sizes.map(size => (name === 'dense' ? sized(WIDTH, size) : sized(size, GROWTH)))
  const away = tried.map(architecture => Math.abs(parametersOf(architecture, task) - target))
  return tried[away.indexOf(Math.min(...away))]
}

/** @param {NetworkArchitecture} architecture @param {string} task */
const layoutFor = (architecture, task) => layoutOf(architecture, TASKS[task].features, TASKS[task].classes)

/** @param {NetworkArchitecture} architecture @param {string} task */
const parametersOf = (architecture, task) => layoutFor(architecture, task).size

/** Multiplications by weights for one point in the forward pass. @param {NetworkArchitecture} architecture @param {string} task */
function multiplications(architecture, task) {
  const {layers, gates} = layoutFor(architecture, task)
  return [...layers, ...gates].reduce((total, {rows, columns}) => total + rows * columns, 0)
}

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const recipe = recipeOf({...settings, optimizer: 'adam'}, BATCH, CURVE)
  const shared = {recipe, data: TASKS[settings.task].data, seeds: seedsOf(settings)}
  const usual = NAMES.map(name => [name, {...shared, architecture: architectureOf(name, settings)}])
  const {thinned, ...others} = Object.fromEntries(usual)
  const architecture = {...thinned.architecture, skip: 'rezero'}
  return {...others, thinned: {...thinned, architecture, recipe: {...recipe, record_every: NEVER}}}
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(runs, settings) {
  const {trainingSteps, depth} = parsed(settings)
  const {task} = settings
  const architectures = NAMES.map(name => architectureOf(name, settings))
  const /** @type {Record<string, Quantity>} */ quantities = {steps: steps(runs.plain)},
    /** @type {Record<string, number>} */ results = {}
  for (const [index, [name, words]] of Object.entries(VARIANTS).entries()) {
    const {records, now, seeds, milliseconds} = runs[name]
    Object.assign(quantities, recordBands(records, `${name}_`, `${words}: `))
    const label = `${words}: norm of the weight gradient, median of the seeds`
    const gradients = medians(now.weight_gradients, seeds)
    quantities[`${name}_gradients`] = quantity(gradients, label, 'loss per unit of weight', ['layer'])
    const {train_error: errors, train_loss: losses} = records[records.length - 1]
    const {width, growth = GROWTH} = architectures[index]
    results[`${name}_fits`] = errors.filter(error => error <= FITS).length
    results[`${name}_loss`] = median(losses)
    results[`${name}_parameters`] = parametersOf(architectures[index], task)
    results[`${name}_width`] = name === 'dense' ? growth : width
    // Stochastic depth does not run inside the engine.
    if (name !== 'thinned' && typeof milliseconds === 'number') results[`${name}_milliseconds`] = milliseconds
  }
  const whole = (/** @type {number[]} */ values, /** @type {string} */ label, unit = 'numbers') =>
    quantity(Int32Array.from(values), label, unit, ['variant'])
  const kept = architectures.map(architecture => keptBytes(architecture, BATCH))
  const products = architectures.map(architecture => multiplications(architecture, task))
  const sizes = NAMES.map(name => results[`${name}_parameters`])
  const {gates} = /** @type {import('../observers/variants.js').Gates} */ (runs.highway.observed)
  const {factors} = /** @type {import('../observers/variants.js').Factors} */ (runs.rezero.observed)
  const [axes, shape] = [
    ['seed', 'block'],
    [runs.plain.seeds, depth],
  ]
  Object.assign(quantities, {
    kept: whole(kept, 'activations kept, one seed', 'bytes'),
    parameters: whole(sizes, 'parameters'),
    multiplications: whole(products, 'multiplications of the matrices for one point, forward'),
    gates: quantity(gates, 'highway: mean opening of the gate', 'share', axes, shape),
    factors: quantity(Float32Array.from(factors), 'ReZero: α', 'relative', axes, shape),
  })
  return {
    quantities,
    results,
    counts: COUNTS,
    step: runs.plain.step,
    steps: trainingSteps,
    diverged: Object.entries(VARIANTS).flatMap(([name, words]) => divergences(runs[name], words)),
  }
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({step, steps, results, quantities}, settings) {
  const {depth, seeds} = parsed(settings)
  const when = step ? `After ${last(quantities.steps.values)} of ${steps} steps` : 'Before the first step'
  const fits = Object.entries(VARIANTS).map(([name, words]) => `${words} ${results[`${name}_fits`]}`)
  const gates = Float64Array.from(quantities.gates.values)
  const open = formatted((100 * sum(gates)) / gates.length, '.0f')
  return (
    `${when} with ${depth} blocks, seeds that fit, of ${seeds}: ${fits.join(', ')}. The gates of the highway network are ` +
    `${open}% open on average.`
  )
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {depth, learningRate, seeds, seed} = parsed(settings)
  const equal =
    settings.budget === 'width'
      ? `All have width ${WIDTH} (dense: ${GROWTH} features per block).`
      : "Widths, and the dense network's growth, are chosen so that the number of parameters is as close as " +
        'possible to that of the plain network of width 32.'
  return {
    network:
      `Multilayer perceptrons with ${depth} one-layer blocks, ${settings.norm === 'pre-layer' ? 'Pre-LN' : 'no norm'}. ` +
      `${equal} A block begins with its ReLU. The blocks of the highway network, as published, and of the additive one ` +
      'called "ReLU last" end in it instead. Stochastic depth leaves out the last block in half of the steps and the first ones rarely; ' +
      'otherwise it is the additive network.',
    data: `${TASKS[settings.task].sentence}; batches of ${BATCH}.`,
    seeds:
      `${seeds} (from ${seed}), the same for all; a line is their median, a band their whole range; Adam at ` +
      `${number(learningRate)} for all. A seed fits if at most ${100 * FITS}% of its training points are ` +
      'misclassified.',
    cannot_show:
      "Convolutions, images, and how each would do at a rate of its own. Times are milliseconds on this browser's clock " +
      'per step of one seed, the shortest in this run; they are not saved. They depend on this program: a fused kernel ' +
      'for one of the networks would change their order.',
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
  const {quantities, results, step, steps: total} = frame
  const {depth, seeds} = parsed(settings)
  const numbers = (/** @type {string} */ name) => Array.from(quantities[name].values)
  const bands = Object.fromEntries(NAMES.map(name => [name, band(frame, `${name}_${settings.measure}_loss`)]))
  const strips = Object.entries(VARIANTS).map(([name, label]) => ({
    ...{name, label, gradients: numbers(`${name}_gradients`), loss: bands[name].map(last)},
    fits: step ? `${results[`${name}_fits`]} of ${seeds} fit` : '',
  }))
  showWiredStrips(picture, '_strips', strips)
  picture.curves('_loss', NAMES, quantities.steps.values, total, bands)
  const layers = Array.from({length: depth + 2}, (_, index) => index + 1)
  const gradients = strips.map(({name, gradients: values}) => [name, [values, values, values]])
  picture.curves('_gradients', NAMES, layers, layers.length, Object.fromEntries(gradients))
  const [parameters, products] = [numbers('parameters'), numbers('multiplications')]
  const rows = NAMES.map((name, at) => {
    const time = results[`${name}_milliseconds`]
    return [
      step ? `${results[`${name}_fits`]}/${seeds}` : NOTHING,
      number(parameters[at]),
      number(products[at]),
      time === undefined ? NOTHING : number(Number(time), 2),
    ]
  })
  const columns = NAMES.some(name => `${name}_milliseconds` in results) ? COLUMNS : UNTIMED
  const shown = rows.map(row => row.slice(0, Object.keys(columns).length))
  showKeyTable(picture, '_table', Object.values(VARIANTS), columns, shown)
  const labels = Object.values(VARIANTS)
  const lanes = numbers('kept').map((size, at) => {
    const value = size / 1e6
    return {name: labels[at], value, text: number(value, 2), kind: 'bar'}
  })
  showLanes(picture, '_kept', {kinds: ['bar']}, lanes)
  for (const name of ['gates', 'factors']) {
    const value = numbers(name)
    picture.set(`_dots.${name}`, {data: {block: value.map((_, at) => (at % depth) + 1), value}})
  }
  for (const place of [0, 1]) picture.set(`_blocks.${place}`, {start: 0, end: depth + 1})
  return picture.changes
}
