// A figure that is calculated in a thread of the browser.
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {load} from './page.js'

const {module} = await load('training/session/local-calculation.js')
const {LocalCalculation} = module
document.baseURI = 'https://example.org/'

test('where its thread says nothing, the server takes over', async ({mock: {timers}}) => {
  timers.enable({apis: ['setInterval']})
  let ended = 0
  globalThis.Worker = class {
    postMessage() {}

    terminate() {
      ended += 1
    }
  }
  const page = {
    name: 'toy',
    trains: {parameters: {depth: {kind: 'int', low: 1, high: 99, default: '1'}}, restarts: [], ends: [], names: {}},
    live: {defaults: {depth: '1'}},
    figure: {dataset: {kernels: 'kernels/toy/'}},
    stateOf: () => undefined,
    shelf: {atlas: async () => {}, states: {}},
  }
  const figure = {
    calculation: () => ({}),
    frame: () => ({}),
    describe: () => '',
    disclosure: () => ({}),
    update: () => [],
  }
  const reasons = []
  const session = new LocalCalculation(page, figure, {}, {changes() {}, unable: reason => reasons.push(reason)})
  session.request({n: 1, do: 'show', values: {depth: '2'}})
  await new Promise(setImmediate)
  timers.tick(60_000)
  await new Promise(setImmediate)
  assert.deepEqual([reasons, ended], [[], 0])
  timers.tick(60_000)
  await new Promise(setImmediate)
  assert.deepEqual([reasons, ended], [['A thread of this browser is not responding.'], 1])
})

test('the moments of a figure that plays have their sentences', () => {
  const live = {defaults: {moment: '0'}, film: {of: 'moment', sentences: {0: '', 1: ''}}}
  const page = {trains: {parameters: {moment: {low: 0, high: 1, default: '0'}}}, initial: {}, live}
  const figure = {describe: ({result}, {moment}) => `${moment}: ${result}`}
  const session = new LocalCalculation(page, figure, {}, {changes() {}, unable() {}})
  assert.deepEqual(session.moments({result: 7}), {of: 'moment', sentences: {0: '0: 7', 1: '1: 7'}})
})
