import assert from 'node:assert/strict'
import {test} from 'node:test'
import {load} from './page.js'

const figure = (more = {}) => ({
  scrubbed: [
    ['depth', ['2', '4', '8']],
    ['skip', ['yes', 'no']],
  ],
  first: [],
  initial: {depth: '4'},
  live: {defaults: {depth: '2', skip: 'yes', seed: '0'}, values: {depth: '4', skip: 'yes', seed: '0'}},
  shelf: {states: {'0-0': [], '2-1': [], '1-0': []}},
  ...more,
})

test('the settings that the page begins with are the first state', async () => {
  const {module} = await load('figure/states.js')
  assert.equal(module.stateOf(figure(), {depth: '4', skip: 'yes', seed: '0'}), 'first')
  assert.equal(module.stateOf(figure(), {depth: '4.0', skip: 'yes'}), 'first', 'numbers are compared as numbers')
  assert.equal(module.stateOf(figure({first: null}), {depth: '4', skip: 'yes'}), '1-0')
})

test('a state is named by the positions of its values', async () => {
  const {module} = await load('figure/states.js')
  assert.equal(module.stateOf(figure(), {depth: '8', skip: 'no'}), '2-1')
  assert.equal(module.stateOf(figure(), {depth: '2', skip: 'yes'}), '0-0')
})

test('there is no state for what was not prepared', async () => {
  const {module} = await load('figure/states.js')
  assert.equal(module.stateOf(figure(), {depth: '8', skip: 'yes'}), undefined, 'not made yet')
  assert.equal(module.stateOf(figure(), {depth: '3', skip: 'no'}), undefined, 'no step')
  assert.equal(module.stateOf(figure(), {depth: '8', skip: 'no', seed: '1'}), undefined, 'a parameter off the shelf')
  assert.equal(module.stateOf(figure(), {depth: '', skip: 'yes'}), undefined, 'no value is not zero')
  assert.equal(module.stateOf(figure({shelf: {states: null}}), {depth: '8', skip: 'no'}), undefined, 'no atlas yet')
})

test('where there is a server, nothing is taken to the nearest state', async () => {
  const {module} = await load('figure/states.js')
  assert.equal(module.nearest(figure(), {depth: '7', skip: 'no'}), undefined)
})
