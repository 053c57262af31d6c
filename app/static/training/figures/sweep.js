// The figure `sweep` without a server: what sims/simulations/design_choices/sweep.py and app/views/design_choices/sweep.py
// do. Python stays the source: tests/twins compares everything that both give.
import {formatted, number} from '../../shared/numbers.js'
import {showCells} from '../pictures/charts/cells.js'
import {DATA, ENTRANTS, FIELDS, TASKS, architectureOf} from '../comparisons/entrants.js'
import {RULE, compared, places, scoreOf} from '../comparisons/standings.js'
import {quantity, worded} from '../frame.js'
import {Picture} from '../pictures/picture.js'

/** @typedef {import('../comparisons/standings.js').Score} Score */

export const NAME = 'sweep'
export const TITLE = 'Every network at its own learning rate'
export const DIVISIBLE = true

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {depth: 'int', initialization: 'text', field: 'text', seeds: 'int', seed: 'int'}

/** Results that are whole numbers. */
export const COUNTS = Object.keys(ENTRANTS).map(name => `${name}_finishers`)

const RATES = [3e-4, 1e-3, 3e-3, 0.01, 0.03]
/** Steps of the sweep, and of the final. */
export const HEAT = 250
const EVERY = 5
const FRESH = 1000 // between the seeds of the sweep and those of the final

/** @param {Values} settings */
const parsed = settings => ({
  depth: Number(settings.depth),
  seeds: Number(settings.seeds),
  seed: Number(settings.seed),
  entrants: FIELDS[settings.field],
})

/** @param {string} name @param {number} rate */
const tried = (name, rate) => `${name} ${rate}`
/** @param {string} name */
const inFinal = name => `${name} in the final`

/** @param {string} name @param {number} rate @param {number} first seed @param {Values} settings @returns {TrainedNetwork} */
function networkOf(name, rate, first, settings) {
  const {depth, seeds} = parsed(settings)
  return {
    architecture: architectureOf(name, 'spirals', depth, settings.initialization, '1'),
    recipe: {optimizer: 'adam', learning_rate: rate, batch: null, record_every: EVERY, clip: null},
    data: DATA.spirals,
    seeds: Array.from({length: seeds}, (_, index) => first + index),
  }
}

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedNetwork>}
 */
export function networks(settings) {
  const {entrants, seed} = parsed(settings)
  return Object.fromEntries(
    entrants.flatMap(name => RATES.map(rate => [tried(name, rate), networkOf(name, rate, seed, settings)])),
  )
}

/**
 * The networks of the final, once the sweep is over.
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 */
export function further(runs, settings) {
  const {entrants, seed} = parsed(settings)
  if (inFinal(entrants[0]) in runs || Object.values(runs)[0].step < HEAT) return null
  const best = chosen(runs, entrants)
  return Object.fromEntries(entrants.map(name => [inFinal(name), networkOf(name, best[name], seed + FRESH, settings)]))
}

/** Each entrant's best rate by the rule of the race; the lower one of two equally good. @param {Record<string, TrainingRun>} runs @param {string[]} entrants */
function chosen(runs, entrants) {
  const key = (/** @type {string} */ name, /** @type {number} */ rate) => scoreOf(runs[tried(name, rate)]).key
  return Object.fromEntries(
    entrants.map(name => [
      name,
      RATES.reduce((best, rate) => (compared(key(name, rate), key(name, best)) < 0 ? rate : best)),
    ]),
  )
}

/**
 * @param {Record<string, TrainingRun>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(runs, settings) {
  const {entrants} = parsed(settings)
  const scores = entrants.flatMap(name => RATES.map(rate => scoreOf(runs[tried(name, rate)])))
  const best = chosen(runs, entrants)
  const [{step: swept}] = Object.values(runs)
  const isOver = swept === HEAT
  const finals = entrants.filter(name => inFinal(name) in runs)
  const last = Object.fromEntries(finals.map(name => [name, scoreOf(runs[inFinal(name)])]))
  const order = places(last)
  const table = (/** @type {(score: Score) => number} */ of, /** @type {string} */ label, /** @type {string} */ unit) =>
    quantity(Float64Array.from(scores, of), label, unit, ['entrant', 'rate'], [entrants.length, RATES.length])
  const column = (/** @type {Quantity['values']} */ values, /** @type {string} */ label, /** @type {string} */ unit) =>
    quantity(values, label, unit, ['entrant'])
  const ofFinal = (/** @type {(score: Score) => number} */ of) =>
    Float64Array.from(entrants, name => (name in last ? of(last[name]) : NaN))
  const own = Int32Array.from(entrants, name => (isOver ? RATES.indexOf(best[name]) : -1))
  const labels = entrants.map(name => ENTRANTS[name].label)
  const count = (/** @type {Score} */ {finished}) => finished.length
  const finish = (/** @type {Score} */ {step}) => step
  const rates = isOver ? entrants.map(name => [`${name}_rate`, best[name]]) : []
  const counts = finals.map(name => [`${name}_finishers`, count(last[name])])
  return {
    quantities: {
      rates: quantity(Float64Array.from(RATES), 'learning rate', 'relative', ['rate']),
      finishers: table(count, 'seeds across the finish line', 'seeds'),
      finish: table(finish, 'step of the finish, median', 'steps'),
      loss: table(({loss}) => loss, 'training loss now, median', 'nats'),
      entrants: worded(labels, 'entrant', 'name', ['entrant']),
      own: column(own, 'column of its own rate, -1 before it is known', 'column'),
      final_finishers: column(ofFinal(count), 'seeds across in the final', 'seeds'),
      final_finish: column(ofFinal(finish), 'step of the finish in the final, median', 'steps'),
      places: column(
        Int32Array.from(entrants, name => order[name] ?? 0),
        'place in the final, 0 before it',
        'place',
      ),
    },
    results: Object.fromEntries([...rates, ...counts]),
    counts: counts.map(([name]) => String(name)),
    step: swept + (finals.length ? runs[inFinal(finals[0])].step : 0),
    steps: 2 * HEAT,
    diverged: [],
  }
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({quantities, step}, settings) {
  const {seeds, entrants} = parsed(settings)
  if (!step) return `No network has run yet: ${entrants.length} networks will try ${RATES.length} learning rates each.`
  const {finishers, own, final_finishers: inLast} = quantities
  if (step < HEAT || own.values[0] < 0) {
    const across = RATES.map((rate, column) => {
      const count = entrants.reduce((sum, _, row) => sum + finishers.values[row * RATES.length + column], 0)
      return `${count} at ${number(rate)}`
    })
    return `Sweep, step ${step} of ${HEAT}: seeds of all networks that have finished: ${across.join(', ')}.`
  }
  const labels = entrants.map(name => ENTRANTS[name].label)
  const rates = labels.map((label, row) => `${label} ${number(RATES[own.values[row]])}`)
  const text = `Each network's own rate: ${rates.join('; ')}.`
  if (step === HEAT) return text
  const whole = labels.filter((_, row) => inLast.values[row] === seeds).join('; ') || 'no network'
  return `${text} At step ${step - HEAT} of ${HEAT} of the final, every seed has finished for: ${whole}.`
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {depth, seeds, seed} = parsed(settings)
  return {
    network: `The networks of the race, with ${depth} blocks each.`,
    data: `${TASKS.spirals.sentence}; each step uses all 256 points.`,
    seeds:
      `${seeds} (from ${seed}) for the sweep, ${seeds} others (from ${seed + FRESH}) for the final; Adam, ${HEAT} steps ` +
      `each. ${RULE}; the same rule chooses the rate.`,
    cannot_show:
      'Other optimizers, schedules or budgets, and rates between the columns. Tuning one thing for each network is ' +
      'fairer than tuning nothing, but it is still no verdict on an architecture.',
  }
}

// -- the picture ---------------------------------------------------------------------------------------------------

/** @type {Record<string, string>} */
const SIGNS = {all: '●', some: '◐', none: '○'}
const KINDS = [...Object.keys(SIGNS), 'open']
const FINAL = 'final'

/** A cell in which nobody has finished, and everybody still may. */
const OPEN = {kind: 'open', text: '–', share: 0}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, {quantities, step, steps}, settings) {
  const picture = new Picture(names)
  const {seeds, entrants} = parsed(settings)
  const rows = entrants.map(name => ENTRANTS[name].label.replaceAll(', ', ',\n'))
  const columns = RATES.map(rate => number(rate))
  const cells = [],
    framed = []
  for (const [at, row] of rows.entries()) {
    for (const [column, rate] of columns.entries()) {
      const [count, finish] = ['finishers', 'finish'].map(key => quantities[key].values[at * RATES.length + column])
      cells.push({row, column: rate, ...cellOf(count, finish, seeds, step >= HEAT)})
    }
    const [own, place] = ['own', 'places'].map(key => quantities[key].values[at])
    if (own >= 0) framed.push({row, column: columns[own]})
    const [count, finish] = ['final_finishers', 'final_finish'].map(key => quantities[key].values[at])
    const cell = place ? cellOf(count, finish, seeds, step >= steps) : OPEN
    const text = cell.kind === OPEN.kind ? cell.text : `${place}. ${cell.text.replaceAll(' ', '')}`
    cells.push({row, column: FINAL, ...cell, text})
  }
  showCells(picture, '_cells', KINDS, rows, [...columns, FINAL], cells, framed)
  return picture.changes
}

/** A lane is as long as a race: it is full where no seed is across. @param {number} count @param {number} step @param {number} seeds @param {boolean} isOver */
function cellOf(count, step, seeds, isOver) {
  if (!count && !isOver) return OPEN
  const kind = count === seeds ? 'all' : count ? 'some' : 'none'
  const text = count ? `${SIGNS[kind]} ${count}\n${formatted(step, '.0f')}` : `${SIGNS[kind]} 0`
  return {kind, text, share: count ? step / HEAT : 1}
}
