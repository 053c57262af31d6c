// Trains networks in a thread of its own, so that the page stays alive. A run belongs to a number: what arrives about an
// earlier run is out of date.
import {open, received, variant} from '../shared/kernels/engine.js'
import {Unable} from '../shared/kernels/errors.js'
import {level} from '../shared/kernels/features.js'
import {dataOf} from './data.js'
import {PerceptronRun} from './perceptrons.js'

/** @typedef {import('./perceptrons.js').Overflow} Overflow */
/** @typedef {{kind: 'start', run: number, folder: string, version: string, networks: Record<string, TrainedNetwork>}} Start */
/** @typedef {{kind: 'advance', run: number, steps: number}} Advance */
/** @typedef {{step: number, records: TrainingRecord[], now: TrainingRecord, overflows: (Overflow | null)[]}} Progress `records` are the new ones */
/**
 * @typedef {{kind: 'progress', run: number, networks: Record<string, Progress>, variant: import('../shared/kernels/engine.js').Variant, milliseconds: number}
 *   | {kind: 'unable' | 'failed', run: number, message: string}} News
 */

/** @type {{number: number, runs: Record<string, PerceptronRun>, sent: Record<string, number>} | null} */
let current = null
/** @type {Promise<unknown>} */
let earlier = Promise.resolve()

/** @param {News} news */
const say = news => postMessage(news)

addEventListener('message', (/** @type {MessageEvent<Start | Advance>} */ {data}) => {
  earlier = earlier.then(() => answer(data))
})

/** @param {Start | Advance} task */
async function answer(task) {
  const {run} = task
  const began = performance.now()
  try {
    if (task.kind === 'start') current = await begun(task)
    else if (current?.number !== run) return
    else for (const one of Object.values(current.runs)) one.advance(task.steps)
    say({kind: 'progress', run, networks: progress(), variant: variant(), milliseconds: performance.now() - began})
  } catch (error) {
    current = null
    const message = error instanceof Error ? error.message : String(error)
    say({kind: error instanceof Unable ? 'unable' : 'failed', run, message})
  }
}

/** @param {Start} task */
async function begun({run: number, folder, version, networks}) {
  const engine = await open(folder, version, 'perceptrons', variant(level()))
  const ziggurat = await (await received(`${folder}ziggurat.json`)).json()
  const /** @type {Record<string, PerceptronRun>} */ runs = {}
  for (const [name, {architecture, recipe, data, seeds}] of Object.entries(networks))
    runs[name] = new PerceptronRun(engine, architecture, recipe, await loaded(folder, data), seeds, ziggurat)
  return {number, runs, sent: Object.fromEntries(Object.keys(runs).map(name => [name, 0]))}
}

/** What has happened since the last news. */
function progress() {
  const /** @type {Record<string, Progress>} */ networks = {}
  if (!current) return networks
  for (const [name, {step, records, now, overflows}] of Object.entries(current.runs)) {
    networks[name] = {step, records: records.slice(current.sent[name]), now, overflows}
    current.sent[name] = records.length
  }
  return networks
}

/** A data set. @param {string} folder @param {string} name @returns {Promise<import('./data.js').Data>} */
async function loaded(folder, name) {
  const {[name]: described} = await (await received(`${folder}data.json`)).json()
  return dataOf(described, await (await received(`${folder}${name}.bin`)).arrayBuffer())
}
