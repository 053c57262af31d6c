// The state of a figure: arrays with names, units and axes. As in sims/contract/frame.py, sims/contract/bands.py and
// sims/instruments/training/curves.py; tests/twins holds all of this folder to Python's results.
import {percent, unwired} from '../shared/numbers.js'

/** @typedef {'train_loss' | 'train_error' | 'test_loss' | 'test_error'} Curve */
/** @typedef {[median: Float64Array, lowest: Float64Array, highest: Float64Array]} Band */

/** What a band's name ends in for its three quantities: the median, the lowest and the highest of the seeds. */
export const ENDINGS = ['', '_low', '_high']

const LARGEST = 2 ** 31 - 1 // whole number of 32 bits

/** The label and unit of every curve. @type {Record<Curve, [label: string, unit: string]>} */
const CURVES = {
  train_loss: ['training loss', 'nats'],
  train_error: ['training error', 'share of wrong answers'],
  test_loss: ['test loss', 'nats'],
  test_error: ['test error', 'share of wrong answers'],
}

/**
 * @param {Quantity['values']} values
 * @param {string} label
 * @param {string} unit
 * @param {string[]} axes
 * @param {number[]} shape
 * @returns {Quantity}
 */
export function quantity(values, label, unit, axes, shape = [values.length]) {
  return {values, shape, label, unit, axes}
}

/**
 * A quantity of whole numbers that may be too large for 32 bits.
 * @param {number[]} values
 * @param {string} label
 * @param {string} unit
 * @param {string[]} axes
 * @returns {Quantity}
 */
export function counted(values, label, unit, axes) {
  const isLarge = values.some(value => Math.abs(value) > LARGEST)
  const numbers = isLarge ? Float64Array.from(values) : Int32Array.from(values)
  return {...quantity(numbers, label, unit, axes), ...(isLarge && {whole: true})}
}

/**
 * A quantity of words.
 * @param {string[]} words
 * @param {string} label
 * @param {string} unit
 * @param {string[]} axes
 * @returns {Quantity}
 */
export function worded(words, label, unit, axes) {
  const texts = [...new Set(words)]
  const values = Int32Array.from(words, word => texts.indexOf(word))
  return {...quantity(values, label, unit, axes), texts}
}

/**
 * The steps of the records of a run.
 * @param {TrainingRun} run
 */
export function steps(run) {
  const values = Int32Array.from(run.records, record => record.step)
  return quantity(values, 'training step', 'steps', ['record'])
}

/** The records, ending with the present one. @param {TrainingRecord[]} records @param {TrainingRecord} now */
export const momentsOf = (records, now) => (records.at(-1)?.step === now.step ? records : [...records, now])

/**
 * The curves of a run as bands, three quantities for each.
 * @param {TrainingRecord[]} records
 * @param {string} prefix of the quantities' names
 * @param {string} words before their labels
 * @param {Curve[]} curves
 */
export function recordBands(records, prefix = '', words = '', curves = /** @type {Curve[]} */ (Object.keys(CURVES))) {
  return Object.assign({}, ...curves.map(curve => recordBand(records, curve, prefix + curve, words)))
}

/**
 * One curve of a run as a band.
 * @param {TrainingRecord[]} records
 * @param {Curve} curve
 * @param {string} name of the band
 * @param {string} words before the labels
 */
export function recordBand(records, curve, name, words) {
  const [label, unit] = CURVES[curve]
  return bandOf(
    records.map(record => record[curve]),
    name,
    words + label,
    unit,
  )
}

/**
 * Median, lowest and highest of the seeds at each point, as `band` of sims/contract/bands.py; in single precision if the
 * values are.
 * @param {(Float64Array | Float32Array)[]} points the values of all seeds
 * @param {string} name
 * @param {string} label
 * @param {string} unit
 * @param {string} axis
 */
export function bandOf(points, name, label, unit, axis = 'record') {
  const parts = [
    [median, 'median of the seeds'],
    [lowest, 'lowest seed'],
    [highest, 'highest seed'],
  ]
  const isSingle = points[0] instanceof Float32Array
  /** @type {Record<string, Quantity>} */
  const quantities = {}
  for (const [index, [statistic, which]] of /** @type {[Statistic, string][]} */ (parts).entries()) {
    const all = points.map(statistic)
    const values = isSingle ? Float32Array.from(all) : Float64Array.from(all)
    quantities[name + ENDINGS[index]] = quantity(values, `${label}, ${which}`, unit, [axis])
  }
  return quantities
}

/**
 * The values of all seeds in each column of a matrix with a row for every seed.
 * @param {Float64Array} matrix
 * @param {number} seeds
 */
export function columnsOf(matrix, seeds) {
  const columns = matrix.length / seeds
  return Array.from({length: columns}, (_, column) =>
    Float64Array.from({length: seeds}, (_, seed) => matrix[seed * columns + column]),
  )
}

/**
 * The median over the seeds of each column of such a matrix.
 * @param {Float64Array} matrix
 * @param {number} seeds
 */
export const medians = (matrix, seeds) => Float64Array.from(columnsOf(matrix, seeds), median)

/**
 * The gradients of the first and of the last layer of each branch of two layers, medians of the seeds.
 * @param {TrainingRecord} record
 * @param {number} seeds
 */
export function branchGradients({weight_gradients: gradients}, seeds) {
  const inside = medians(gradients, seeds).subarray(1, -1)
  return {first: inside.filter((_, layer) => layer % 2 === 0), last: inside.filter((_, layer) => layer % 2 === 1)}
}

/** @typedef {(values: Float64Array | Float32Array) => number} Statistic */

/** NaN if one of the values is. @type {Statistic} */
export function median(values) {
  if (values.some(Number.isNaN)) return NaN
  const sorted = values.toSorted()
  const above = sorted.length >> 1
  return sorted.length % 2 ? sorted[above] : (sorted[above - 1] + sorted[above]) / 2
}

/** @type {Statistic} */
export const lowest = values => Math.min(...values)
/** @type {Statistic} */
export const highest = values => Math.max(...values)

/**
 * The median, the lowest and the highest of a band.
 * @param {TrainingFrame} frame
 * @param {string} name
 * @returns {Band}
 */
export function band(frame, name) {
  return /** @type {Band} */ (ENDINGS.map(ending => frame.quantities[name + ending].values))
}

/**
 * The last point of a band of shares, in words.
 * @param {TrainingFrame} frame
 * @param {string} name
 * @param {number} seeds
 */
export function spread(frame, name, seeds) {
  const [middle, low, high] = band(frame, name).map(values => percent(last(values)))
  if (seeds === 1) return middle
  return low === high ? `${middle} (all ${seeds} seeds)` : `${middle} (${low} to ${high} over ${seeds} seeds)`
}

/** The last value. @param {number[] | Quantity['values']} values */
export const last = values => /** @type {number} */ (values.at(-1))

/** Units of whole numbers, and of those that a byte holds. */
const WHOLE = [
    'steps',
    'seeds',
    'class',
    'place',
    'numbers',
    'bytes',
    'column',
    'code',
    'additions',
    'symbols',
    'branches',
    'parameters',
    'products for one image',
  ],
  BYTES = /^(16 class|128 \+ 127 parts)/

/**
 * A frame from the JSON that Python writes (`Frame.json`).
 * @param {any} written @param {string[]} counts the names of results that are whole numbers in Python
 * @returns {TrainingFrame}
 */
export function frameOf({step, steps, results, diverged, quantities}, counts) {
  const entries = Object.entries(quantities).map(([name, {label, unit, axes, values: written}]) => {
    const flat = written.flat(Infinity)
    const texts = [...new Set(flat.filter(isWord))]
    const values = texts.length ? flat.map((/** @type {string} */ word) => texts.indexOf(word)) : flat.map(unwired)
    if (WHOLE.includes(unit) && values.some((/** @type {number} */ value) => Math.abs(value) > LARGEST))
      return [name, {...counted(values, label, unit, axes), shape: shapeOf(written)}]
    const isWhole = texts.length || (WHOLE.includes(unit) && values.every(Number.isInteger))
    const numbers = (isWhole ? Int32Array : BYTES.test(unit) ? Uint8Array : Float64Array).from(values)
    return [name, {...quantity(numbers, label, unit, axes, shapeOf(written)), ...(texts.length && {texts})}]
  })
  return {quantities: Object.fromEntries(entries), results: unwiredResults(results), counts, step, steps, diverged}
}

/** @param {Record<string, Wired>} results @returns {Record<string, number | string>} */
const unwiredResults = results =>
  Object.fromEntries(Object.entries(results).map(([name, value]) => [name, unwired(value)]))

/**
 * The end of a run that came with the page.
 * @param {{results: Record<string, Wired>, quantities: Record<string, Wired[]>}} written
 * @returns {RunEnd}
 */
export function endOf({results, quantities}) {
  const entries = Object.entries(quantities).map(([name, values]) => [name, {values: values.map(unwired)}])
  return {results: unwiredResults(results), quantities: Object.fromEntries(entries)}
}

/** Whether it is a curve over the training, or several of them. @param {Quantity} quantity */
export const isOverTime = ({axes}) => ['record', 'look'].includes(axes.at(-1) ?? '')

/** The last values of curves over the training, or all values. @param {Quantity} quantity */
export function endsOf(quantity) {
  const {values, shape} = quantity
  const length = isOverTime(quantity) ? (shape.at(-1) ?? 1) : 1
  return Array.from(values).filter((_, at) => at % length === length - 1)
}

/** @param {any} values nested lists @returns {number[]} */
const shapeOf = values => (Array.isArray(values) ? [values.length, ...shapeOf(values[0])] : [])

/** Whether a value is a word, and not the name of a number. @param {unknown} value */
const isWord = value => typeof unwired(value) === 'string'
