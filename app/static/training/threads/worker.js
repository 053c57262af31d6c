// Trains networks and calculates in a thread of its own, so that the page stays alive. A run belongs to a number: what
// arrives about an earlier run is out of date.
import {open, received, variant} from '../../shared/kernels/engine.js'
import {Unable} from '../../shared/kernels/errors.js'
import {level} from '../../shared/kernels/features.js'
import {CALCULATIONS} from '../calculations/index.js'
import {dataset, featured} from '../datasets.js'
import {dataOf, firstOf} from '../engine/data.js'
import {Group, engineName} from '../engine/group.js'
import {FILE, OwnWords} from '../language/own-words.js'
import {OBSERVERS} from '../observers/index.js'

/** @typedef {{kind: 'start', run: number, folder: string, version: string, figure: string, settings: Values, networks: Record<string, AnyNetwork>, plain: boolean, tried?: number}} Start `figure` is the name of the simulation; `plain` asks for the code without fused products; up to `tried` steps are taken and forgotten, to see how long one takes */
/** @typedef {{kind: 'advance', run: number, steps: number, networks?: Record<string, AnyNetwork> | null}} Advance `networks` train from now on, in place of the present ones */
/** @typedef {TrainedNetwork | TrainedLanguage | TrainedStack} AnyNetwork */
/** @typedef {{kind: 'measure', folder: string, calculation: Calculation}} Measure what is calculated without training */
/** @typedef {{kind: 'measured', values: unknown} | {kind: 'failed', message: string}} Measured */
/**
 * `watched`: those of the `milliseconds` that the observers took. `pace`: the milliseconds of a step, if steps were tried.
 * @typedef {{kind: 'progress', run: number, networks: Record<string, import('../engine/group.js').Progress>, variant: import('../../shared/kernels/engine.js').Variant, milliseconds: number, watched: number, pace?: number}
 *   | {kind: 'failed', run: number, message: string}} News
 */

/** @type {{number: number, group: Group, task: Start, variant: import('../../shared/kernels/engine.js').Variant} | null} */
let current = null
const TRYING = 50 // milliseconds of tried steps, about
let latest = 0 // the number of the last run that was to start
/** @type {Promise<unknown>} */
let earlier = Promise.resolve()

/** @param {News | Measured} news */
const say = news => postMessage(news)

addEventListener('message', (/** @type {MessageEvent<Start | Advance | Measure>} */ {data}) => {
  if (data.kind === 'start') latest = data.run
  earlier = earlier.then(() => (data.kind === 'measure' ? measure(data) : answer(data)))
})

/** @type {Map<string, Promise<any>>} what came as a file, by its address */
const files = new Map()

/** @template T @param {string} address @param {() => Promise<T>} read @returns {Promise<T>} */
function once(address, read) {
  const file = files.get(address) ?? read()
  files.set(address, file)
  file.catch(() => files.delete(address)) // may be asked for again
  return file
}

/** The tables of the generator of normal numbers. @param {string} folder @returns {Promise<import('../engine/numerics/draws.js').Ziggurat>} */
const tables = folder => once(`${folder}ziggurat.json`, async () => (await received(`${folder}ziggurat.json`)).json())

/** @param {Measure} task */
async function measure({folder, calculation}) {
  const {name, data, engine: code} = calculation
  try {
    const [module, points, ziggurat, engine] = await Promise.all([
      CALCULATIONS[name](),
      once(`${folder}${data}`, async () => await loaded(folder, data)),
      tables(folder),
      code && once(`${folder}${code}`, () => open(folder, versionOf(folder), code, variant(level()))),
    ])
    if (!points) throw new Error(`There is no file with ${data}.`)
    say({kind: 'measured', values: module.measured(calculation, points, ziggurat, engine)})
  } catch (error) {
    say({kind: 'failed', message: inWords(error)})
  }
}

/** The version of the files in a folder is its name. @param {string} folder */
const versionOf = folder => folder.split('/').at(-2) ?? ''

/** What has failed, in a sentence. @param {unknown} error */
function inWords(error) {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof Unable ? message : `A thread of this browser has failed: ${message}.`
}

/** @param {Start | Advance} task */
async function answer(task) {
  const {run} = task
  const began = performance.now()
  let pace
  try {
    if (task.kind === 'start') current = await begun(task)
    if (task.kind === 'start' && task.tried && current) {
      pace = paceOf(current.group, task.tried)
      current = await begun(task)
    }
    if (task.kind === 'advance' && current?.number === run) {
      if (task.networks) current = await begun({...current.task, networks: task.networks})
      current?.group.advance(task.steps)
    }
    if (current?.number !== run) return
    const trained = performance.now()
    const networks = current.group.progress()
    const ended = performance.now()
    say({
      kind: 'progress',
      run,
      networks,
      variant: current.variant,
      milliseconds: ended - began,
      watched: ended - trained,
      pace,
    })
  } catch (error) {
    current = null
    say({kind: 'failed', run, message: inWords(error)})
  }
}

/** The milliseconds of a step, from some steps: more at a time, as long as they take little. @param {Group} group @param {number} most steps */
function paceOf(group, most) {
  let steps = 1,
    pace = 0
  for (let taken = 0; taken < most && pace * steps < TRYING; taken += steps) {
    steps = taken ? Math.min(2 * steps, most - taken) : 1
    const began = performance.now()
    group.advance(steps)
    pace = (performance.now() - began) / steps
  }
  return pace
}

/** A run before its first step; null if another one is to start meanwhile. @param {Start} task */
async function begun(task) {
  const {run: number, folder, version, figure, settings, networks, plain} = task
  const kind = plain ? 'plain' : variant(level())
  const /** @type {Map<string, import('../../shared/kernels/engine.js').Engine>} */ engines = new Map()
  for (const name of new Set(Object.values(networks).map(engineName)))
    engines.set(name, await open(folder, version, name, kind))
  const ziggurat = await tables(folder)
  const measuring = (await OBSERVERS[figure]?.()) ?? {}
  const /** @type {Map<string, import('../engine/data.js').Data | OwnWords>} */ sets = new Map()
  for (const {data} of Object.values(networks)) {
    const source = JSON.stringify(data)
    if (sets.has(source)) continue
    sets.set(source, (await loaded(folder, data)) ?? dataset(/** @type {DataSource} */ (data), ziggurat))
  }
  if (number !== latest) return null
  const engineOf = (/** @type {AnyNetwork} */ network) =>
    /** @type {import('../../shared/kernels/engine.js').Engine} */ (engines.get(engineName(network)))
  const pointsOf = (/** @type {AnyNetwork} */ {data}) =>
    /** @type {import('../engine/data.js').Data | OwnWords} */ (sets.get(JSON.stringify(data)))
  const group = new Group(engineOf, ziggurat, measuring, settings, networks, pointsOf)
  return {number, group, task, variant: kind}
}

/** A data set or a text that comes as a file, or null. @param {string} folder @param {string | DataSource} data @returns {Promise<import('../engine/data.js').Data | OwnWords | null>} */
async function loaded(folder, data) {
  if (data === FILE) return new OwnWords(await (await received(`${folder}${data}`)).text())
  const source = typeof data === 'string' ? {name: data} : data
  const {name, arguments: {points: count = Infinity} = {}, features = undefined} = source
  const {[name]: described} = await (await received(`${folder}data.json`)).json()
  if (!described) return null
  const file = await (await received(`${folder}${name}.bin`)).arrayBuffer()
  const points = firstOf(dataOf(described, file), Number(count))
  return features ? featured(points, features) : points
}
