import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Scale, tickText} from '../../app/static/shared/scale.js'

test("shares and values are each other's inverse, within the scale", () => {
  for (const scale of [new Scale(2, 10, false), new Scale(1e-4, 10, true)])
    for (const share of [0, 0.25, 0.5, 1]) assert.ok(Math.abs(scale.share(scale.value(share)) - share) < 1e-5)
  assert.equal(new Scale(2, 10, false).value(0.5), 6)
  assert.equal(new Scale(0.01, 100, true).value(0.5), 1)
})

test('a share beyond the ends gives the end', () => {
  const scale = new Scale(2, 10, false)
  assert.equal(scale.value(-3), 2)
  assert.equal(scale.value(3), 10)
})

test('zero on a logarithmic scale is far below, and no error', () => {
  assert.ok(new Scale(1e-3, 1, true).share(0) < -10)
  assert.ok(Number.isFinite(new Scale(1e-3, 1, true).ariaValue(0)))
})

test('ticks are round numbers within the scale', () => {
  assert.deepEqual(new Scale(0, 1, false).ticks(), [0, 0.2, 0.4, 0.6, 0.8, 1])
  assert.deepEqual(new Scale(0, 10, false).ticks(), [0, 2, 4, 6, 8, 10])
  assert.deepEqual(new Scale(1e-3, 10, true).ticks(), [0.001, 0.01, 0.1, 1, 10])
  assert.deepEqual(new Scale(1e-16, 1, true).ticks(), [1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1], 'the largest is labeled')
  assert.ok(new Scale(1e-30, 1, true).ticks().length <= 7, 'many powers of ten are thinned out')
})

test('a scale grows for values, but not for those that it cannot show', () => {
  const linear = new Scale(0, 1, false).holding([2, NaN, -1, Infinity])
  assert.deepEqual([linear.low, linear.high], [-1, 2])
  const logarithmic = new Scale(0.1, 1, true).holding([0, -5, 10])
  assert.deepEqual([logarithmic.low, logarithmic.high], [0.1, 10])
})

test('a tick of a share is a percentage', () => {
  assert.equal(tickText(0.5, '%', false), '50%')
  assert.equal(tickText(1e-6, '', true), '10⁻⁶')
})
