// Trains networks and calculates in a thread of its own, so that the page stays alive. A run belongs to a number: what
// arrives about an earlier run is out of date.
import {open, received, variant} from '../shared/kernels/engine.js'
import {Unable} from '../shared/kernels/errors.js'
import {level} from '../shared/kernels/features.js'
import {CALCULATIONS} from './calculations/index.js'
import {dataset, featured} from './datasets.js'
import {dataOf, firstOf} from './engine/data.js'
import {PerceptronRun} from './engine/perceptrons.js'
import {TransformerRun} from './engine/transformers.js'
import {OBSERVERS} from './observers/index.js'

/** @typedef {import('./engine/run.js').Overflow} Overflow */
/** @typedef {{kind: 'start', run: number, folder: string, version: string, figure: string, settings: Values, networks: Record<string, TrainedNetwork>}} Start `figure` is the name of the simulation */
/** @typedef {{kind: 'advance', run: number, steps: number, networks?: Record<string, TrainedNetwork> | null}} Advance `networks` train from now on, in place of the present ones */
/** @typedef {{kind: 'measure', folder: string, calculation: Calculation}} Measure what is calculated without training */
/** @typedef {{kind: 'measured', values: unknown} | {kind: 'failed', message: string}} Measured */
/** @typedef {{step: number, records: TrainingRecord[], now: TrainingRecord, overflows: (Overflow | null)[], observed: unknown}} Progress `records` are the new ones */
/**
 * `watched`: those of the `milliseconds` that the observers took.
 * @typedef {{kind: 'progress', run: number, networks: Record<string, Progress>, variant: import('../shared/kernels/engine.js').Variant, milliseconds: number, watched: number}
 *   | {kind: 'unable' | 'failed', run: number, message: string}} News
 */

/** @typedef {{run: import('./observers/index.js').AnyRun, observer: import('./observers/index.js').Observer | null, sent: number}} Member `sent` counts records */
/** @type {{number: number, members: Record<string, Member>, task: Start} | null} */
let current = null
/** @type {Promise<unknown>} */
let earlier = Promise.resolve()

/** @param {News | Measured} news */
const say = news => postMessage(news)

addEventListener('message', (/** @type {MessageEvent<Start | Advance | Measure>} */ {data}) => {
  earlier = earlier.then(() => (data.kind === 'measure' ? measure(data) : answer(data)))
})

/** @type {Map<string, Promise<any>>} what calculations need, by its address */
const files = new Map()

/** @template T @param {string} address @param {() => Promise<T>} read @returns {Promise<T>} */
function once(address, read) {
  const file = files.get(address) ?? read()
  files.set(address, file)
  file.catch(() => files.delete(address)) // may be asked for again
  return file
}

/** @param {Measure} task */
async function measure({folder, calculation}) {
  const {name, data} = calculation
  try {
    const [module, points, ziggurat] = await Promise.all([
      CALCULATIONS[name](),
      once(`${folder}${data}`, () => loaded(folder, data)),
      once(`${folder}ziggurat.json`, async () => (await received(`${folder}ziggurat.json`)).json()),
    ])
    if (!points) throw new Error(`There is no file with ${data}.`)
    say({kind: 'measured', values: module.measured(calculation, points, ziggurat)})
  } catch (error) {
    say({kind: 'failed', message: error instanceof Error ? error.message : String(error)})
  }
}

/** @param {Start | Advance} task */
async function answer(task) {
  const {run} = task
  const began = performance.now()
  try {
    if (task.kind === 'start') current = await begun(task)
    else if (current?.number !== run) return
    else {
      if (task.networks) current = await begun({...current.task, networks: task.networks})
      for (const {run} of Object.values(current.members)) run.advance(task.steps)
    }
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
async function begun(task) {
  const {run: number, folder, version, figure, settings, networks} = task
  const kind = variant(level())
  const opened = (/** @type {string} */ engine) => (engines[engine] ??= open(folder, version, engine, kind))
  const /** @type {Record<string, ReturnType<typeof open>>} */ engines = {}
  const ziggurat = await (await received(`${folder}ziggurat.json`)).json()
  const observing = await OBSERVERS[figure]?.()
  const /** @type {Record<string, Member>} */ members = {},
    /** @type {Map<string, import('./engine/data.js').Data>} */ sets = new Map()
  for (const [name, {architecture, recipe, data, seeds}] of Object.entries(networks)) {
    const source = JSON.stringify(data)
    const points =
      sets.get(source) ?? (await loaded(folder, data)) ?? dataset(/** @type {DataSource} */ (data), ziggurat)
    sets.set(source, points)
    const run =
      'tokens' in architecture
        ? new TransformerRun(await opened('transformers'), architecture, recipe, points, seeds, ziggurat)
        : new PerceptronRun(await opened('perceptrons'), architecture, recipe, points, seeds, ziggurat)
    const observer = observing?.observer(run, settings) ?? null
    run.onRecord = () => observer?.recorded?.()
    members[name] = {run, observer, sent: 0}
  }
  return {number, members, task}
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

/** A data set that comes as a file, or null. @param {string} folder @param {string | DataSource} data @returns {Promise<import('./engine/data.js').Data | null>} */
async function loaded(folder, data) {
  const source = typeof data === 'string' ? {name: data} : data
  const {name, arguments: {points: count = Infinity} = {}, features = undefined} = source
  const {[name]: described} = await (await received(`${folder}data.json`)).json()
  if (!described) return null
  const file = await (await received(`${folder}${name}.bin`)).arrayBuffer()
  const points = firstOf(dataOf(described, file), Number(count))
  return features ? featured(points, features) : points
}
