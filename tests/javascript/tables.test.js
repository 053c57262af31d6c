import assert from 'node:assert/strict'
import {test} from 'node:test'
import {load} from './page.js'

const {
  module: {Tables},
} = await load('exercises/examples/tables.js')

const tables = new Tables({
  steps: {depth: ['1', '2', '3'], gain: ['0.5', '1']},
  numbers: [
    {of: ['depth', 'gain'], texts: ['a', 'b', 'c'], at: [0, 1, 2, 0, 1, 2]},
    {of: ['gain'], texts: ['half', 'whole'], at: [0, 1]},
    {of: [], texts: ['always'], at: [0]},
  ],
})

test('each number depends on its inputs alone, the last of them counting fastest', () => {
  assert.deepEqual(tables.at({depth: '1', gain: '0.5'}), ['a', 'half', 'always'])
  assert.deepEqual(tables.at({depth: '2', gain: '0.5'}), ['c', 'half', 'always'])
  assert.deepEqual(tables.at({depth: '3', gain: '1'}), ['c', 'whole', 'always'])
})

test('texts of the same number are the same step, and others are none', () => {
  assert.deepEqual(tables.at({depth: '2.0', gain: '.5'}), tables.at({depth: '2', gain: '0.5'}))
  assert.equal(tables.at({depth: '2.5', gain: '1'}), null)
  assert.equal(tables.at({depth: 'two', gain: '1'}), null)
})

test('the nearest steps; the lower one of two', () => {
  assert.deepEqual(tables.nearest({depth: '2.4', gain: '9'}), {depth: '2', gain: '1'})
  assert.deepEqual(tables.nearest({depth: '1.5', gain: '0.75'}), {depth: '1', gain: '0.5'})
})

test('what was not made yet is nothing, and what cannot be had is an error', async () => {
  globalThis.fetch = async address => ({ok: address !== 'gone', status: 404, json: async () => null})
  assert.equal(await Tables.fetched('later'), null)
  await assert.rejects(Tables.fetched('gone'), /404/)
})
