// The figure `init` without a server: what sims/simulations/design_choices/init.py and app/views/design_choices/init.py do.
// Python stays the source: tests/twins compares everything that both give.
import {number, percent} from '../../shared/numbers.js'
import {divergences} from '../divergence.js'
import {band, bandOf, branchGradients, columnsOf, last, median, quantity, recordBand, steps} from '../frame.js'
import {image, Picture} from '../pictures/picture.js'
import {recipeOf, seedsOf, trainingNumbers} from '../recipe/recipe.js'
import {DATA} from '../recipe/words.js'

export const NAME = 'init'
export const TITLE = 'How a branch begins, and what is left of it'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  blocks: 'int',
  optimizer: 'text',
  learning_rate: 'float',
  look: 'text',
  data: 'text',
  width: 'int',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

export const COUNTS = /** @type {string[]} */ ([])

export const CURVE = 30 // points of a curve over a whole run
export const SEEN = [0, 1, 10] // the early steps whose maps are kept
export const SIDE = 64 // points along each side of a map
const BATCH = 64

/** @type {Record<string, string>} the labels of all starts */
const STARTS = {
  usual: 'He',
  zero: 'zero last layers',
  small: 'small last layers',
  multiplied: 'multiplied for good',
  gpt2: "GPT-2's scheme",
}
const NAMES = Object.keys(STARTS)
const LAYERS = ['first', 'last'] // of a branch

const LEFT = 0.02, // room left of zero, a share of the run
  NARROW = 0.5 // share of the run after which the label of a point is on its left

const TALL = 100, // height of a map, and of the words above it
  LINE = 25
const LEFTS = [...SEEN, 'now'].map((_, column) => column * 1.06), // of the maps, in their widths
  FEET = [2 * (TALL + LINE), TALL + LINE, 0]
/** Where the three test points are that a map goes through, in shares of its sides. @type {[number, number][]} */
const CORNERS = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
]

/** @param {Values} settings */
const parsed = settings => ({
  ...trainingNumbers(settings),
  blocks: Number(settings.blocks),
  data: /** @type {'teacher' | 'digits'} */ (settings.data),
  width: Number(settings.width),
})

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {blocks, width, data} = parsed(settings)
  const shape = {
    ...{depth: 2 * blocks + 2, width, skip: 'additive', unit: 'two-layer', norm: 'pre-layer', final_norm: true},
  }
  const shared = {recipe: recipeOf(settings, BATCH, CURVE), data, seeds: seedsOf(settings)}
  return Object.fromEntries(
    NAMES.map(name => {
      const initialization = name === 'zero' ? 'zero-last' : 'he'
      const factor = name === 'multiplied' ? '1/sqrt(blocks)' : '1'
      return [name, {...shared, architecture: {...shape, initialization, branch_factor: factor}}]
    }),
  )
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(runs, settings) {
  const {trainingSteps} = parsed(settings)
  const {usual, multiplied} = runs
  const {apart, compared, maps} = /** @type {import('../observers/init.js').Distances} */ (multiplied.observed)
  const distances = Array.from(compared, (_, at) =>
    Float32Array.from(apart.subarray(at * usual.seeds, (at + 1) * usual.seeds)),
  )
  const early = SEEN.filter(step => step <= usual.step),
    seen = early.includes(usual.step) ? early : [...early, usual.step]
  const between = 'distance between the answers of “small” and “multiplied”'
  const /** @type {Record<string, Quantity>} */ quantities = {
      steps: steps(usual),
      compared: quantity(Int32Array.from(compared), 'step of the comparison', 'steps', ['comparison']),
      ...bandOf(distances, 'apart', between, 'relative', 'comparison'),
      seen: quantity(Int32Array.from(seen), 'step of the maps', 'steps', ['moment']),
      maps: quantity(
        Int32Array.from(maps),
        'answers of “small” and “multiplied” on a plane through three test points, first seed; −1: not finite',
        'class',
        ['moment', 'network', 'row', 'column'],
        [seen.length, 2, SIDE, SIDE],
      ),
    },
    /** @type {Record<string, number>} */ results = {}
  for (const [name, words] of Object.entries(STARTS)) {
    const {now, records, seeds} = runs[name]
    const size = `${words}: root mean square of the stream`
    const sizes = columnsOf(now.activations, seeds)
    Object.assign(quantities, bandOf(sizes, `${name}_stream`, size, 'relative', 'place'))
    Object.assign(quantities, recordBand(records, 'train_error', `${name}_error`, `${words}: `))
    for (const [layer, values] of Object.entries(branchGradients(now, seeds))) {
      const label = `${words}: gradient of the ${layer} layer of a branch, median of the seeds`
      quantities[`${name}_${layer}`] = quantity(values, label, 'loss per unit of weight', ['block'])
    }
    results[`${name}_stream`] = last(quantities[`${name}_stream`].values)
    results[`${name}_error`] = median(now.train_error)
  }
  return {
    quantities,
    results: {...results, apart: last(quantities.apart.values)},
    counts: COUNTS,
    step: usual.step,
    steps: trainingSteps,
    diverged: Object.entries(STARTS).flatMap(([name, words]) => divergences(runs[name], `“${words}”`)),
  }
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({step, steps, results}, settings) {
  const {blocks} = parsed(settings)
  const result = (/** @type {string} */ name) => Number(results[name])
  const when = step ? `After ${step} of ${steps} steps` : 'Before the first step'
  const distance = result('apart')
  const apart = distance === 0 ? 'exactly the same' : `${number(100 * distance)}% of their length apart`
  const errors = Object.entries(STARTS).map(([name, words]) => `${percent(result(`${name}_error`))} (${words})`)
  return (
    `${when}, the answers of the small and the multiplied networks are ${apart}. After ${blocks} blocks, the ` +
    `root mean square of the stream is ${number(result('usual_stream'))} (He), ${number(result('zero_stream'))} (zero) and ` +
    `${number(result('small_stream'))} (small). Training errors, medians: ${errors.join(', ')}.`
  )
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {blocks, width, data, learningRate, seeds, seed} = parsed(settings)
  return {
    network:
      `Pre-LN residual perceptrons, ${blocks} blocks of two layers of width ${width} with ReLU, and a norm before the ` +
      "head. All have the same layers and, except for GPT-2's scheme, the same random numbers. GPT-2's scheme has a " +
      'standard deviation of 0.02 at width 768; here it is scaled to this width.',
    data: DATA[data],
    seeds:
      `${seeds} (from ${seed}); the line is their median, the band their whole range, the maps are of the first seed; ` +
      `batches of ${BATCH}, learning rate ${number(learningRate)}. Gradients are those of the last step taken.`,
    cannot_show:
      'Which initialization is best for a large model, or with a learning rate tuned for each: here all five share one. ' +
      'A map is one plane of many; the line is about all test points.',
  }
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, frame, {look, blocks}) {
  const picture = new Picture(names)
  const {quantities, steps: total} = frame
  const bands = (/** @type {string} */ what) =>
    Object.fromEntries(NAMES.map(name => [name, band(frame, `${name}_${what}`)]))
  const places = Array.from(quantities.usual_stream.values, (_, place) => place)
  picture.curves('_stream', NAMES, places, places.length - 1, bands('stream'))
  picture.curves('_error', NAMES, quantities.steps.values, total, bands('error'), false)
  const distances = band(frame, 'apart'),
    compared = Array.from(quantities.compared.values)
  const highest = Math.max(0, ...distances[2].filter(value => !Number.isNaN(value)))
  picture.set('_axes.0', {start: -LEFT * total})
  picture.set('_axes.1', {end: Number.isFinite(highest) ? Math.max(1, Math.ceil(2 * highest) / 2) : 1})
  picture.curves('_apart', ['apart'], compared, total, {apart: distances}, false)
  showMaps(picture, quantities, total, blocks)
  showLabels(picture, compared, Array.from(distances[0]), total)
  const groups = Object.fromEntries(LAYERS.map(layer => [layer, quantities[`${look}_${layer}`].values]))
  picture.logBars('_gradients', LAYERS, groups)
  return picture.changes
}

/**
 * The classes that both networks answer at each moment, and where they differ.
 * @param {Picture} picture @param {Record<string, Quantity>} quantities @param {number} total @param {string} blocks
 */
function showMaps(picture, {seen, maps}, total, blocks) {
  const steps = Array.from(seen.values),
    size = SIDE ** 2
  const lefts = LEFTS.slice(0, steps.length)
  const [small, multiplied] = [0, 1].map(network =>
    steps.map((_, moment) => Uint8Array.from(maps.values.slice((2 * moment + network) * size).slice(0, size))),
  )
  const differing = small.map((answers, moment) =>
    answers.map((answer, at) => Number(answer !== multiplied[moment][at])),
  )
  const images = (/** @type {Uint8Array[]} */ arrays) => arrays.map(bytes => image(bytes, [SIDE, SIDE]))
  const places = FEET.slice(0, 2).flatMap(foot => lefts.map(left => [left, foot]))
  picture.set('_maps._answers', {
    data: {image: images([...small, ...multiplied]), x: places.map(([x]) => x), y: places.map(([, y]) => y)},
  })
  picture.set('_maps._different', {data: {image: images(differing), x: lefts, y: lefts.map(() => FEET[2])}})
  const points = places.flatMap(([left, foot]) => CORNERS.map(([x, y]) => [left + x, foot + TALL * y]))
  picture.set('_maps._points', {data: {x: points.map(([x]) => x), y: points.map(([, y]) => y)}})
  const names = [
    `“${STARTS.small}”: initial weights × 1/√${blocks}`,
    `“${STARTS.multiplied}”: branches × 1/√${blocks}`,
    'Where they answer differently',
  ]
  picture.set('_maps._names', {data: {x: names.map(() => 0), y: FEET.map(foot => foot + TALL), text: names}})
  const moments = [...steps, ...[...SEEN, total].slice(steps.length)]
  const text = moments.map(step => `step ${step}`)
  picture.set('_maps._moments', {data: {x: LEFTS, y: LEFTS.map(() => FEET[0] + TALL + LINE), text}})
}

/**
 * Labels of the first steps and of the present one.
 * @param {Picture} picture @param {number[]} compared @param {number[]} distances @param {number} total
 */
function showLabels(picture, compared, distances, total) {
  const now = last(compared)
  /** @type {Record<number, string>} */
  const captions = {[now]: `after ${now} steps: `, 0: '0%: the same function', 1: 'after 1 step: '}
  const labels = compared
    .map((x, at) => ({x, y: distances[at], text: (captions[x] ?? '') + (x ? percent(distances[at]) : '')}))
    .filter(({x, y}) => x in captions && Number.isFinite(y))
  const right = labels.filter(({x}) => x > NARROW * total),
    left = labels.filter(label => !right.includes(label))
  const [x, y] = [[...left, ...right].map(({x}) => x), [...left, ...right].map(({y}) => y)]
  for (const [side, rows] of Object.entries({left, right}))
    picture.set(`_words.${side}`, {
      data: {x: rows.map(({x}) => x), y: rows.map(({y}) => y), text: rows.map(({text}) => text)},
    })
  picture.set('_points', {data: {x, y}})
}
