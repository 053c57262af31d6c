// The figure `dataflow` without a server: what sims/simulations/shortcuts/dataflow.py and app/views/shortcuts/dataflow.py do.
// Python stays the source: tests/twins compares everything that both give.
import {formatted, number} from '../../../shared/numbers.js'
import {draggedInput, fitSquare, showArrows} from '../../pictures/charts/arrows.js'
import {pointedInCircuit, showCircuit} from '../../pictures/diagrams/circuit.js'
import {quantity} from '../../frame.js'
import {Picture} from '../../pictures/picture.js'

/** @typedef {import('../../pictures/charts/arrows.js').Place} Place */
/** @typedef {[number, number]} Two */
/** @typedef {[number, number, number, number]} Matrix row by row */

export const NAME = 'dataflow'
export const TITLE = 'One block, number by number'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  ...{moment: 'int', wiring: 'text', ending: 'text', strength: 'float'},
  ...{x1: 'float', x2: 'float', w11: 'float', w12: 'float', w21: 'float', w22: 'float', g1: 'float', g2: 'float'},
}

/** @type {string[]} */
export const COUNTS = [] // results that are whole numbers

const MOMENTS = [
  'the input is on the left',
  'each weight multiplies, and the products of a row add up',
  'the last operation of the branch has acted',
  'the branch arrives, and the output is complete',
  'the gradient of a loss arrives at the output',
  'the plus sign copies it, once for the skip and once for the branch',
  "the branch's copy has passed the last operation, and every weight knows its gradient",
  'the two routes meet again: the gradient of the input is complete',
]
const PLAIN_MOMENT = 'there is no plus sign, and all of it goes into the branch' // in place of the copying
const COPIES = 5
const TURN = 72 // points on a circle
const FARTHEST = 2 // of a number that a reader sets
const CIRCLES = ['circle', 'plain_circle', 'residual_circle']

export const calculation = () => null

/** @param {Values} settings @param {string[]} names */
const numbersOf = (settings, names) => names.map(name => Number(settings[name]))

/** As in sims/instruments/hand_derived/one_block.py. @param {Values} settings @param {boolean} hasSkip */
function passOf(settings, hasSkip) {
  const x = /** @type {Two} */ (numbersOf(settings, ['x1', 'x2'])),
    back = /** @type {Two} */ (numbersOf(settings, ['g1', 'g2']))
  const weights = /** @type {Matrix} */ (numbersOf(settings, ['w11', 'w12', 'w21', 'w22']))
  const strength = Number(settings.strength)
  const products = weights.map((weight, at) => weight * x[at % 2])
  const sums = [products[0] + products[1], products[2] + products[3]]
  const slope = sums.map(sum => (settings.ending !== 'relu' || sum > 0 ? 1 : 0))
  const ended = sums.map((sum, row) => sum * slope[row]),
    branch = ended.map(value => strength * value)
  const endedGradient = back.map(gradient => strength * gradient)
  const sumsGradient = endedGradient.map((gradient, row) => gradient * slope[row])
  const around = (/** @type {number} */ value) => (hasSkip ? value : 0)
  return {
    ...{products, sums, ended, branch, endedGradient, sumsGradient},
    output: /** @type {Two} */ (branch.map((value, row) => value + around(x[row]))),
    jacobian: /** @type {Matrix} */ (
      weights.map((weight, at) => strength * slope[at >> 1] * weight + around(at % 3 ? 0 : 1))
    ),
    weightsGradient: weights.map((_, at) => sumsGradient[at >> 1] * x[at % 2]),
    inputGradient: /** @type {Two} */ (
      x.map((_, row) => weights[row] * sumsGradient[0] + weights[2 + row] * sumsGradient[1] + around(back[row]))
    ),
  }
}

/**
 * @param {unknown} _measured
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(_measured, settings) {
  const x = /** @type {Two} */ (numbersOf(settings, ['x1', 'x2']))
  const plain = passOf(settings, false),
    residual = passOf(settings, true)
  const chosen = settings.wiring === 'residual' ? residual : plain
  const angles = Array.from({length: TURN + 1}, (_, at) => at * ((2 * Math.PI) / TURN))
  const circle = [...angles.map(Math.cos), ...angles.map(Math.sin)]
  const two = (/** @type {number[]} */ values, /** @type {string} */ label, unit = 'relative') =>
    quantity(Float64Array.from(values), label, unit, ['row'])
  const four = (/** @type {number[]} */ values, /** @type {string} */ label, unit = 'relative') =>
    quantity(Float64Array.from(values), label, unit, ['row', 'column'], [2, 2])
  const points = (/** @type {number[]} */ values, /** @type {string} */ label) =>
    quantity(Float64Array.from(values), label, 'relative', ['coordinate', 'point'], [2, TURN + 1])
  const quantities = {
    input: two(x, 'input'),
    weights: four(numbersOf(settings, ['w11', 'w12', 'w21', 'w22']), 'weights'),
    products: four(chosen.products, 'weight times input'),
    sums: two(chosen.sums, 'sums'),
    ended: two(chosen.ended, 'after the last operation'),
    branch: two(chosen.branch, 'branch'),
    output: two(chosen.output, 'output'),
    plain_output: two(plain.output, 'output without the skip'),
    residual_output: two(residual.output, 'output with the skip'),
    output_gradient: two(numbersOf(settings, ['g1', 'g2']), 'gradient of the output', 'loss'),
    ended_gradient: two(chosen.endedGradient, 'gradient after the last operation', 'loss'),
    sums_gradient: two(chosen.sumsGradient, 'gradient of the sums', 'loss'),
    weights_gradient: four(chosen.weightsGradient, 'gradient of the weights', 'loss'),
    input_gradient: two(chosen.inputGradient, 'gradient of the input', 'loss'),
    circle: points(circle, 'small circle of inputs'),
    plain_circle: points(turned(plain.jacobian, circle), 'the circle without the skip'),
    residual_circle: points(turned(residual.jacobian, circle), 'the circle with the skip'),
  }
  const [stretch, squeeze] = singularValues(chosen.jacobian),
    [norm] = singularValues(plain.jacobian)
  const results = {
    input_norm: length(x),
    output_norm: length(chosen.output),
    cosine: cosine(x, chosen.output),
    plain_cosine: cosine(x, plain.output),
    residual_cosine: cosine(x, residual.output),
    share: length(x) ? length(chosen.branch) / length(x) : 0,
    stretch,
    squeeze,
    branch_jacobian: norm,
    floor: Math.max(0, 1 - norm),
    input_gradient: length(chosen.inputGradient),
  }
  return {quantities, results, counts: COUNTS, step: 0, steps: 0, diverged: []}
}

/** A matrix times points, whose first and then second numbers are listed. @param {Matrix} matrix @param {number[]} points */
function turned([a, b, c, d], points) {
  const xs = points.slice(0, points.length / 2),
    ys = points.slice(points.length / 2)
  return [...xs.map((x, at) => a * x + b * ys[at]), ...xs.map((x, at) => c * x + d * ys[at])]
}

/** The larger one first. @param {Matrix} matrix @returns {[number, number]} */
function singularValues([a, b, c, d]) {
  const sum = a * a + b * b + c * c + d * d
  const difference = Math.hypot(a * a + b * b - c * c - d * d, 2 * (a * c + b * d))
  const largest = Math.sqrt((sum + difference) / 2)
  return [largest, largest ? Math.abs(a * d - b * c) / largest : 0]
}

/** @param {number[]} vector */
const length = ([x, y]) => Math.sqrt(x * x + y * y)

/** 0 if one of the vectors is 0. @param {Two} one @param {Two} other */
function cosine(one, other) {
  const lengths = length(one) * length(other)
  return lengths ? (one[0] * other[0] + one[1] * other[1]) / lengths : 0
}

/** @param {Quantity} quantity */
const vector = ({values}) => `[${Array.from(values, value => formatted(value, '.3g')).join(', ')}]`

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({quantities, results}, {moment: chosen, wiring}) {
  const moment = Number(chosen)
  const happened = moment === COPIES && wiring === 'plain' ? PLAIN_MOMENT : MOMENTS[moment]
  const words = `Moment ${moment} of ${MOMENTS.length - 1}: ${happened}.`
  if (moment < 3) return `${words} The input is ${vector(quantities.input)}.`
  if (moment < 7)
    return (
      `${words} The ${wiring} block turns ${vector(quantities.input)} into ${vector(quantities.output)}; the branch ` +
      `is ${number(Number(results.share))} times as long as the input, and the cosine of input and output is ` +
      `${number(Number(results.cosine))}.`
    )
  return (
    `${words} The gradient ${vector(quantities.output_gradient)} at the output becomes ` +
    `${vector(quantities.input_gradient)} at the input of the ${wiring} block.`
  )
}

/**
 * What was computed, and what it cannot show.
 * @returns {Disclosure}
 */
export const disclosure = () => ({
  network: 'One block with two inputs, four weights and no bias, in double precision; nothing is trained.',
  data: 'The two numbers of the input, and the gradient that arrives at the output; you choose all of them.',
  seeds: 'None: nothing here is random.',
  cannot_show: 'What training would do to the weights, and what happens when many blocks follow each other.',
})

/**
 * Drags a number of the circuit or the tip of the input, or switches a part of the circuit.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 * @param {Values} settings
 */
export function pointed(names, gesture, settings) {
  const {origin} = gesture
  if (origin?.id === names['_circuit.figure']) return pointedInCircuit(gesture, settings)
  return origin?.id === names['_arrows.figure'] ? draggedInput(gesture, FARTHEST) : null
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, {quantities}, settings) {
  const picture = new Picture(names)
  const numbers = Object.fromEntries(Object.entries(quantities).map(([name, {values}]) => [name, values]))
  showCircuit(picture, '_circuit', numbers, settings)
  const place = (/** @type {string} */ name) => /** @type {Place} */ (Array.from(numbers[name]))
  const /** @type {Place} */ nowhere = [0, 0]
  showArrows(picture, '_arrows', {
    input: [[nowhere, place('input')]],
    branch: [[place('input'), place('residual_output')]],
    plain: [[nowhere, place('plain_output')]],
    residual: [[nowhere, place('residual_output')]],
  })
  fitSquare(
    picture,
    '_ellipse_figure',
    CIRCLES.flatMap(name => Array.from(numbers[name])),
  )
  for (const name of CIRCLES) {
    const values = Array.from(numbers[name])
    picture.set(`_ellipses.${name}`, {data: {x: values.slice(0, TURN + 1), y: values.slice(TURN + 1)}})
  }
  return picture.changes
}
