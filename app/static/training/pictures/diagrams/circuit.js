// One block as a circuit, with a circle for every number: what app/pictures/diagrams/circuit.py does when it is shown, with
// the places of app/pictures/diagrams/circuit_plan.py, and what a reader drags or presses in it.
import {formatted, number} from '../../../shared/numbers.js'
import {texted} from '../../parameters.js'
import {snapped} from '../picture.js'

/** @typedef {import('../picture.js').Picture} Picture */
/** @typedef {{kind: string, ends: number[], at: [row: number, column: number]}} Wire */
/** @typedef {{values: unknown[], first: number, until: number}} Row visible from one moment to another */
/** @typedef {{curve: number[], moment: number, begin: number, end: number, size: number}} Journey */
/** @typedef {Record<string, Quantity['values']>} Numbers of the frame, row by row */

const ROWS = [4.9, 1.6] // heights of the two numbers in each column
const INPUT = 0.7,
  SUM = 4.35,
  END = 6,
  PLUS = 7.5,
  OUTPUT = 9.3
const LEAVES = 0.5,
  JOINS = 0.24
const ARC = [7.7, -1.2]
const ALONG = 0.36
const ASIDE = [30, -30],
  UNDER = 16 // pixels
const SAID_AT = [5.3, -1.45]
const LAST = 7,
  BACK = 4
const FAINT = 0.22
const REACH_X = 0.62,
  REACH_Y = 0.55
const PULL = 0.8,
  FARTHEST = 2

/** Name → row and column of the matrix. @type {Record<string, [number, number]>} */
const WEIGHTS = {w11: [0, 0], w12: [0, 1], w21: [1, 0], w22: [1, 1]}

/** Moment → the wires on which numbers move. @type {Record<number, string[]>} */
const ACTIVE = {
  1: ['weights'],
  2: ['end'],
  3: ['join', 'skip'],
  4: ['back'],
  5: ['join', 'skip'],
  6: ['end', 'weights'],
  7: ['weights', 'skip'],
}
/** Kind of wire → the moment it is first used. @type {Record<string, number>} */
const FIRST = {weights: 1, end: 2, join: 3, skip: 3, back: 4}
/** Kind of wire → the moment at which a gradient travels on it. @type {Record<string, number>} */
const BACKWARD = {join: 5, end: 6, weights: 7}
const MEETS = (PLUS - END) / (OUTPUT - END)

/** Wiring → what happens at each moment. @type {Record<string, string[]>} */
const SAID = {
  residual: [
    '0: the input',
    '1: weights multiply, rows add up',
    '2: the last operation acts',
    '3: the plus sign adds the input',
    '4: a gradient arrives at the end',
    '5: the plus sign copies it',
    '6: every weight gets its gradient',
    '7: both routes meet at the input',
  ],
  plain: [
    '0: the input',
    '1: weights multiply, rows add up',
    '2: the last operation acts',
    '3: the branch is the output',
    '4: a gradient arrives at the end',
    '5: all of it enters the branch',
    '6: every weight gets its gradient',
    '7: it reaches the input',
  ],
}

/** @type {Wire[]} */
const WIRES = [
  ...[0, 1].flatMap(i =>
    [0, 1].map(j => ({
      kind: 'weights',
      ends: [INPUT, ROWS[j], SUM, ROWS[i]],
      at: /** @type {[number, number]} */ ([i, j]),
    })),
  ),
  ...ROWS.map((y, i) => ({kind: 'end', ends: [SUM, y, END, y], at: /** @type {[number, number]} */ ([i, i])})),
  ...ROWS.map((y, i) => ({kind: 'join', ends: [END, y, OUTPUT, y], at: /** @type {[number, number]} */ ([i, i])})),
]
const ARRIVALS = ROWS.map(y => [OUTPUT, y, 10, y])
const ARCS = ROWS.map((y, row) => {
  const side = row ? -1 : 1
  return [INPUT, y + side * LEAVES, PLUS, y + side * JOINS, INPUT + 0.2, ARC[row], PLUS - 0.2, ARC[row]]
})
/** Moment, and the shares of a skip between which a number travels in it. */
const THERE = [
    [1, 0, 0.33],
    [2, 0.33, 0.66],
    [3, 0.66, 0.66 + 0.34 / MEETS],
  ],
  HOME = [
    [5, 1 + (0.34 * (1 - MEETS)) / MEETS, 0.66],
    [6, 0.66, 0.33],
    [7, 0.33, 0],
  ]

const WAY = ['x0', 'y0', 'x1', 'y1', 'cx0', 'cy0', 'cx1', 'cy1'],
  ENDS = WAY.slice(0, 4)

/** Where a weight is written. @param {string} name @returns {[x: number, y: number]} */
function weightPlace(name) {
  const [row, column] = WEIGHTS[name]
  return [INPUT + ALONG * (SUM - INPUT), ROWS[column] + ALONG * (ROWS[row] - ROWS[column])]
}

/** Place and angle of the arrow head on a wire. @param {number[]} ends @param {boolean} back */
const head = ([x0, y0, x1, y1], back) => [x0 + 0.72 * (x1 - x0), y0 + 0.72 * (y1 - y0), turned(back)]

/** The same on a skip, at its middle. @param {number[]} arc @param {boolean} back */
const arcHead = ([x0, y0, x1, , cx0, cy0, cx1, cy1], back) => [
  (x0 + 3 * cx0 + 3 * cx1 + x1) / 8,
  (y0 + 3 * cy0 + 3 * cy1 + y0) / 8,
  turned(back),
]

/** @param {boolean} back */
const turned = back => (back ? Math.PI / 2 : -Math.PI / 2)

/** A straight line as a curve. @param {number[]} ends */
const straight = ([x0, y0, x1, y1]) => [
  ...[x0, y0, x1, y1],
  ...[(2 * x0 + x1) / 3, (2 * y0 + y1) / 3, (x0 + 2 * x1) / 3, (y0 + 2 * y1) / 3],
]

/** Two decimals, or one for larger numbers. @param {number} value */
const brief = value => formatted(value, Math.abs(value) < 9.995 ? '.2f' : '.1f')

/** Diameter in pixels of the dot of a number. @param {number} value */
const sizeOf = value => 8 + 9 * Math.min(1, Math.abs(value))

/**
 * `Circuit.show`.
 * @param {Picture} picture @param {string} path @param {Numbers} numbers @param {Values} settings
 */
export function showCircuit(picture, path, numbers, settings) {
  const moment = Number(settings.moment),
    isResidual = settings.wiring === 'residual'
  picture.set(`${path}._now`, {data: {moment: [moment]}})
  showWires(picture, path, numbers, moment, isResidual)
  showJourneys(picture, path, numbers, isResidual)
  const columns = [INPUT, SUM, END]
  picture.set(`${path}._circles`, {data: {x: columns.flatMap(x => [x, x]), y: columns.flatMap(() => ROWS)}})
  showTexts(picture, path, numbers, settings, moment)
  picture.set(`${path}._plus`, {data: {x: [PLUS, PLUS], y: ROWS, text: ROWS.map(() => (isResidual ? '+' : ''))}})
  picture.set(`${path}._plus_circle`, {line_dash: isResidual ? 'solid' : 'dotted'})
  for (const name of ['plain', 'residual'])
    picture.set(`${path}._rings.${name}`, {visible: (name === 'residual') === isResidual})
}

/** @param {Picture} picture @param {string} path @param {string[]} columns @param {Row[]} rows @param {number} moment @param {number} [faint] */
function showRows(picture, path, columns, rows, moment, faint = 0) {
  const values = columns.map((name, at) => [name, rows.map(row => row.values[at])])
  picture.timed(
    path,
    Object.fromEntries(values),
    rows.map(({first, until}) => [first, until]),
    moment,
    faint,
  )
}

/** @param {Picture} picture @param {string} path @param {Numbers} numbers @param {number} moment @param {boolean} isResidual */
function showWires(picture, path, {products}, moment, isResidual) {
  const during = (/** @type {unknown[]} */ values, /** @type {number} */ at) => ({values, first: at, until: at})
  const wires = WIRES.map(({kind, ends, at: [i, j]}) => {
    const width = kind === 'weights' ? 1 + 6 * Math.min(1, Math.abs(products[2 * i + j])) : 1.5
    return {values: [...ends, width], first: FIRST[kind], until: LAST}
  })
  showRows(picture, `${path}._wires`, [...ENDS, 'width'], wires, moment, FAINT)
  const all = [...WIRES, ...ARRIVALS.map(ends => ({kind: 'back', ends}))]
  const active = Object.entries(ACTIVE).map(([at, kinds]) => ({at: Number(at), kinds}))
  const moving = active.flatMap(({at, kinds}) =>
    all.filter(({kind}) => kinds.includes(kind)).map(({ends}) => ({ends, at})),
  )
  const moves = moving.map(({ends, at}) => during(ends, at)),
    heads = moving.map(({ends, at}) => during(head(ends, at >= BACK), at))
  showRows(picture, `${path}._moving`, ENDS, moves, moment)
  showRows(picture, `${path}._heads`, ['x', 'y', 'angle'], heads, moment)
  const arcs = isResidual ? ARCS : []
  const lasting = arcs.map(values => ({values, first: FIRST.skip, until: LAST}))
  showRows(picture, `${path}._arcs`, WAY, lasting, moment, FAINT)
  const lit = active.filter(({kinds}) => kinds.includes('skip')).flatMap(({at}) => arcs.map(arc => ({arc, at})))
  const litArcs = lit.map(({arc, at}) => during(arc, at)),
    litHeads = lit.map(({arc, at}) => during(arcHead(arc, at >= BACK), at))
  showRows(picture, `${path}._moving_arcs`, WAY, litArcs, moment)
  showRows(picture, `${path}._arc_heads`, ['x', 'y', 'angle'], litHeads, moment)
}

/** Dots whose size shows the traveling numbers. @param {Picture} picture @param {string} path @param {Numbers} numbers @param {boolean} isResidual */
function showJourneys(picture, path, numbers, isResidual) {
  const /** @type {Journey[]} */ branch = []
  for (const {
    kind,
    ends,
    at: [i, j],
  } of WIRES) {
    const {products, sums, branch: added} = numbers
    const forward = {weights: products[2 * i + j], end: sums[i], join: added[i]}
    const backward = {
      weights: numbers.sums_gradient[i],
      end: numbers.ended_gradient[i],
      join: numbers.output_gradient[i],
    }
    const name = /** @type {keyof typeof forward} */ (kind)
    const curve = straight(ends)
    branch.push({curve, moment: FIRST[kind], begin: 0, end: 1, size: sizeOf(forward[name])})
    branch.push({curve, moment: BACKWARD[kind], begin: 1, end: 0, size: sizeOf(backward[name])})
  }
  for (const [row, ends] of ARRIVALS.entries())
    branch.push({
      curve: straight(ends),
      moment: BACK,
      begin: 1,
      end: 0,
      size: sizeOf(numbers.output_gradient[row]),
    })
  showTravelers(picture, `${path}._dots.accent`, branch)
  const skip = (isResidual ? ARCS : []).flatMap((curve, row) =>
    [
      {value: numbers.input[row], legs: THERE},
      {value: numbers.output_gradient[row], legs: HOME},
    ].flatMap(({value, legs}) =>
      legs.map(([moment, begin, end]) => ({curve, moment, begin, end, size: sizeOf(value)})),
    ),
  )
  showTravelers(picture, `${path}._dots.residual`, skip)
}

/** @param {Picture} picture @param {string} path @param {Journey[]} journeys */
function showTravelers(picture, path, journeys) {
  const way = WAY.map((name, at) => [name, journeys.map(({curve}) => curve[at])])
  picture.set(`${path}.source`, {
    data: {
      ...Object.fromEntries(way),
      moment: journeys.map(({moment}) => moment),
      begin: journeys.map(({begin}) => begin),
      end: journeys.map(({end}) => end),
      size: journeys.map(({size}) => size),
      x: journeys.map(({curve}) => curve[0]),
      y: journeys.map(({curve}) => curve[1]),
      alpha: journeys.map(() => 0),
    },
  })
}

/** @param {Picture} picture @param {string} path @param {Numbers} numbers @param {Values} settings @param {number} moment */
function showTexts(picture, path, numbers, {ending, strength, wiring}, moment) {
  const show = (/** @type {string} */ name, /** @type {Row[]} */ rows) =>
    showRows(picture, `${path}._texts.${name}`, ['x', 'y', 'text', 'down'], rows, moment)
  const from = (/** @type {number} */ first, /** @type {unknown[]} */ ...values) => ({values, first, until: LAST})
  const /** @type {[x: number, name: string, first: number][]} */ there = [
      [INPUT, 'input', 0],
      [SUM, 'sums', 1],
      [END, 'ended', 2],
      [OUTPUT, 'output', 3],
    ]
  show(
    'numbers',
    there.flatMap(([x, name, first]) => ROWS.map((y, row) => from(first, x, y, brief(numbers[name][row]), 0))),
  )
  const weights = (/** @type {string} */ name) =>
    Object.entries(WEIGHTS).map(([weight, [row, column]]) => ({
      place: weightPlace(weight),
      text: brief(numbers[name][2 * row + column]),
    }))
  show(
    'weights',
    weights('weights').map(({place, text}) => from(0, ...place, text, 0)),
  )
  const /** @type {[x: number, name: string, first: number][]} */ back = [
      [OUTPUT, 'output_gradient', 4],
      [END, 'ended_gradient', 5],
      [SUM, 'sums_gradient', 6],
      [INPUT, 'input_gradient', 7],
    ]
  show(
    'gradients',
    back.flatMap(([x, name, first]) =>
      ROWS.map((y, row) => from(first, x, y, `∂ ${brief(numbers[name][row])}`, ASIDE[row])),
    ),
  )
  show(
    'weight gradients',
    weights('weights_gradient').map(({place, text}) => from(6, ...place, `∂ ${text}`, UNDER)),
  )
  const middle = (ROWS[0] + ROWS[1]) / 2
  const captions = [
    from(0, INPUT, middle, 'x ↕', 0),
    from(0, SUM, middle, 'W x', 0),
    from(0, END, middle, ending === 'relu' ? 'ReLU' : 'linear', 0),
    from(0, OUTPUT, middle, 'y', 0),
  ]
  const factor = Number(strength)
  if (factor !== 1)
    for (const y of ROWS) captions.push(from(0, 0.5 * (END + PLUS) + 0.05, y + 0.3, `×${number(factor)}`, 0))
  show('captions', captions)
  show(
    'said',
    SAID[wiring].map((text, at) => ({values: [...SAID_AT, text, 0], first: at, until: at})),
  )
}

/** @type {{name: string, value: number, began: number} | null} the number that the pointer holds */
let held = null

/**
 * What a gesture in the circuit sets: a drag changes a number, a press on the plus sign the skip, and one on the last
 * operation what that is.
 * @param {{event_name?: string, x?: number, y?: number}} gesture @param {Values} settings
 * @returns {Values | null}
 */
export function pointedInCircuit({event_name: kind, x, y}, settings) {
  if (kind === 'panstart') held = holding(x, y, settings)
  else if (kind === 'panend') held = null
  else if (kind === 'pan' && held && typeof y === 'number') {
    const {name, value, began} = held
    return {[name]: texted(snapped(value + PULL * (y - began), -FARTHEST, FARTHEST))}
  } else if (kind === 'tap') return switched(x, y, settings)
  return null
}

/** @param {number | undefined} x @param {number | undefined} y @param {Values} settings */
function holding(x, y, settings) {
  if (typeof x !== 'number' || typeof y !== 'number') return null
  const gradients = Number(settings.moment) >= BACK ? ROWS : []
  const /** @type {[name: string, x: number, y: number][]} */ handles = [
      ['x1', INPUT, ROWS[0]],
      ['x2', INPUT, ROWS[1]],
      ...Object.keys(WEIGHTS).map(name => /** @type {[string, number, number]} */ ([name, ...weightPlace(name)])),
      ...gradients.map(
        (height, row) => /** @type {[string, number, number]} */ ([`g${row + 1}`, OUTPUT, height - ASIDE[row] / 46]),
      ),
    ]
  const near = handles
    .map(([name, at, height]) => ({name, across: Math.abs(x - at), up: Math.abs(y - height)}))
    .filter(({across, up}) => across < REACH_X && up < REACH_Y)
  if (!near.length) return null
  const far = (/** @type {{across: number, up: number}} */ {across, up}) => across / REACH_X + up / REACH_Y
  const {name} = near.reduce((one, other) => (far(other) < far(one) ? other : one))
  return {name, value: Number(settings[name]), began: y}
}

/** @param {number | undefined} x @param {number | undefined} y @param {Values} settings @returns {Values | null} */
function switched(x, y, {wiring, ending}) {
  if (typeof x !== 'number' || typeof y !== 'number') return null
  if (Math.min(...ROWS.map(row => Math.abs(y - row))) > REACH_Y) return null
  if (Math.abs(x - PLUS) < REACH_X) return {wiring: wiring === 'residual' ? 'plain' : 'residual'}
  return Math.abs(x - END) < REACH_X ? {ending: ending === 'relu' ? 'linear' : 'relu'} : null
}
