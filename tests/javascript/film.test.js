import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {Film, thinned} from '../../app/static/figure/film.js'

let film
beforeEach(() => {
  film = new Film()
})

const record = (step, values = {seed: '1'}) =>
  film.record({snapshot: () => new Map([['a x', step]])}, {values, step, description: `at ${step}`})
const steps = () => film.frames.map(frame => frame.step)

test('pictures stay in the order of their steps, each with its sentence', () => {
  for (const step of [0, 5, 9]) record(step)
  assert.deepEqual(steps(), [0, 5, 9])
  assert.equal(film.frames[1].said.description, 'at 5')
  assert.equal(film.frames[1].values.get('a x'), 5)
})

test('before there is a picture, nothing is kept', () => {
  record(undefined)
  assert.equal(film.newest, undefined)
})

test('a run that starts over replaces what comes later, and other settings replace all', () => {
  for (const step of [0, 5, 9]) record(step)
  film.shown = film.frames[1]
  record(5)
  assert.deepEqual(steps(), [0, 5])
  assert.equal(film.shown, null)
  record(7, {seed: '2'})
  assert.deepEqual(steps(), [7])
})

test('a pointer goes to the nearest picture, a key to the next one', () => {
  for (const step of [0, 10, 20]) record(step)
  assert.equal(film.toward(13, 20, false).step, 10)
  assert.equal(film.toward(19, 20, false).step, 20)
  assert.equal(film.toward(19, 20, true).step, 10)
  assert.equal(film.toward(1, 0, true).step, 10)
  assert.equal(film.toward(21, 20, true).step, 20)
  assert.equal(film.toward(100, 0, true).step, 20)
})

test('a long film loses every other picture, and neither its first nor its last', () => {
  const frames = Array.from({length: 62}, (_each, step) => ({step}))
  const left = thinned(frames).map(({step}) => step)
  assert.equal(left.length, 32)
  assert.deepEqual([left[0], left[1], left.at(-1)], [0, 2, 61])
  assert.equal(thinned(frames.slice(0, 60)).length, 60)
})
