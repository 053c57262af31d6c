// Which layers get a gradient of about the same size as the others, as in sims/instruments/gradients/gradient_health.py.
import {median} from '../frame.js'

const FACTOR = 10 // times the median, or a share of it: a gradient within it counts as level

export const KINDS = ['level', 'weak', 'strong', 'zero']
const LEVEL = 0,
  WEAK = 1,
  STRONG = 2,
  ZERO = 3

/** The kinds of a row of gradients of a frame. @param {TrainingFrame} frame @param {string} name @param {number} row */
export function kindsOf({quantities}, name, row) {
  const {values, texts = KINDS, shape} = quantities[`${name}_health`]
  return Array.from(values.subarray(row * shape[1], (row + 1) * shape[1]), kind => texts[kind])
}

/** The place in `KINDS` of every gradient norm of a matrix, row by row. @param {Float64Array} norms @param {number} columns */
export function health(norms, columns) {
  const kinds = new Int32Array(norms.length)
  for (let first = 0; first < norms.length; first += columns) {
    const row = norms.subarray(first, first + columns)
    const level = middle(row)
    kinds.set(
      row.map(norm => kindOf(norm, norm / level)),
      first,
    )
  }
  return kinds
}

/** @param {number} norm @param {number} ratio */
function kindOf(norm, ratio) {
  if (norm === 0) return ZERO
  if (ratio > FACTOR || !Number.isFinite(norm)) return STRONG
  return ratio < 1 / FACTOR ? WEAK : LEVEL
}

/** The median of the norms that are finite and not zero; 1 if there are none. @param {Float64Array} norms */
export function middle(norms) {
  const counted = norms.filter(norm => Number.isFinite(norm) && norm > 0)
  return counted.length ? median(counted) : 1
}
