// The networks of a figure and what is measured of them, trained together.
import {LanguageRun} from './language.js'
import {PerceptronRun} from './perceptrons/run.js'
import {TransformerRun} from './transformers/run.js'
import {StackRun} from './weighted-stack/run.js'

/** @typedef {import('../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('./numerics/draws.js').Ziggurat} Ziggurat */
/** @typedef {import('./data.js').Data} PointData */
/** @typedef {import('../language/own-words.js').OwnWords} OwnWords */
/** @typedef {PointData | OwnWords} Data */
/** @typedef {TrainedNetwork | TrainedLanguage | TrainedStack} AnyNetwork */
/** @typedef {TrainingRecord | {step: number}} Moment */
/** @typedef {import('./run.js').Overflow} Overflow */
/** @typedef {import('../observers/index.js').AnyRun} AnyRun */
/** @typedef {import('../observers/index.js').ObserverModule} ObserverModule */
/** @typedef {{step: number, records: Moment[], now: Moment, overflows: (Overflow | null)[], observed: unknown, milliseconds: number | null}} Progress `records` are the new ones; `milliseconds` are those of a step of one seed */

/** @typedef {{run: AnyRun, observer: import('../observers/index.js').Observer | null, sent: number}} Member `sent` counts records */

/** The name of the engine that trains a network. @param {AnyNetwork} network */
export function engineName(network) {
  if ('engine' in network) return network.engine
  return 'tokens' in network.architecture ? 'transformers' : 'perceptrons'
}

export class Group {
  /**
   * All networks before their first step.
   * @param {(network: AnyNetwork) => Engine} engineOf @param {Ziggurat} ziggurat @param {ObserverModule} measuring @param {Values} settings
   * @param {Record<string, AnyNetwork>} networks @param {(network: AnyNetwork) => Data} pointsOf
   */
  constructor(engineOf, ziggurat, {begin, observer}, settings, networks, pointsOf) {
    /** @type {Record<string, AnyRun>} */
    const runs = {}
    for (const [name, network] of Object.entries(networks)) {
      const engine = engineOf(network),
        points = pointsOf(network)
      const perceptron = /** @type {TrainedPerceptron} */ (network) // others do not begin in a special way
      runs[name] =
        begin?.(name, {engine, ziggurat, network: perceptron, points: /** @type {PointData} */ (points), settings}) ??
        begun(engine, network, points, ziggurat)
    }
    /** @type {Record<string, Member>} */
    this.members = {}
    for (const [name, run] of Object.entries(runs)) {
      const watching = observer?.(run, settings, runs) ?? null
      run.onRecord = () => watching?.recorded?.()
      this.members[name] = {run, observer: watching, sent: 0}
    }
  }

  /** Takes some steps with every network. @param {number} steps */
  advance(steps) {
    const members = Object.values(this.members)
    const observers = members.flatMap(({observer}) => observer ?? [])
    let [{step}] = members.map(({run}) => run)
    const last = step + steps
    while (step < last) {
      const pause = Math.min(last, ...observers.map(observer => observer.pause?.(step) ?? last))
      for (const {run} of members) run.advance(pause - step)
      step = pause
      for (const observer of observers) observer.paused?.()
    }
  }

  /** What has happened since this was asked last. */
  progress() {
    const /** @type {Record<string, Progress>} */ networks = {}
    for (const [name, member] of Object.entries(this.members)) {
      const {step, records, now, overflows} = member.run
      const news = {step, records: records.slice(member.sent), now, overflows}
      networks[name] = {
        ...news,
        observed: member.observer?.now(),
        milliseconds: 'pace' in member.run ? member.run.pace.least : null,
      }
      member.sent = records.length
    }
    return networks
  }
}

/** A network before its first step. @param {Engine} engine @param {AnyNetwork} network @param {Data} data @param {Ziggurat} ziggurat */
function begun(engine, network, data, ziggurat) {
  if ('stack' in network)
    return new StackRun(engine, network.stack, network.recipe, /** @type {PointData} */ (data), network.seeds, ziggurat)
  if ('engine' in network) {
    const {architecture, recipe, seeds} = network
    return new LanguageRun(engine, architecture, recipe, /** @type {OwnWords} */ (data), seeds, ziggurat)
  }
  const {architecture, recipe, seeds} = network
  const points = /** @type {PointData} */ (data)
  return 'tokens' in architecture
    ? new TransformerRun(engine, architecture, recipe, points, seeds, ziggurat)
    : new PerceptronRun(engine, architecture, recipe, points, seeds, ziggurat)
}
