// Repeats calls of kernels that the server's code made, and compares what they write: all their bits, by a digest.
import {Place} from './engine.js'
import {sha256} from './sha256.js'

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./engine.js').Numbers} Numbers */
/** @typedef {import('./engine.js').Type} Type */
/** @typedef {import('./engine.js').Values} Values */
/**
 * An array in a file of recorded numbers. Without `at` it is zeros; `small` whole numbers take two bytes each.
 * @typedef {{type: Type, shape: number[], at?: number, small?: boolean, scratch?: boolean}} Entry
 */
/** @typedef {Entry | {same: string, shape: number[]} | number | boolean | 'Infinity'} Recorded */
/**
 * @typedef {{
 *   engine: string
 *   kernel: string
 *   arguments: Record<string, Recorded>
 *   wrote: Record<string, string>
 *   result: number | null
 * }} Call
 */

/** The numbers of an array. @param {Entry} entry @param {ArrayBuffer} file @returns {Numbers} */
export function numbers({type, shape, at = 0, small}, file) {
  const length = shape.reduce((product, each) => product * each, 1)
  if (small) return BigInt64Array.from(new Uint16Array(file, at, length), BigInt)
  const kinds = {float32: Float32Array, float64: Float64Array, int64: BigInt64Array, bool: Uint8Array}
  return new kinds[type](file, at, length)
}

/** Puts the arguments of a recorded call into the memory of its engine. @param {Engine} engine @param {Call} call @param {ArrayBuffer} file */
export function placed(engine, call, file) {
  const /** @type {Values} */ values = {}
  for (const [name, recorded] of Object.entries(call.arguments)) {
    if (typeof recorded !== 'object') values[name] = typeof recorded === 'string' ? Number(recorded) : recorded
    else if ('same' in recorded) {
      const {memory, at, type} = /** @type {Place} */ (values[recorded.same])
      values[name] = new Place(memory, at, type, recorded.shape)
    } else {
      const place = engine.place(recorded.type, recorded.shape)
      values[name] = place
      // Nothing may depend on what is in scratch space: one such number would spoil the digest.
      if (recorded.scratch) /** @type {Float32Array} */ (place.numbers).fill(Number.NaN)
      else if (recorded.at !== undefined)
        /** @type {{set: (numbers: Numbers) => void}} */ (place.numbers).set(numbers(recorded, file))
    }
  }
  return values
}

/** The digests of some arrays by their names. @param {Record<string, Uint8Array>} arrays */
export function digests(arrays) {
  return Object.fromEntries(Object.entries(arrays).map(([name, bytes]) => [name, sha256(bytes)]))
}

/** One digest for all of these. @param {Record<string, string>} several */
export function together(several) {
  return sha256(new TextEncoder().encode(Object.values(several).join(' ')))
}

/**
 * The names of those that differ.
 * @param {Record<string, string>} ours @param {Record<string, string>} yours
 */
export function different(ours, yours) {
  return Object.keys(ours).filter(name => ours[name] !== yours[name])
}

/** What a call writes, as digests by name. @param {Engine} engine @param {Call} call @param {ArrayBuffer} file */
export function repeated(engine, call, file) {
  const before = engine.top
  const values = placed(engine, call, file)
  engine.call(call.kernel, values)
  const arrays = Object.keys(call.wrote).map(name => [name, /** @type {Place} */ (values[name]).bytes])
  engine.top = before
  return digests(Object.fromEntries(arrays))
}
