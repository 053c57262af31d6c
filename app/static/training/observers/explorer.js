// Maps of an explorer's network: of its answers at every record and now, and of its units now. As in
// sims/instruments/networks/watched_run.py.
import {computed} from '../datasets.js'
import {SIDE, UNIT_SIDE, answerMap, grid, unitMaps} from '../explorer/maps.js'
import {feeds, reachOf} from '../explorer/networks.js'

/** @typedef {{maps: Uint8Array, units: {bytes: Uint8Array, shape: number[]}, points: Float32Array, classes: number[]}} Observed a map for every moment, and the training points, x, y, x, y, … */

/** @param {import('../engine/perceptrons/run.js').PerceptronRun} run @param {Values} settings */
export function observer(run, settings) {
  const fed = (/** @type {number} */ side) => computed(grid(reachOf(settings), side), feeds(settings))
  const places = fed(SIDE),
    unitPlaces = fed(UNIT_SIDE)
  const map = () => answerMap(run.predict(places, SIDE * SIDE, 0, 1), run.outputs)
  const {inputs, labels} = run.data.plane ?? run.data.train
  const count = labels.length
  const points = Float32Array.from({length: 2 * count}, (_, at) => inputs[(at % 2) * count + (at >> 1)])
  const maps = [map()]
  return {
    recorded() {
      maps.push(map())
    },
    /** @returns {Observed} */
    now() {
      const recorded = run.records.at(-1)?.step === run.step
      if (!recorded) run.evaluate()
      return {
        maps: joined(recorded ? maps : [...maps, map()]),
        units: unitMaps(run.layerValues(unitPlaces, UNIT_SIDE * UNIT_SIDE, 0)),
        points,
        classes: Array.from(labels, Number),
      }
    },
  }
}

/** @param {Uint8Array[]} maps */
function joined(maps) {
  const all = new Uint8Array(maps.length * SIDE * SIDE)
  for (const [at, map] of maps.entries()) all.set(map, at * SIDE * SIDE)
  return all
}
