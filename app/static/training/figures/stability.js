// The figure `stability` without a server: what sims/simulations/norm_placement/stability.py and
// app/views/norm_placement/stability.py do. Python stays the source: tests/twins compares everything that both give.
import {formatted, number, percent} from '../../shared/numbers.js'
import {TASKS} from '../comparisons/entrants.js'
import {gradientRatio} from '../comparisons/gradient-ratio.js'
import {divergences} from '../divergence.js'
import {nearest} from '../explorer/maps.js'
import {highest, lowest, median, medians, momentsOf, quantity, worded} from '../frame.js'
import {Picture} from '../pictures/picture.js'
import {seedsOf, trainingNumbers} from '../recipe/recipe.js'

export const NAME = 'stability'
export const TITLE = 'Which placement trains?'
export const DIVISIBLE = true

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  placement: 'text',
  learning_rate: 'float',
  depth: 'int',
  network: 'text',
  warmup: 'int',
  clip: 'float',
  optimizer: 'text',
  initialization: 'text',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

/** The names of the two placements in the results. */
const SIDES = ['beside', 'pre']
export const COUNTS = [...SIDES.map(side => `${side}_trains`), 'cells']

/** The label of each placement, the norm, and whether one more norm precedes the head. @type {Record<string, [label: string, norm: string, ends: boolean]>} */
const PLACEMENTS = {
  post: ['Post-LN', 'post-layer', false],
  pre: ['Pre-LN', 'pre-layer', true],
  'pre-open': ['Pre-LN without final norm', 'pre-layer', false],
  peri: ['Peri-LN', 'peri-layer', true],
  deep: ['DeepNorm', 'deep-norm', false],
}
const BESIDE = 'pre'
const DEPTHS = [4, 8, 16, 32]
const RATES = [1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1]
const PLACES = Math.max(...DEPTHS) + 1
const WIDTH = 16,
  HIDDEN = 32,
  TOKENS = 8,
  HEADS = 2,
  STACK_WIDTH = 32
const CURVE = 8 // records of a run after the first

/** @type {Record<string, {data: DataSource, batch: number, classes: number, sentence: string}>} */
const NETWORKS = {
  transformer: {
    data: {name: 'digits', arguments: {points: 512}},
    batch: 32,
    classes: 10,
    sentence: '512 of 1,797 real images of handwritten digits, 8 × 8 pixels each, and 128 others held out for testing',
  },
  perceptron: {data: {name: 'spirals', arguments: {}}, batch: 64, classes: 2, sentence: TASKS.spirals.sentence},
}

/** The label of each quantity over the places of the stream. @type {Record<string, string>} */
const PROFILES = {
  stream_gradients_start: 'gradient of the stream before training',
  stream_gradients_now: 'gradient of the stream now',
  activations_start: 'root mean square of the stream before training',
  activations_now: 'root mean square of the stream now',
}

/** @param {Values} settings */
const parsed = settings => ({
  ...trainingNumbers(settings),
  depth: Number(settings.depth),
  pair: [settings.placement, BESIDE],
  chosen: NETWORKS[settings.network],
})

/** All cells of both maps, in the order of the frame's arrays. @param {Values} settings */
const cellsOf = settings =>
  parsed(settings).pair.flatMap(placement =>
    DEPTHS.flatMap(depth => RATES.map(rate => ({placement, depth, rate, name: `${placement} ${depth} ${rate}`}))),
  )

/** The place of a cell of either map. @param {number} side @param {number} row @param {number} column */
const placeOf = (side, row, column) => (side * DEPTHS.length + row) * RATES.length + column

/** @param {string} placement @param {number} depth @param {Values} settings @returns {NetworkArchitecture | TransformerArchitecture} */
function architectureOf(placement, depth, {network, initialization}) {
  const [, norm, finalNorm] = PLACEMENTS[placement]
  if (network === 'transformer')
    return {
      ...{depth, norm, initialization, final_norm: finalNorm},
      ...{width: WIDTH, hidden: HIDDEN, tokens: TOKENS, heads: HEADS},
    }
  return {
    ...{depth: depth + 2, width: STACK_WIDTH, norm, initialization, final_norm: finalNorm},
    ...{skip: 'additive', unit: 'pre-activation'},
  }
}

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {trainingSteps, chosen} = parsed(settings)
  const recipe = {
    optimizer: settings.optimizer,
    batch: chosen.batch,
    record_every: Math.floor(trainingSteps / CURVE),
    warmup: Number(settings.warmup),
    clip: Number(settings.clip) || null,
  }
  const seeds = seedsOf(settings)
  return Object.fromEntries(
    cellsOf(settings).map(({placement, depth, rate, name}) => [
      name,
      {
        architecture: architectureOf(placement, depth, settings),
        recipe: {...recipe, learning_rate: rate},
        data: chosen.data,
        seeds,
      },
    ]),
  )
}

// -- the frame -----------------------------------------------------------------------------------------------------

/** Outcomes of a cell, by their codes. */
const OUTCOMES = ['trains', 'slow', 'stuck', 'diverged']
const [TRAINS, SLOW, STUCK, DIVERGED] = OUTCOMES.keys()
const OPEN = -1 // not known yet

/** The training error of a cell, and the code of its outcome: sims/instruments/training/map_cell.py. @param {TrainingRun} run @param {number} classes @param {boolean} ended */
function outcomeOf({now, overflows, seeds}, classes, ended) {
  const error = median(now.train_error.map((share, seed) => (overflows[seed] ? 1 : share)))
  const guessing = 1 - 1 / classes
  if (overflows.filter(Boolean).length / seeds > 0.5) return {error, code: DIVERGED}
  if (error < 0.1 * guessing) return {error, code: TRAINS}
  if (!ended) return {error, code: OPEN}
  return {error, code: error < 0.9 * guessing ? SLOW : STUCK}
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(runs, settings) {
  const {trainingSteps, pair, chosen} = parsed(settings)
  const all = cellsOf(settings).map(({name}) => runs[name])
  const [{step}] = all
  const moments = all.map(({records, now}) => momentsOf(records, now))
  const ended = step === trainingSteps
  const outcomes = step ? all.map(run => outcomeOf(run, chosen.classes, ended)) : []
  const map = [pair.length, DEPTHS.length, RATES.length],
    axes = ['placement', 'depth', 'rate']
  const times = moments[0].length
  const overTime = (/** @type {(record: TrainingRecord) => number} */ of, /** @type {string} */ label, unit = 'nats') =>
    quantity(Float64Array.from(moments.flat(), of), label, unit, [...axes, 'record'], [...map, times])
  const codes = Int32Array.from(all, (_, cell) => outcomes[cell]?.code ?? OPEN)
  const trains = SIDES.map((side, at) => [
    `${side}_trains`,
    codes.subarray(placeOf(at, 0, 0), placeOf(at + 1, 0, 0)).filter(code => code === TRAINS).length,
  ])
  const labels = pair.map(placement => PLACEMENTS[placement][0])
  const [{seeds}] = all
  return {
    quantities: {
      steps: quantity(
        Int32Array.from(moments[0], record => record.step),
        'training step',
        'steps',
        ['record'],
      ),
      placement: worded(labels, 'norm', 'name', ['placement']),
      depth: quantity(Int32Array.from(DEPTHS), 'depth', 'additions', ['depth']),
      rate: quantity(Float64Array.from(RATES), 'learning rate', 'relative', ['rate']),
      error: quantity(
        Float64Array.from(all, (_, cell) => outcomes[cell]?.error ?? NaN),
        'training error, median of the seeds',
        'share of wrong answers',
        axes,
        map,
      ),
      outcome: quantity(codes, `-1 open, else ${OUTCOMES.join(', ')} from 0`, 'code', axes, map),
      loss: overTime(record => median(record.train_loss), 'training loss, median of the seeds'),
      loss_low: overTime(record => lowest(record.train_loss), 'training loss, lowest seed'),
      loss_high: overTime(record => highest(record.train_loss), 'training loss, highest seed'),
      ratio: overTime(
        record => gradientRatio(record, seeds),
        'gradient before the first addition over that after the last',
        'relative',
      ),
      ...profiles(all, [...axes, 'place'], [...map, PLACES]),
    },
    results: {...Object.fromEntries(trains), cells: DEPTHS.length * RATES.length},
    counts: COUNTS,
    step,
    steps: trainingSteps,
    diverged: divergencesOf(runs, settings),
  }
}

/** Along the stream of every cell; a shallow network has fewer places. @param {TrainingRun[]} runs @param {string[]} axes @param {number[]} shape */
function profiles(runs, axes, shape) {
  const entries = Object.entries(PROFILES).map(([name, label]) => {
    const kind = /** @type {'stream_gradients' | 'activations'} */ (name.replace(/_(start|now)$/, ''))
    const values = new Float64Array(runs.length * PLACES).fill(NaN)
    for (const [cell, {records, now, seeds}] of runs.entries())
      values.set(medians((name.endsWith('start') ? records[0] : now)[kind], seeds), cell * PLACES)
    return [name, quantity(values, `${label}, median of the seeds`, 'relative', axes, shape)]
  })
  return Object.fromEntries(entries)
}

/** For each placement, the first cell of its map in which a seed diverged, and the number of such cells. @param {Record<string, TrainingRun>} runs @param {Values} settings */
function divergencesOf(runs, settings) {
  return parsed(settings).pair.flatMap(placement => {
    const cells = cellsOf(settings).filter(cell => cell.placement === placement)
    const lost = cells.filter(({name}) => runs[name].overflows.some(Boolean))
    const also = ` Seeds were lost in ${lost.length} of the ${cells.length} cells of this map.`
    return lost.slice(0, 1).flatMap(({name, depth, rate}) => {
      const where = `${PLACEMENTS[placement][0]} (depth ${depth}, learning rate ${number(rate)})`
      return divergences(runs[name], where).map(divergence => ({...divergence, cause: divergence.cause + also}))
    })
  })
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({quantities, results, step, steps}, settings) {
  const {depth, learningRate, pair} = parsed(settings)
  const labels = pair.map(placement => PLACEMENTS[placement][0])
  const where = `At depth ${depth} and learning rate ${number(learningRate)}`
  if (!step) return `Nothing is trained yet. ${where}, ${labels.join(' and ')} will be compared.`
  const times = quantities.steps.values.length
  const parts = labels.map((label, side) => {
    const cell = placeOf(side, DEPTHS.indexOf(depth), RATES.indexOf(learningRate))
    const ratio = quantities.ratio.values[(cell + 1) * times - 1]
    const back = Number.isFinite(ratio) ? ` (gradient at the input over that at the output: ${number(ratio, 2)})` : ''
    return `${label} has ${percent(quantities.error.values[cell])} training error${back}`
  })
  const counts = labels.map((label, side) => `${results[`${SIDES[side]}_trains`]} with ${label}`)
  return (
    `${where}, after ${step} of ${steps} steps, ${parts.join(' and ')}. Of ${results.cells} cells of each map, ` +
    `${counts.join(' and ')} train.`
  )
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {trainingSteps, seeds, seed, pair, chosen} = parsed(settings)
  const network =
    settings.network === 'transformer'
      ? `Transformers of 4 to 32 sublayers (attention with ${HEADS} heads and feed-forward in turn), width ${WIDTH}, ` +
        `${HIDDEN} hidden units, no learned gains; the ${TOKENS} rows of an image are its tokens.`
      : `4 to 32 blocks of one linear layer of width ${STACK_WIDTH} and a ReLU, no learned gains.`
  return {
    network: `${pair.map(placement => PLACEMENTS[placement][0]).join(' and ')}: ${network}`,
    data: `${chosen.sentence}; batches of ${chosen.batch}.`,
    seeds:
      `${seeds} (from ${seed}) in every cell, the same for all; numbers and lines are their median, the band their ` +
      `whole range; ${trainingSteps} steps. A cell counts as trained if its error at the end is below a tenth of ` +
      'the error that guessing gives, and as stuck if it is above nine tenths; it has diverged where most seeds ' +
      'overflowed.',
    cannot_show:
      'What more steps would do, and what large models do: a placement that fails here may work with another width, ' +
      'task or initialization.',
  }
}

// -- the picture ---------------------------------------------------------------------------------------------------

const FILLS = [...OUTCOMES, 'not trained yet']
const ROWS = DEPTHS.length
const TOPS = [2 * ROWS + 2.05, ROWS + 0.55] // heights of the names of the two maps
const FOOT = -0.05,
  HEAD = 2 * ROWS + 2.6

/** The center of the cells of a depth in the map of a side. @param {number} side @param {number} row */
const heightOf = (side, row) => TOPS[side] - 1.05 - row

/**
 * The cell under the pointer; between the maps, only its learning rate.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 */
export function pointed(names, {event_name: kind = '', origin, x, y}) {
  if (origin?.id !== names._maps || !['tap', 'pan'].includes(kind)) return null
  if (typeof x !== 'number' || typeof y !== 'number' || !(y >= FOOT && y <= HEAD)) return null
  const column = nearest(x)
  if (!(column >= 0 && column < RATES.length)) return null
  const /** @type {Values} */ chosen = {learning_rate: String(RATES[column])}
  for (const side of SIDES.keys())
    for (const [row, depth] of DEPTHS.entries())
      if (Math.abs(y - heightOf(side, row)) <= 0.5) chosen.depth = String(depth)
  return chosen
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, frame, settings) {
  const picture = new Picture(names)
  const {quantities, steps: end} = frame
  const {depth, learningRate, pair} = parsed(settings)
  const row = DEPTHS.indexOf(depth),
    column = RATES.indexOf(learningRate)
  showMaps(picture, frame, pair, row, column)
  const steps = Array.from(quantities.steps.values)
  // A row of an array whose last axis is of this length, for the framed cell of a side
  const framed = (/** @type {string} */ name, /** @type {number} */ side, /** @type {number} */ length) => {
    const cell = placeOf(side, row, column)
    return Array.from(quantities[name].values.subarray(cell * length, (cell + 1) * length))
  }
  const losses = SIDES.map((_, side) => ['loss_low', 'loss', 'loss_high'].map(name => framed(name, side, steps.length)))
  const ratios = SIDES.map((_, side) => framed('ratio', side, steps.length))
  for (const [side, name] of SIDES.entries()) {
    const [low, middle, high] = losses[side]
    picture.set(`_loss.${name}`, {data: {x: steps, low, middle, high}})
    picture.set(`_ratio.${name}`, {data: {x: steps, y: ratios[side]}})
  }
  for (const [path, curves] of /** @type {[string, number[][]][]} */ ([
    ['_loss_figure', losses.flat()],
    ['_ratio_figure', ratios],
  ])) {
    picture.set(`${path}.x_range`, {end})
    picture.fit(path, curves)
    for (const [side, placement] of pair.entries())
      picture.set(`${path}.legend.0.items.${side}`, {label: {type: 'value', value: PLACEMENTS[placement][0]}})
  }
  const x = Array.from({length: depth + 1}, (_, place) => place)
  for (const kind of ['stream_gradients', 'activations']) {
    const lines = SIDES.map((_, side) => ['start', 'now'].map(time => framed(`${kind}_${time}`, side, PLACES)))
    for (const [side, name] of SIDES.entries()) {
      const [start, now] = lines[side].map(values => values.slice(0, x.length))
      picture.set(`_along.${kind}.1.${name}`, {data: {x, start, now}})
    }
    picture.set(`_along.${kind}.0.x_range`, {end: depth})
    picture.fit(`_along.${kind}.0`, lines.flat())
  }
  return picture.changes
}

/** @param {Picture} picture @param {TrainingFrame} frame @param {string[]} pair @param {number} row @param {number} column of the framed cell */
function showMaps(picture, {quantities, results, step}, pair, row, column) {
  const {error, outcome} = quantities
  const cells = SIDES.flatMap((_, side) =>
    DEPTHS.flatMap((_, row) =>
      RATES.map((_, x) => {
        const place = placeOf(side, row, x)
        const [code, share] = [outcome.values[place], error.values[place]]
        const text = Number.isFinite(share) ? `${formatted(100 * share, '.0f')}%` : '·'
        return {
          x,
          y: heightOf(side, row),
          word: OUTCOMES[code] ?? 'not trained yet',
          text: code === DIVERGED ? '∞' : text,
        }
      }),
    ),
  )
  const placed = (/** @type {{x: number, y: number}[]} */ points) => ({
    x: points.map(({x}) => x),
    y: points.map(({y}) => y),
  })
  for (const word of FILLS) picture.set(`_cells.${word}`, {data: placed(cells.filter(cell => cell.word === word))})
  picture.set('_texts', {data: {...placed(cells), text: cells.map(({text}) => text)}})
  picture.set('_names', {
    data: {x: TOPS.map(() => -0.45), y: TOPS, text: pair.map(placement => PLACEMENTS[placement][0])},
  })
  const counts = SIDES.map(side =>
    step ? `${results[`${side}_trains`]} of ${results.cells} cells train` : 'not trained yet',
  )
  picture.set('_counts', {data: {x: TOPS.map(() => RATES.length - 0.53), y: TOPS, text: counts}})
  picture.set('_chosen', {data: placed(SIDES.map((_, side) => ({x: column, y: heightOf(side, row)})))})
  picture.set('_column', {data: {x: [column], y: [(TOPS[0] + FOOT) / 2 - 0.2]}})
}
