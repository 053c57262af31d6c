// Branches that are turned around at the start, and ReZero's learned factors: as in sims/simulations/depth/rezero.py.
import {initialOfAll} from '../engine/perceptrons/initialization.js'
import {lastOfBranches, layoutOf} from '../engine/perceptrons/layout.js'
import {PerceptronRun} from '../engine/perceptrons/run.js'

/** @typedef {import('./index.js').Beginning} Beginning */
/** @typedef {{factors: Float64Array, now: Float64Array}} Factors of the first seed (records, blocks), and of all (seeds, blocks) now, row by row */

/** @param {string} name @param {Beginning} beginning */
export function begin(name, {engine, ziggurat, network, points, settings}) {
  if (name !== 'rezero' || settings.mirrored !== 'yes') return null
  const {architecture, recipe, seeds} = network
  const layout = layoutOf(architecture, points.features, points.classes)
  const parameters = initialOfAll(architecture, layout, seeds, ziggurat)
  for (const place of seeds.keys())
    for (const {rows, weight, bias} of lastOfBranches(layout))
      for (let at = weight; at < bias + rows; at++) parameters[place * layout.size + at] *= -1
  return new PerceptronRun(engine, architecture, recipe, points, seeds, ziggurat, parameters)
}

/** @param {PerceptronRun} run @param {Values} _settings @param {Record<string, PerceptronRun>} runs @returns {import('./index.js').Observer | null} */
export function observer(run, _settings, runs) {
  if (run !== runs.rezero) return null
  const {blocks, factors, size} = run.layout
  const ofSeed = (/** @type {number} */ place) =>
    Array.from(run.parameters.subarray(place * size + factors, place * size + factors + blocks))
  const seen = ofSeed(0)
  return {
    recorded() {
      seen.push(...ofSeed(0))
    },
    /** @returns {Factors} */
    now() {
      const now = run.seeds.flatMap((_, place) => ofSeed(place))
      return {factors: Float64Array.from(seen), now: Float64Array.from(now)}
    },
  }
}
