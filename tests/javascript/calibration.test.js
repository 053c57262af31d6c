import assert from 'node:assert/strict'
import {test} from 'node:test'
import {FakeStorage, load} from './page.js'

const calibration = async answers => {
  const storage = new FakeStorage()
  storage.setItem('answers', JSON.stringify(answers))
  return (await load('exercises/calibration.js', {storage})).module.calibration()
}
const answer = (sure, right) => ({said: 'yes', sure, right})

test('too few answers say nothing', async () => {
  assert.deepEqual(await calibration({}), [])
  assert.deepEqual(await calibration({toy: {a: answer(60, true), b: answer(60, true)}}), [])
})

test('answers of all pages are counted in bands of how sure', async () => {
  const all = {one: {a: answer(50, true), b: answer(65, false)}, two: {c: answer(90, true), d: answer(100, true)}}
  assert.deepEqual(await calibration(all), [
    {from: 50, to: 65, answers: 2, right: 1},
    {from: 90, to: 100, answers: 2, right: 2},
  ])
})

test('other exercises do not count', async () => {
  const all = {
    one: {a: answer(75, true), b: answer(75, true), c: answer(75, false), rank: [1, 2], quiz: 'x'},
    outcomes: {'one.a': true},
    odd: null,
  }
  assert.deepEqual(await calibration(all), [{from: 70, to: 85, answers: 3, right: 2}])
})
