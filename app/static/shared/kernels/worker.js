// Trains in a thread of its own, so that the page stays alive. It is sent a `Task` once, and answers with `Report`s.
import {open, received, variant} from './engine.js'
import {Unable} from './errors.js'
import {level} from './features.js'
import {different, digests, numbers, placed, repeated, together} from './replay.js'

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').Place} Place */
/** @typedef {import('./replay.js').Call} Call */
/** @typedef {import('./replay.js').Entry} Entry */
/** @typedef {{folder: string, version: string}} Task */
/**
 * @typedef {{
 *   train: Call
 *   evaluate: Call
 *   orders: Entry
 *   steps: number
 *   every: number
 *   wrote: Record<string, string>
 *   error: number
 * }} Run
 */
/** @typedef {{steps: Call[], run: Run, file: string}} Proof */
/** @typedef {{ours: string, yours: string, wrong: string[]}} Compared one digest for all on either side, and what differs */
/**
 * @typedef {{kind: 'has', level: import('./features.js').Level, variant: import('./engine.js').Variant}
 *   | {kind: 'call', engine: string, kernel: string, compared: Compared}
 *   | {kind: 'run', step: number, steps: number}
 *   | {kind: 'end', compared: Compared, error: number, theirs: number, milliseconds: number}
 *   | {kind: 'unable', message: string}
 *   | {kind: 'failed', message: string}} Report
 */

/** @param {Report} report */
const say = report => postMessage(report)

addEventListener('message', async (/** @type {MessageEvent<Task>} */ {data}) => {
  try {
    await prove(data)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    say({kind: error instanceof Unable ? 'unable' : 'failed', message})
  }
})

/** @param {Task} task */
async function prove({folder, version}) {
  const has = level()
  const kind = variant(has)
  say({kind: 'has', level: has, variant: kind})
  const /** @type {Proof} */ proof = await (await received(`${folder}proof.json`)).json()
  const file = await (await received(`${folder}${proof.file}`)).arrayBuffer()
  const /** @type {Record<string, Engine>} */ engines = {}
  for (const call of proof.steps) {
    engines[call.engine] ??= await open(folder, version, call.engine, kind)
    const yours = repeated(engines[call.engine], call, file)
    say({kind: 'call', engine: call.engine, kernel: call.kernel, compared: compared(call.wrote, yours)})
  }
  train(engines[proof.run.train.engine], proof.run, file)
}

/** The whole run, with an error on the training set after every few steps. @param {Engine} engine @param {Run} run @param {ArrayBuffer} file */
function train(engine, run, file) {
  const values = placed(engine, run.train, file),
    judged = placed(engine, run.evaluate, file)
  judged.parameters = values.parameters
  const orders = numbers(run.orders, file),
    [chunks] = run.orders.shape
  const /** @type {number[]} */ losses = []
  const [batch, lost, rates] = ['orders', 'losses', 'rates'].map(name => /** @type {Place} */ (values[name]))
  let error = Number.NaN
  const began = performance.now()
  for (let chunk = 0; chunk < chunks; chunk++) {
    const size = batch.length
    batch.bytes.set(new Uint8Array(orders.buffer, orders.byteOffset + chunk * size * 8, size * 8))
    engine.call('run', {...values, first_step: chunk * run.every})
    losses.push(...lost.bytes)
    engine.call('evaluate', judged)
    error = median(Array.from(/** @type {Place} */ (judged.errors).numbers, Number))
    say({kind: 'run', step: chunk * run.every + rates.length, steps: run.steps})
  }
  const milliseconds = performance.now() - began
  const bytes = (/** @type {string} */ name) =>
    name === 'losses' ? Uint8Array.from(losses) : /** @type {Place} */ (values[name]).bytes
  const yours = digests(Object.fromEntries(Object.keys(run.wrote).map(name => [name, bytes(name)])))
  say({kind: 'end', compared: compared(run.wrote, yours), error, theirs: run.error, milliseconds})
}

/** @param {Record<string, string>} ours @param {Record<string, string>} yours @returns {Compared} */
function compared(ours, yours) {
  return {ours: together(ours), yours: together(yours), wrong: different(ours, yours)}
}

/** @param {number[]} all */
function median(all) {
  const sorted = all.toSorted((a, b) => a - b),
    middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
