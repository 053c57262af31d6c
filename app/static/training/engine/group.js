// The networks of a figure and what is measured of them, trained together.
import {PerceptronRun} from './perceptrons.js'

/** @typedef {import('../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('./draws.js').Ziggurat} Ziggurat */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('./perceptrons.js').Overflow} Overflow */
/** @typedef {import('../observers/index.js').ObserverModule} ObserverModule */
/** @typedef {{step: number, records: TrainingRecord[], now: TrainingRecord, overflows: (Overflow | null)[], observed: unknown, milliseconds: number | null}} Progress `records` are the new ones; `milliseconds` are those of a step of one seed */

/** @typedef {{run: PerceptronRun, observer: import('../observers/index.js').Observer | null, sent: number, pace: Pace}} Member `sent` counts records */

const TIMED = 20 // milliseconds: clocks of browsers are coarse

/** The time of a step of one seed: the least over pieces of a run, since other work can only add to it. */
class Pace {
  milliseconds = 0
  steps = 0
  /** @type {number | null} */
  least = null

  /** Takes steps and measures them, unless a seed has diverged: it takes fewer steps. @param {PerceptronRun} run @param {number} steps */
  advance(run, steps) {
    const began = performance.now()
    run.advance(steps)
    this.milliseconds += performance.now() - began
    this.steps += steps * run.seeds.length
    const diverged = run.overflows.some(overflow => overflow !== null)
    if (this.milliseconds < TIMED && !diverged) return
    if (!diverged) this.least = Math.min(this.least ?? Number.POSITIVE_INFINITY, this.milliseconds / this.steps)
    this.milliseconds = this.steps = 0
  }
}

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
      this.members[name] = {run, observer: watching, sent: 0, pace: new Pace()}
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
      for (const {run, pace} of members) pace.advance(run, pause - step)
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
      networks[name] = {...news, observed: member.observer?.now(), milliseconds: member.pace.least}
      member.sent = records.length
    }
    return networks
  }
}
