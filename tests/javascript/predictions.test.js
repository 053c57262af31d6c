import assert from 'node:assert/strict'
import {before, test} from 'node:test'
import {load} from './page.js'

let KINDS
before(async () => {
  KINDS = (await load('exercises/predictions.js')).module.KINDS
})

// As much of a prediction's section as comparing asks for.
const section = (unit = '') => ({
  querySelector: selector => {
    const option = /="(\w+)"/.exec(selector)?.[1]
    return selector === '.number-field'
      ? {dataset: {unit}}
      : {querySelector: () => ({textContent: ` option ${option} `})}
  },
})

test('a right choice is said in its words', () => {
  const {compare} = KINDS.choice
  assert.deepEqual(compare(section(), 2, 2), {right: true, text: 'You predicted it: option 2.'})
  assert.equal(compare(section(), 1, 2).text, 'You said: option 1. It is: option 2.')
})

test('an order is compared pair by pair', () => {
  const {compare} = KINDS.rank
  assert.deepEqual(compare(section(), [2, 1, 3], [2, 1, 3]), {right: true, text: 'You predicted this order.'})
  const {right, text} = compare(section(), [3, 1, 2], [2, 1, 3])
  assert.equal(right, false)
  assert.equal(
    text,
    'The true order: option 2, then option 1, then option 3. Your order has 3 of 3 pairs the other way around.',
  )
})

test('only a permutation of the options is an order', () => {
  const ranked = {ranking: {options: [1, 2, 3]}}
  assert.equal(KINDS.rank.fits(ranked, [3, 1, 2]), true)
  assert.equal(KINDS.rank.fits(ranked, [3, 3, 2]), false)
  assert.equal(KINDS.rank.fits(ranked, '321'), false)
})

const field = (valueAsNumber, valid = true, min = '', max = '') => ({
  querySelector: () => ({valueAsNumber, validity: {valid}, min, max}),
})

test('an impossible number is no answer', () => {
  const {fits, read} = KINDS.number
  assert.equal(read(field(3)), 3)
  assert.equal(read(field(40, false)), null)
  assert.equal(read(field(NaN)), null)
  assert.equal(fits(field(NaN), 40), true)
  assert.equal(fits(field(NaN, true, '0', '9'), 40), false)
  assert.equal(fits(field(NaN, true, '0', '9'), -1), false)
  assert.equal(fits(field(NaN, true, '0', '9'), 0), true)
})

test('a number within a tenth is close', () => {
  const {compare} = KINDS.number
  assert.deepEqual(compare(section('%'), 51, 50), {right: true, text: 'You said 51%; it is 50%. Close.'})
  assert.equal(compare(section(), 0, 0).right, true)
})

test('a number that is far off is off by a factor, or by an amount where there is none', () => {
  const {compare} = KINDS.number
  assert.match(compare(section('steps'), 600, 200).text, /That is 3 times too large\.$/)
  assert.match(compare(section(), 0.1, 0.4).text, /That is 4 times too small\.$/)
  assert.match(compare(section('%'), 60, 50).text, /You were off by 10 percentage points\.$/)
  assert.match(compare(section('%'), 7, 8).text, /You were off by 1 percentage point\.$/)
  const {text} = compare(section('%'), 40, 45.517) // in the digits of the figure
  assert.equal(text, 'You said 40%; it is 45.5%. You were off by 5.5 percentage points.')
  assert.match(compare(section('branches'), 12, 9).text, /You were off by 3\.$/)
  assert.match(compare(section(), -1, 1).text, /You were off by 2\.$/)
  assert.match(compare(section(), 1, 0).text, /You were off by 1\.|Infinity|infinity/)
})

test('an answer to what is still being computed is not right yet', () => {
  const {right, text} = KINDS.number.compare(section(), 3, null)
  assert.equal(right, false)
  assert.match(text, /still being computed/)
})

test('a slider for how sure says what is beside it', () => {
  const parts = {'.confidence input': {}, '.confidence output': {}, 'input[value="yes"]': {}}
  KINDS.confidence.show({querySelector: selector => parts[selector]}, {said: 'yes', sure: 80})
  assert.deepEqual(Object.values(parts), [{value: '80', ariaValueText: '80%'}, {textContent: '80%'}, {checked: true}])
})

test('a confident answer says how sure, and keeps whether it was right', () => {
  const {compare, fits, keep} = KINDS.confidence
  assert.match(compare(section(), {said: 'yes', sure: 80}, 'yes').text, /80% sure of “yes”, and it is “yes”/)
  assert.equal(compare(section(), {said: 'yes', sure: 80}, 'no').right, false)
  assert.deepEqual(keep({said: 'yes', sure: 80}, true), {said: 'yes', sure: 80, right: true})
  assert.equal(fits(section(), {said: 'perhaps', sure: 80}), false)
  assert.equal(fits(section(), null), false)
})

test('a drawn curve fits a board with as many points', () => {
  const element = {board: {values: [1, 2]}}
  assert.equal(KINDS.draw.fits(element, [0.1, 0.2]), true)
  assert.equal(KINDS.draw.fits(element, [0.1]), false)
  assert.equal(KINDS.draw.fits(element, [0.1, null]), false)
})
