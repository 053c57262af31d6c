// The figure `arena` without a server: what sims/simulations/design_choices/arena.py and app/views/design_choices/arena.py
// do. Python stays the source: tests/twins compares everything that both give.
import {formatted, number, percent} from '../../shared/numbers.js'
import {showCosts} from '../pictures/charts/costs.js'
import {showLanes} from '../pictures/charts/lanes.js'
import {showRace} from '../pictures/charts/race-track.js'
import {keptBytes, parameterCount} from '../comparisons/costs.js'
import {BATCH, DATA, ENTRANTS, FIELDS, GROWTH, TASKS, WIDTH, architectureOf} from '../comparisons/entrants.js'
import {VANISHED, gradientRatio, slope} from '../comparisons/gradient-ratio.js'
import {FINISH, RULE, compared, places, progress, scoreOf} from '../comparisons/standings.js'
import {divergences} from '../divergence.js'
import {band, bandOf, last, median, quantity, recordBands, steps, worded} from '../frame.js'
import {SIDE} from '../observers/arena.js'
import {Picture} from '../pictures/picture.js'
import {recipeOf, seedsOf, trainingNumbers} from '../recipe/recipe.js'

/** @typedef {import('../comparisons/entrants.js').Task} Task */
/** @typedef {import('../comparisons/standings.js').Score} Score */
/** @typedef {import('../observers/arena.js').Raced} Raced */

export const NAME = 'arena'
export const TITLE = 'A race of architectures'
export const DIVISIBLE = true

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  depth: 'int',
  initialization: 'text',
  task: 'text',
  field: 'text',
  measure: 'text',
  learning_rate: 'float',
  optimizer: 'text',
  warmup: 'int',
  branch_factor: 'text',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

/** Results that are whole numbers. */
export const COUNTS = Object.keys(ENTRANTS).flatMap(name => [`${name}_place`, `${name}_finishers`])

/** Points of a curve over a whole race. @type {Record<Task, number>} */
const CURVE = {spirals: 50, digits: 25}

/** @param {Values} settings */
const parsed = settings => ({
  ...trainingNumbers(settings),
  depth: Number(settings.depth),
  task: /** @type {Task} */ (settings.task),
  entrants: FIELDS[settings.field],
})

/** @param {string} name @param {Values} settings */
const networkOf = (name, {depth, task, initialization, branch_factor: factor}) =>
  architectureOf(name, /** @type {Task} */ (task), Number(depth), initialization, factor)

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {task, trainingSteps, entrants} = parsed(settings)
  const recipe = {
    ...recipeOf(settings, BATCH[task], CURVE[task]),
    record_every: Math.max(1, Math.floor(trainingSteps / CURVE[task])),
    warmup: Number(settings.warmup),
  }
  const shared = {recipe, data: DATA[task], seeds: seedsOf(settings)}
  return Object.fromEntries(entrants.map(name => [name, {...shared, architecture: networkOf(name, settings)}]))
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(runs, settings) {
  const {trainingSteps} = parsed(settings)
  const entries = Object.entries(runs)
  const [[, anyRun]] = entries
  const /** @type {Record<string, Quantity>} */ quantities = {steps: steps(anyRun)}
  for (const [name, run] of entries) {
    const label = `${ENTRANTS[name].label}: `
    Object.assign(quantities, recordBands(run.records, `${name}_`, label))
    const words = `${label}training points right, 1 for a seed from its finish on`
    Object.assign(quantities, bandOf(progress(run.records), `${name}_progress`, words, 'share of right answers'))
    const {maps} = /** @type {Raced} */ (run.observed)
    if (!maps.length) continue
    const axes = ['record', 'row', 'column'],
      shape = [maps.length / SIDE ** 2, SIDE, SIDE]
    const answers = `${label}answers over the plane, middle seed`
    quantities[`${name}_maps`] = quantity(maps, answers, '16 class + confidence', axes, shape)
  }
  const scores = Object.fromEntries(entries.map(([name, run]) => [name, scoreOf(run)]))
  const order = places(scores)
  Object.assign(quantities, columns(runs, scores, order, settings))
  const results = resultsOf(runs, scores, order, settings)
  return {
    quantities,
    results,
    counts: Object.keys(results).filter(name => COUNTS.includes(name)),
    step: anyRun.step,
    steps: trainingSteps,
    diverged: entries.flatMap(([name, run]) => divergences(run, ENTRANTS[name].label)),
  }
}

/**
 * What is known of every entrant, a value for each.
 * @param {Record<string, TrainingRun>} runs @param {Record<string, Score>} scores @param {Record<string, number>} order @param {Values} settings
 */
function columns(runs, scores, order, settings) {
  const {task} = parsed(settings)
  const names = Object.keys(runs),
    batch = BATCH[task] ?? TASKS[task].points
  const whole = (/** @type {(name: string) => number} */ of) => Int32Array.from(names, of)
  const real = (/** @type {(name: string) => number} */ of) => Float64Array.from(names, of)
  const ratio = (/** @type {'now' | 'start'} */ when) => (/** @type {string} */ name) => {
    const {now, records, seeds} = runs[name]
    return gradientRatio(when === 'now' ? now : records[0], seeds)
  }
  const health = worded(
    names.map(name => slope(ratio('now')(name))),
    'gradient, now',
    'kind',
    ['entrant'],
  )
  const first = (/** @type {string} */ name) => scores[name].finished[0] ?? Infinity,
    final = (/** @type {string} */ name) => scores[name].finished.at(-1) ?? Infinity
  const described = /** @type {[string, Quantity['values'], string, string][]} */ ([
    ['places', whole(name => order[name]), 'place', 'place'],
    ['finishers', whole(name => scores[name].finished.length), 'seeds across the finish line', 'seeds'],
    ['finish', real(name => scores[name].step), 'step of the finish, median of its seeds', 'steps'],
    ['finish_low', wholeIfFinite(names.map(first)), 'first seed', 'steps'],
    ['finish_high', wholeIfFinite(names.map(final)), 'last seed', 'steps'],
    [
      'gradients_at_start',
      real(ratio('start')),
      'gradient of the stream, first over last, at start, median of the seeds',
      'relative',
    ],
    ['gradients', real(ratio('now')), 'gradient of the stream, first over last, now, median of the seeds', 'relative'],
    ['parameters', whole(name => parameterCount(networkOf(name, settings), TASKS[task])), 'parameters', 'numbers'],
    [
      'kept',
      whole(name => keptBytes(networkOf(name, settings), TASKS[task], batch)),
      'activations kept for the backward pass, one seed',
      'bytes',
    ],
  ])
  const numbers = described.map(([key, values, label, unit]) => [key, quantity(values, label, unit, ['entrant'])])
  const labels = names.map(name => ENTRANTS[name].label)
  const entries = [['entrants', worded(labels, 'entrant', 'name', ['entrant'])], ...numbers]
  entries.splice(6, 0, ['health', health])
  return Object.fromEntries(entries)
}

/** Steps; NumPy makes numbers with a fraction of them if there is an infinity among them. @param {number[]} values */
const wholeIfFinite = values => (values.every(Number.isFinite) ? Int32Array : Float64Array).from(values)

/**
 * @param {Record<string, TrainingRun>} runs @param {Record<string, Score>} scores @param {Record<string, number>} order @param {Values} settings
 */
function resultsOf(runs, scores, order, settings) {
  const first = Object.keys(order).filter(name => order[name] === 1)
  const hasFinished = Object.values(scores).some(({finished}) => finished.length)
  const /** @type {Record<string, number | string>} */ results = {
      winner: hasFinished ? first.map(name => ENTRANTS[name].label).join(' and ') : 'nobody yet',
      guessing: 1 / TASKS[parsed(settings).task].classes,
    }
  for (const [name, {now, milliseconds}] of Object.entries(runs)) {
    results[`${name}_place`] = order[name]
    results[`${name}_finishers`] = scores[name].finished.length
    results[`${name}_error`] = median(now.train_error)
    if (typeof milliseconds === 'number') results[`${name}_milliseconds`] = milliseconds
  }
  return results
}

/**
 * A frame that came as JSON, which does not tell 120.0 from 120.
 * @param {TrainingFrame} frame
 * @returns {TrainingFrame}
 */
export function reread(frame) {
  const {finish} = frame.quantities
  return {...frame, quantities: {...frame.quantities, finish: {...finish, values: Float64Array.from(finish.values)}}}
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe(frame, settings) {
  const {depth, seeds, entrants} = parsed(settings)
  const {places, finishers, finish} = frame.quantities
  const rows = entrants
    .map((name, at) => ({
      ...{name, label: ENTRANTS[name].label, place: places.values[at]},
      ...{count: finishers.values[at], step: finish.values[at]},
    }))
    .sort((one, other) => compared([one.place, one.step], [other.place, other.step]))
  const lead = rows
    .filter(({count, place}) => count && place <= 3)
    .map(({place, label, count, step}) => `${place}. ${label} (${count} of ${seeds} at step ${formatted(step, '.0f')})`)
  const lost = rows
    .filter(({count}) => !count)
    .map(({name, label}) => `${label} (${reason(frame, name, entrants.indexOf(name))})`)
  const when = frame.step ? `After ${frame.step} of ${frame.steps} steps` : 'Before the first step'
  const ahead = lead.length ? `on the podium: ${lead.join('; ')}` : 'no network is across the finish line'
  const others = lead.length && lost.length ? ` Not across the finish line: ${lost.join('; ')}.` : ''
  return `${when} at depth ${depth}, ${ahead}.${others}`
}

/** Why an entrant has not finished, from the meters. @param {TrainingFrame} frame @param {string} name @param {number} place among the entrants */
function reason({quantities, results, diverged}, name, place) {
  if (diverged.some(({quantity}) => quantity.includes(`the ${ENTRANTS[name].label} network`))) return 'overflowed'
  if (!(quantities.gradients_at_start.values[place] >= VANISHED)) return 'next to no gradient reaches its first block'
  const {values} = quantities[`${name}_train_loss`]
  if (last(values) > 2 * values[0]) return 'its loss has grown'
  return `${formatted(100 * Number(results[`${name}_error`]), '.0f')}% wrong`
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {depth, task, learningRate, trainingSteps, seeds, seed} = parsed(settings)
  const span = task === 'spirals' ? 'all 256 points' : '64 images',
    tokens = task === 'spirals' ? 'two' : 'eight'
  return {
    network:
      `Fully connected networks: ${depth} one-layer blocks of width ${WIDTH} (dense: ${GROWTH} features each). A block ` +
      'begins with a ReLU; the blocks of the highway network (as published) and of the network labeled “ReLU last” end in one instead. ' +
      `Transformers: ${depth} sublayers on ${tokens} tokens of width 16 per point. The depth is equal; the number of ` +
      'parameters is not, as the bars show. Norms have no learned gain. The memory for kept activations is counted ' +
      'from the arrays of this trainer. Times are processor time per step, the shortest of the run, measured as you ' +
      'watch and never kept.',
    data: `${TASKS[task].sentence}; each step uses ${span}, in the same order for all networks.`,
    seeds:
      `${seeds} (from ${seed}), the same for all networks; ${trainingSteps} steps, learning rate ${number(learningRate)} ` +
      `for all, none tuned. ${RULE}.`,
    cannot_show:
      'Which architecture is better: another learning rate, initialization or task changes the order. Tiny networks on a toy ' +
      'task are not evidence about large models.',
  }
}

// -- the picture ---------------------------------------------------------------------------------------------------

const COLORS = [...new Set(Object.values(ENTRANTS).map(({color}) => color))]
/** The sign of each kind of gradient. @type {Record<string, string>} */
const HEALTH = {level: '●', fading: '◌', growing: '▲', zero: '○'}
const NEXT_TO_NOTHING = 1e-4

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, frame, settings) {
  const picture = new Picture(names)
  const {quantities} = frame
  const {entrants} = parsed(settings)
  const runners = entrants.map((name, at) => runnerOf(frame, at, name, settings))
  const guessing = Number(frame.results.guessing)
  showRace(picture, '_race', COLORS, 1 - FINISH, runners, quantities.steps.values, frame.steps, guessing, SIDE)
  const all = Object.keys(ENTRANTS)
  for (const [at, name] of all.entries()) picture.set(`_legend.${at}`, {visible: entrants.includes(name)})
  const bands = Object.fromEntries(entrants.map(name => [name, band(frame, `${name}_${settings.measure}_loss`)]))
  picture.curves('_loss', all, quantities.steps.values, frame.steps, bands)
  const labels = Object.fromEntries(entrants.map(name => [name, ENTRANTS[name].label]))
  const {health, gradients, gradients_at_start: starts} = quantities
  const lanes = entrants.map((name, at) => {
    const kind = /** @type {string[]} */ (health.texts)[health.values[at]]
    const text = `${HEALTH[kind]} ${short(gradients.values[at])} (${short(starts.values[at])})`
    return {name: labels[name], value: gradients.values[at], text, kind}
  })
  showLanes(picture, '_gradients', {kinds: Object.keys(HEALTH), room: 0.6, logarithmic: true}, lanes)
  showCosts(picture, '_costs', frame, labels)
  return picture.changes
}

/** @param {TrainingFrame} frame @param {number} at its place among the entrants @param {string} name @param {Values} settings */
function runnerOf(frame, at, name, settings) {
  const {quantities} = frame
  const {label, color, dash} = ENTRANTS[name]
  const {seeds} = parsed(settings)
  const way = band(frame, `${name}_progress`)
  const [place, count, finish] = ['places', 'finishers', 'finish'].map(key => quantities[key].values[at])
  const share = seeds > 1 ? `, ${count}/${seeds}` : ''
  const reached = count ? `step ${formatted(finish, '.0f')}${share}` : `${percent(last(way[0]))} right`
  const maps = /** @type {Uint8Array | undefined} */ (quantities[`${name}_maps`]?.values) ?? null
  return {label: label.replaceAll(', ', ',\n'), color, dash, way, maps, place, finish, said: `${place}.  ${reached}`}
}

/** A ratio with its significant digits; of a very small one, only its power of ten. @param {number} ratio */
const short = ratio => number(ratio, ratio < NEXT_TO_NOTHING ? 1 : 2)
