import assert from 'node:assert/strict'
import {test} from 'node:test'
import {nearest} from '../../app/static/exercises/marker.js'

test('a place on the axis becomes an answer that is possible', () => {
  assert.equal(nearest(8.6, 0, 54, 1), 9)
  assert.equal(nearest(-0.7, 0, 54, 1), 0)
  assert.equal(nearest(60, 0, 54, 1), 54)
  assert.equal(nearest(0.333, 0, 1, 0.01), 0.33)
})

test('a range that its steps do not fill ends at its end', () => {
  assert.equal(nearest(9.2, 0, 10, 4), 8)
  assert.equal(nearest(10, 0, 10, 3.5), 10)
})
