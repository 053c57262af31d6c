// Maps of a racer's answers at every record, of its middle seed: as in sims/comparisons/racer.py.
import {progress} from '../comparisons/standings.js'
import {answerMap, grid} from '../explorer/maps.js'
import {median} from '../frame.js'

/** Points along each side of a map. */
export const SIDE = 24
const REACH = 2 // half the side of the square

/** @typedef {{maps: Uint8Array}} Raced one for every record, none if the inputs are not in a plane */

/** @param {import('./index.js').PointRun} run @returns {import('./index.js').Observer} */
export function observer(run) {
  const places = grid(REACH, SIDE)
  const /** @type {Uint8Array[]} */ maps = []
  if (run.data.features === 2) maps.push(map())

  /** Of the present step. */
  function map() {
    const way = progress(run.records)
    // The middle seed had finished at the previous record already: keep its map.
    if (way.length > 1 && median(way[way.length - 2]) === 1) return maps[maps.length - 1]
    const now = way[way.length - 1]
    const order = [...now.keys()].sort((one, other) => now[one] - now[other])
    const middle = order[order.length >> 1]
    return answerMap(run.predict(places, SIDE * SIDE, middle, middle + 1), run.outputs)
  }

  return {
    recorded() {
      if (maps.length) maps.push(map())
    },
    now() {
      const all = new Uint8Array(maps.length * SIDE * SIDE)
      for (const [at, bytes] of maps.entries()) all.set(bytes, at * SIDE * SIDE)
      return /** @type {Raced} */ ({maps: all})
    },
  }
}
