// The networks of a figure and what is measured of them, trained together.
import {PerceptronRun} from './perceptrons.js'

/** @typedef {import('../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('./draws.js').Ziggurat} Ziggurat */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('./perceptrons.js').Overflow} Overflow */
/** @typedef {import('../observers/index.js').ObserverModule} ObserverModule */
/** @typedef {{step: number, records: TrainingRecord[], now: TrainingRecord, overflows: (Overflow | null)[], observed: unknown}} Progress `records` are the new ones */

/** @typedef {{run: PerceptronRun, observer: import('../observers/index.js').Observer | null, sent: number}} Member `sent` counts records */

export class Group {
  /**
   * All networks before their first step.
   * @param {Engine} engine @param {Ziggurat} ziggurat @param {ObserverModule} measuring @param {Values} settings
   * @param {Record<string, TrainedNetwork>} networks @param {(network: TrainedNetwork) => Data} pointsOf
   */
  constructor(engine, ziggurat, {begin, observer}, settings, networks, pointsOf) {
    /** @type {Record<string, PerceptronRun>} */
    const runs = {}
    for (const [name, network] of Object.entries(networks)) {
      const points = pointsOf(network)
      const {architecture, recipe, seeds} = network
      runs[name] =
        begin?.(name, {engine, ziggurat, network, points, settings}) ??
        new PerceptronRun(engine, architecture, recipe, points, seeds, ziggurat)
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
      networks[name] = {step, records: records.slice(member.sent), now, overflows, observed: member.observer?.now()}
      member.sent = records.length
    }
    return networks
  }
}
