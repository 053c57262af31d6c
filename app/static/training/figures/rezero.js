// The figure `rezero` without a server: what sims/simulations/depth/rezero.py and app/views/depth/rezero.py do.
// Python stays the source: tests/twins compares everything that both give.
import {number, percent} from '../../shared/numbers.js'
import {divergences} from '../divergence.js'
import {sum} from '../engine/numerics/sums.js'
import {band, branchGradients, median, quantity, recordBand, steps} from '../frame.js'
import {Picture} from '../pictures/picture.js'
import {recipeOf, seedsOf, trainingNumbers} from '../recipe/recipe.js'
import {DATA} from '../recipe/words.js'

export const NAME = 'rezero'
export const TITLE = 'Every factor of ReZero, while it learns'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  blocks: 'int',
  mirrored: 'bool',
  learning_rate: 'float',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

export const COUNTS = ['below', 'above', 'lowest_below', 'highest_below']

const WIDTH = 32,
  BATCH = 64,
  LOOKS = 40 // looks at the factors in a whole run
/** @type {Record<string, string>} */
const CURVES = {rezero: 'ReZero: ', zero: 'last layers from zero: '}
const ERRORS = Object.keys(CURVES).map(name => `${name}_error`)
const TIMES = ['at_start', 'now']
const LAYERS = ['first', 'last'] // of a branch

/** @type {Record<string, number>} where a factor ends, and its sign */
const SIGNS = {above: 1, below: -1}
const ROOM = 1.25 // the end of the axis, relative to the largest factor

/** @param {Values} settings */
const parsed = settings => ({
  ...trainingNumbers(settings),
  blocks: Number(settings.blocks),
})

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {blocks} = parsed(settings)
  const shape = {depth: 2 * blocks + 2, width: WIDTH, norm: 'none', unit: 'two-layer', final_norm: false}
  const recipe = {...recipeOf({...settings, optimizer: 'adam'}, BATCH, LOOKS), clip: 1}
  const shared = {recipe, data: 'digits', seeds: seedsOf(settings)}
  return {
    rezero: {...shared, architecture: {...shape, skip: 'rezero', initialization: 'he'}},
    zero: {...shared, architecture: {...shape, skip: 'additive', initialization: 'zero-last'}},
  }
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame({rezero, zero}, settings) {
  const {blocks, trainingSteps} = parsed(settings)
  const {factors, now} = /** @type {import('../observers/rezero.js').Factors} */ (rezero.observed)
  const recorded = steps(rezero)
  const looks = factors.length / blocks
  const /** @type {Record<string, Quantity>} */ quantities = {
      steps: {...recorded, axes: ['look']},
      factors: quantity(factors, 'factor, first seed', 'relative', ['look', 'block'], [looks, blocks]),
      records: recorded,
    }
  for (const [name, run] of Object.entries({rezero, zero}))
    Object.assign(quantities, recordBand(run.records, 'train_error', `${name}_error`, CURVES[name]))
  for (const [name, record] of /** @type {[string, TrainingRecord][]} */ ([
    ['at_start', rezero.records[0]],
    ['now', rezero.now],
  ])) {
    for (const [layer, values] of Object.entries(branchGradients(record, rezero.seeds))) {
      const label = `gradient of the ${layer} matrix of a branch, ${name.replace('_', ' ')}, median of the seeds`
      quantities[`${layer}_${name}`] = quantity(values, label, 'loss per unit of weight', ['block'])
    }
  }
  const first = now.subarray(0, blocks)
  const below = Array.from({length: rezero.seeds}, (_, seed) =>
    now.subarray(seed * blocks, (seed + 1) * blocks).reduce((count, factor) => count + Number(factor < 0), 0),
  )
  return {
    quantities,
    results: {
      below: below[0],
      above: first.filter(factor => factor > 0).length,
      lowest_below: Math.min(...below),
      highest_below: Math.max(...below),
      size: sum(now.map(Math.abs)) / now.length,
      rezero_error: median(rezero.now.train_error),
      zero_error: median(zero.now.train_error),
    },
    counts: COUNTS,
    step: rezero.step,
    steps: trainingSteps,
    diverged: [...divergences(rezero, 'ReZero'), ...divergences(zero, 'zero last layers')],
  }
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({step, results}, settings) {
  const {blocks, seeds} = parsed(settings)
  if (!step) return `Before the first step all ${blocks} factors are exactly 0, and every branch is silent.`
  const [size, rezero, zero] = ['size', 'rezero_error', 'zero_error'].map(name => Number(results[name]))
  const range = `Over ${seeds} seeds, ${results.lowest_below} to ${results.highest_below} are below. `
  return (
    `After ${step} steps, ${results.below} of ${blocks} factors are below 0 and ${results.above} above; their mean size ` +
    `is ${number(size, 2)}. ${seeds > 1 ? range : ''}` +
    `Training errors: ${percent(rezero)} with ReZero, ${percent(zero)} with last layers that start at zero.`
  )
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {blocks, learningRate, seeds, seed} = parsed(settings)
  const turned = settings.mirrored === 'yes' ? ', every last layer multiplied by −1 at the start' : ''
  return {
    network:
      `A residual ReLU network of ${blocks} two-layer blocks of width ${WIDTH} without norms; He weights${turned}, one ` +
      `learned factor for each branch, from 0. Adam at ${number(learningRate)} for weights and factors alike, batches ` +
      `of ${BATCH}.`,
    data: DATA.digits,
    seeds: `${seeds} (from ${seed}); lines show the first, errors the median and the whole range.`,
    cannot_show:
      "The transformers and convolutional networks of the paper, or what a factor's size says about its block: remove " +
      'the block to learn that.',
  }
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 */
export function update(names, frame) {
  const picture = new Picture(names)
  const {quantities, step, steps: total} = frame
  const seen = Array.from(quantities.steps.values)
  showFactors(picture, quantities.factors, seen, step, total)
  for (const time of TIMES) {
    const groups = Object.fromEntries(LAYERS.map(layer => [layer, quantities[`${layer}_${time}`].values]))
    picture.logBars(`_bars.${time}`, LAYERS, groups)
  }
  const bands = Object.fromEntries(ERRORS.map(name => [name, band(frame, name)]))
  picture.curves('_errors', ERRORS, quantities.records.values, total, bands, false)
  return picture.changes
}

/**
 * A line for every factor, by its sign at the end.
 * @param {Picture} picture @param {Quantity} factors @param {number[]} seen the steps of the looks @param {number} step
 * @param {number} total
 */
function showFactors(picture, {values, shape: [looks, blocks]}, seen, step, total) {
  const lines = Array.from({length: blocks}, (_, block) => seen.map((_, look) => values[look * blocks + block]))
  const end = lines.map(line => line[looks - 1] || 0) // a factor that is not a number counts as 0
  const sizes = Array.from(values, Math.abs).filter(size => !Number.isNaN(size))
  const most = Math.max(...sizes, 0.01) * ROOM
  picture.set('_tips', {data: {x: end.map(() => seen[looks - 1]), y: end}})
  picture.set('_fan.x_range', {start: 0, end: total})
  picture.set('_fan.y_range', {start: -most, end: most})
  for (const [name, sign] of Object.entries(SIGNS)) {
    const y = lines.filter((_, block) => Math.sign(end[block]) === sign)
    picture.set(`_lines.${name}`, {data: {x: y.map(() => seen), y}})
    const text = step ? [`${y.length} ${name} 0`] : []
    picture.set(`_words.${name}`, {data: {x: text.map(() => total), y: text.map(() => 0.6 * sign * most), text}})
  }
}
