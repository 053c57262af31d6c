// Data sets that a browser makes by itself, as sims/data/datasets.py does.

/** @typedef {{name: string, arguments: Record<string, number | string>}} Source */

/** @param {Source} source @param {import('./engine/draws.js').Ziggurat} _ziggurat @returns {import('./engine/data.js').Data} */
export function dataset({name}, _ziggurat) {
  throw new RangeError(`there is no data set named ${name}`)
}
