// Trains networks in a thread of its own, so that the page stays alive. A run belongs to a number: what arrives about an
// earlier run is out of date.
import {open, received, variant} from '../shared/kernels/engine.js'
import {Unable} from '../shared/kernels/errors.js'
import {level} from '../shared/kernels/features.js'
import {dataset, featured} from './datasets.js'
import {dataOf, firstOf} from './engine/data.js'
import {LanguageRun} from './engine/language.js'
import {PerceptronRun} from './engine/perceptrons.js'
import {OwnWords} from './language/own-words.js'
import {OBSERVERS} from './observers/index.js'

/** @typedef {import('./engine/perceptrons.js').Overflow} Overflow */
/** @typedef {{kind: 'start', run: number, folder: string, version: string, figure: string, settings: Values, networks: Record<string, TrainedNetwork | TrainedLanguage>}} Start `figure` is the name of the simulation */
/** @typedef {{kind: 'advance', run: number, steps: number}} Advance */
/** @typedef {{step: number, records: Moment[], now: Moment, overflows: (Overflow | null)[], observed: unknown}} Progress `records` are the new ones */
/** @typedef {TrainingRecord | {step: number}} Moment */
/**
 * `watched`: those of the `milliseconds` that the observers took.
 * @typedef {{kind: 'progress', run: number, networks: Record<string, Progress>, variant: import('../shared/kernels/engine.js').Variant, milliseconds: number, watched: number}
 *   | {kind: 'unable' | 'failed', run: number, message: string}} News
 */

/** @typedef {{run: PerceptronRun | LanguageRun, observer: import('./observers/index.js').Observer | null, sent: number}} Member `sent` counts records */
/** @type {{number: number, members: Record<string, Member>} | null} */
let current = null
/** @type {Promise<unknown>} */
let earlier = Promise.resolve()

const TEXT = 'own_words.txt'

/** @type {Record<string, any>} what trains, by the name of its engine */
const RUNS = {perceptrons: PerceptronRun, language: LanguageRun}

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
    else for (const {run} of Object.values(current.members)) run.advance(task.steps)
    const trained = performance.now()
    const networks = progress()
    const ended = performance.now()
    say({kind: 'progress', run, networks, variant: variant(), milliseconds: ended - began, watched: ended - trained})
  } catch (error) {
    current = null
    const message = error instanceof Error ? error.message : String(error)
    say({kind: error instanceof Unable ? 'unable' : 'failed', run, message})
  }
}

/** @param {Start} task */
async function begun({run: number, folder, version, figure, settings, networks}) {
  const [{engine: kind = 'perceptrons'}] = /** @type {{engine?: 'language'}[]} */ (Object.values(networks))
  const engine = await open(folder, version, kind, variant(level()))
  const ziggurat = await (await received(`${folder}ziggurat.json`)).json()
  const observing = await OBSERVERS[figure]?.()
  const /** @type {Record<string, Member>} */ members = {},
    /** @type {Map<string, import('./engine/data.js').Data | OwnWords>} */ sets = new Map()
  for (const [name, {architecture, recipe, data, seeds}] of Object.entries(networks)) {
    const source = JSON.stringify(data)
    const points =
      sets.get(source) ?? (await loaded(folder, data)) ?? dataset(/** @type {DataSource} */ (data), ziggurat)
    sets.set(source, points)
    const run = new RUNS[kind](engine, architecture, recipe, points, seeds, ziggurat)
    const observer = observing?.observer(run, settings) ?? null
    run.onRecord = () => observer?.recorded?.()
    members[name] = {run, observer, sent: 0}
  }
  return {number, members}
}

/** What has happened since the last news. */
function progress() {
  const /** @type {Record<string, Progress>} */ networks = {}
  for (const [name, member] of Object.entries(current?.members ?? {})) {
    const {step, records, now, overflows} = member.run
    networks[name] = {step, records: records.slice(member.sent), now, overflows, observed: member.observer?.now()}
    member.sent = records.length
  }
  return networks
}

/** A data set or a text that comes as a file, or null. @param {string} folder @param {string | DataSource} data @returns {Promise<import('./engine/data.js').Data | OwnWords | null>} */
async function loaded(folder, data) {
  if (data === TEXT) return new OwnWords(await (await received(`${folder}${data}`)).text())
  const source = typeof data === 'string' ? {name: data} : data
  const {name, arguments: {points: count = Infinity} = {}, features = undefined} = source
  const {[name]: described} = await (await received(`${folder}data.json`)).json()
  if (!described) return null
  const file = await (await received(`${folder}${name}.bin`)).arrayBuffer()
  const points = firstOf(dataOf(described, file), Number(count))
  return features ? featured(points, features) : points
}
