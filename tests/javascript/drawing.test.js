import assert from 'node:assert/strict'
import {test} from 'node:test'
import {distance, median} from '../../app/static/exercises/drawing.js'

const across = {label: 'depth', values: [1, 2, 4], logarithmic: true}
const shares = {across, up: {label: 'accuracy', low: 0, high: 1, logarithmic: false, unit: '', format: '%'}}
const losses = {across, up: {label: 'loss', low: 0.001, high: 10, logarithmic: true, unit: '', format: ''}}

test('the median of an even number of values lies between the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 2, 3]), 2.5)
})

test('a curve close to the truth is called so, and where it is farthest', () => {
  const {close, text} = distance([0.5, 0.62, 0.7], [0.5, 0.6, 0.7], shares)
  assert.equal(close, true)
  assert.match(
    text,
    /^Close\. On average you were off by 0\.67 percentage points, farthest at depth 2, where you drew 62% and it is 60%\.$/,
  )
})

test('on a logarithmic scale the distance is a factor', () => {
  const {close, text} = distance([1, 1, 1], [0.1, 0.1, 0.1], losses)
  assert.equal(close, false)
  assert.match(text, /by a factor of 10/)
})

test('a loss of zero counts as the lowest that the scale shows', () => {
  assert.equal(distance([0.001, 0.001, 0.001], [0, 0, 0], losses).close, true)
})

test('points without a truth are left out, and none at all is said', () => {
  assert.equal(distance([0.5, 0, 0], [0.5, null, null], shares).close, true)
  const {close, text} = distance([0.5, 0.5, 0.5], [null, null, null], shares)
  assert.equal(close, false)
  assert.match(text, /still being computed/)
})
