// The figure `interactions` without a server: what sims/simulations/design_choices/interactions.py and
// app/views/design_choices/interactions.py do. Python stays the source: tests/twins compares everything that both give.
import {number} from '../../shared/numbers.js'
import {divergences} from '../divergence.js'
import {highest, lowest, median, quantity, steps} from '../frame.js'
import {Picture} from '../pictures/picture.js'
import {recipeOf, seedsOf, trainingNumbers} from '../recipe/recipe.js'

export const NAME = 'interactions'
export const TITLE = 'Every skip with every norm'
export const DIVISIBLE = true

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  depth: 'int',
  learning_rate: 'float',
  initialization: 'text',
  optimizer: 'text',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

export const COUNTS = ['whole', 'nothing', 'networks']

/** @type {Record<string, string>} the names on the page of all rows */
const SKIPS = {none: 'no skip', additive: 'additive', rezero: 'ReZero', highway: 'highway', dense: 'dense'}
/** @type {Record<string, string>} and of all columns */
const NORMS = {none: 'no norm', batch: 'BatchNorm', 'pre-layer': 'Pre-LN', 'post-layer': 'Post-LN'}
const ROWS = Object.keys(SKIPS).length,
  COLUMNS = Object.keys(NORMS).length

/** All cells of the table, row by row; there is a reason if a cell has no network. */
const CELLS = Object.keys(SKIPS).flatMap((skip, row) =>
  Object.keys(NORMS).map((norm, column) => ({
    ...{skip, norm, row, column, place: row * COLUMNS + column, name: `${skip} ${norm}`},
    impossible: skip === 'dense' && norm === 'post-layer' ? 'no sum to\nnormalize' : '',
  })),
)

const CURVE = 30, // points of a curve over a whole run
  WIDTH = 32,
  BATCH = 64
const FITS = 0.05 // the largest training error of a network that fits

// The picture of a cell, whose height is 1.
const ROOM = 0.07,
  HEAD = 0.4
const FOOT = 0.55 // height of the row of counts below the table
const FLOOR = 1e-4,
  CEILING = 2
const KINDS = ['all', 'some', 'none', 'lost', 'open'] // of cells, by how many seeds fit

/** @param {Values} settings */
const parsed = settings => ({
  ...trainingNumbers(settings),
  depth: Number(settings.depth),
})

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {depth} = parsed(settings)
  const {initialization} = settings
  const recipe = recipeOf(settings, BATCH, CURVE),
    seeds = seedsOf(settings)
  const shared = {recipe, data: {name: 'spirals', arguments: {}}, seeds}
  const possible = CELLS.filter(({impossible}) => !impossible)
  return Object.fromEntries(
    possible.map(({name, skip, norm}) => {
      const unit = skip === 'highway' ? 'one-layer' : 'pre-activation'
      return [
        name,
        {...shared, architecture: {depth, width: WIDTH, skip, norm, unit, initialization, final_norm: false}},
      ]
    }),
  )
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(runs, settings) {
  const {trainingSteps, seeds} = parsed(settings)
  const [anyRun] = Object.values(runs)
  const count = anyRun.records.length
  const statistics = [median, lowest, highest]
  const losses = statistics.map(() => new Float64Array(CELLS.length * count).fill(Number.NaN))
  const fits = new Int32Array(CELLS.length).fill(-1),
    lost = new Int32Array(CELLS.length)
  for (const {name, place} of CELLS) {
    const run = runs[name]
    if (!run) continue
    for (const [index, statistic] of statistics.entries())
      for (const [at, record] of run.records.entries()) losses[index][place * count + at] = statistic(record.train_loss)
    lost[place] = run.overflows.filter(overflow => overflow !== null).length
    fits[place] = run.now.train_error.filter(error => error <= FITS).length
  }
  const shape = [ROWS, COLUMNS]
  const axes = ['skip', 'norm']
  const [middle, low, high] = ['median of the seeds', 'lowest seed', 'highest seed'].map((which, index) =>
    quantity(losses[index], `training loss, ${which}`, 'nats', [...axes, 'record'], [...shape, count]),
  )
  return {
    quantities: {
      steps: steps(anyRun),
      loss: middle,
      loss_low: low,
      loss_high: high,
      fits: quantity(fits, 'seeds that fit, -1 where there is no such network', 'seeds', axes, shape),
      lost: quantity(lost, 'seeds that overflowed', 'seeds', axes, shape),
    },
    results: {
      whole: fits.filter(number => number === seeds).length,
      nothing: fits.filter(number => number === 0).length,
      networks: Object.keys(runs).length,
    },
    counts: COUNTS,
    step: anyRun.step,
    steps: trainingSteps,
    diverged: CELLS.filter(({name}) => runs[name]).flatMap(({name, skip, norm}) =>
      divergences(runs[name], `${SKIPS[skip]}, ${NORMS[norm]}`),
    ),
  }
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({results, step, steps, quantities}, settings) {
  const {depth, seeds} = parsed(settings)
  if (!step) return `None of the ${results.networks} combinations of depth ${depth} has been trained yet.`
  const text =
    `After ${step} of ${steps} steps at depth ${depth}, ${results.whole} of ${results.networks} combinations fit with ` +
    'every seed.'
  const whole = CELLS.filter(({place}) => quantities.fits.values[place] === seeds)
  const rows = [...Map.groupBy(whole, ({skip}) => skip)].map(
    ([skip, cells]) => `${SKIPS[skip]} with ${cells.map(({norm}) => NORMS[norm]).join(', ')}`,
  )
  return rows.length ? `${text} Those are: ${rows.join('; ')}.` : text
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {depth, learningRate, trainingSteps, seeds, seed} = parsed(settings)
  return {
    network:
      `Multilayer perceptrons, ${depth} linear layers of width ${WIDTH}, one-layer blocks (dense: 8 features each) that ` +
      'begin with a ReLU; a highway block ends in one, as published. There is no dense network with Post-LN: it has no ' +
      'sum to normalize.',
    data: `256 points on two interleaved spiral arms of 1.5 turns, and 256 more for testing; batches of ${BATCH}.`,
    seeds:
      `${seeds} (from ${seed}), the same for all; a line is their median, a band their whole range. A seed fits if at ` +
      `most ${100 * FITS}% of its training points are misclassified after ${trainingSteps} steps at learning ` +
      `rate ${number(learningRate)}, which is the same for all networks and not tuned.`,
    cannot_show: 'Which combination is best: every cell has a rate that suits it, and this is one rate.',
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
  const {seeds} = parsed(settings)
  const {quantities, step, steps} = frame
  const along = Array.from(quantities.steps.values, at => ROOM + ((1 - 2 * ROOM) * at) / steps)
  const [low, middle, high] = ['loss_low', 'loss', 'loss_high'].map(name =>
    Array.from(quantities[name].values, heightOf),
  )
  /** @typedef {{x: number[], y: number[]}} Curve */
  /** @type {Record<string, {center: [x: number, y: number], band: Curve, line: Curve, text: [x: number, y: number, text: string]}[]>} */
  const cells = Object.fromEntries(KINDS.map(kind => [kind, []]))
  for (const {row, column, place} of CELLS.filter(({impossible}) => !impossible)) {
    const foot = ROWS - 1 - row
    const fits = quantities.fits.values[place],
      lost = quantities.lost.values[place]
    const heights = (/** @type {number[]} */ every) => every.slice(place * along.length, (place + 1) * along.length)
    const whole = (/** @type {number[]} */ every) => every.filter((_, at) => Number.isFinite(heights(middle)[at]))
    const [lowest, line, highest] = [low, middle, high].map(every => whole(heights(every)).map(height => foot + height))
    const x = whole(along).map(place => column + place)
    const failed = lost ? 'lost' : step >= steps ? 'none' : 'open'
    const counted = `${fits} of ${seeds}`
    cells[fits === seeds ? 'all' : fits ? 'some' : failed].push({
      center: [column + 0.5, foot + 0.5],
      band: {x: [...x, ...x.toReversed()], y: [...lowest, ...highest.toReversed()]},
      line: {x, y: line},
      text: [column + 1 - ROOM, foot + 1 - 1.5 * ROOM, lost ? `${counted}\n${lost} overflow` : counted],
    })
  }
  const centers = (/** @type {{center: [x: number, y: number]}[]} */ some) => ({
    x: some.map(({center: [x]}) => x),
    y: some.map(({center: [, y]}) => y),
  })
  const curves = (/** @type {Curve[]} */ some) => ({xs: some.map(({x}) => x), ys: some.map(({y}) => y)})
  const texts = (/** @type {[x: number, y: number, text: string][]} */ some) => ({
    x: some.map(([x]) => x),
    y: some.map(([, y]) => y),
    text: some.map(([, , text]) => text),
  })
  picture.set('_frames', {data: centers(Object.values(cells).flat())})
  const reasons = CELLS.filter(({impossible}) => impossible)
  picture.set('_reasons', {
    data: texts(reasons.map(({row, column, impossible}) => [column + 0.5, ROWS - 1 - row + 0.5, impossible])),
  })
  for (const [kind, some] of Object.entries(cells)) {
    picture.set(`_fills.${kind}`, {data: centers(some)})
    picture.set(`_bands.${kind}`, {data: curves(some.map(({band}) => band))})
    picture.set(`_lines.${kind}`, {data: curves(some.map(({line}) => line))})
    picture.set(`_verdicts.${kind}`, {data: texts(step ? some.map(({text}) => text) : [])})
  }
  const columns = Array.from({length: step ? COLUMNS : 0}, (_, at) => CELLS.filter(({column}) => column === at))
  const totals = columns.map(every => every.map(({place}) => quantities.fits.values[place]))
  picture.set('_totals', {
    data: texts(
      totals.map((fits, at) => [
        .../** @type {[number, number]} */ ([at + 0.5, -FOOT / 2]),
        `${fits.filter(number => number === seeds).length} of ${fits.filter(number => number >= 0).length}`,
      ]),
    ),
  })
  return picture.changes
}

/** The height of a loss in its cell, on a logarithmic scale. @param {number} loss */
function heightOf(loss) {
  const inside = Math.log(Math.min(Math.max(loss, FLOOR), CEILING) / FLOOR) / Math.log(CEILING / FLOOR)
  return ROOM + (1 - ROOM - HEAD) * inside
}
