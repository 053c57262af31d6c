// The networks of a figure and what is measured of them, trained together.
import {PerceptronRun} from './perceptrons.js'
import {TransformerRun} from './transformers.js'

/** @typedef {import('../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('./draws.js').Ziggurat} Ziggurat */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('./run.js').Overflow} Overflow */
/** @typedef {import('../observers/index.js').AnyRun} AnyRun */
/** @typedef {import('../observers/index.js').ObserverModule} ObserverModule */
/** @typedef {{step: number, records: TrainingRecord[], now: TrainingRecord, overflows: (Overflow | null)[], observed: unknown, milliseconds: number | null}} Progress `records` are the new ones; `milliseconds` are those of a step of one seed */

/** @typedef {{run: AnyRun, observer: import('../observers/index.js').Observer | null, sent: number}} Member `sent` counts records */

/** The name of the engine that trains a network. @param {TrainedNetwork} network */
export const engineName = ({architecture}) => ('tokens' in architecture ? 'transformers' : 'perceptrons')

export class Group {
  /**
   * All networks before their first step.
   * @param {(network: TrainedNetwork) => Engine} engineOf @param {Ziggurat} ziggurat @param {ObserverModule} measuring @param {Values} settings
   * @param {Record<string, TrainedNetwork>} networks @param {(network: TrainedNetwork) => Data} pointsOf
   */
  constructor(engineOf, ziggurat, {begin, observer}, settings, networks, pointsOf) {
    /** @type {Record<string, AnyRun>} */
    const runs = {}
    for (const [name, network] of Object.entries(networks)) {
      const engine = engineOf(network),
        points = pointsOf(network)
      const perceptron = /** @type {TrainedPerceptron} */ (network) // others do not begin in a special way
      runs[name] =
        begin?.(name, {engine, ziggurat, network: perceptron, points, settings}) ??
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
      networks[name] = {...news, observed: member.observer?.now(), milliseconds: member.run.pace.least}
      member.sent = records.length
    }
    return networks
  }
}

/** A network before its first step. @param {Engine} engine @param {TrainedNetwork} network @param {Data} points @param {Ziggurat} ziggurat */
function begun(engine, {architecture, recipe, seeds}, points, ziggurat) {
  return 'tokens' in architecture
    ? new TransformerRun(engine, architecture, recipe, points, seeds, ziggurat)
    : new PerceptronRun(engine, architecture, recipe, points, seeds, ziggurat)
}
