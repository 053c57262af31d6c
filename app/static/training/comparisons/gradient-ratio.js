// What the gradient of the stream at its first place, over that at its last, says about a network: as in
// sims/instruments/gradients/gradient_ratio.py.
import {median} from '../frame.js'

export const VANISHED = 1e-3,
  EXPLODED = 1e3,
  FINE = 0.1
/** Ratios that count as level. */
export const LEVEL = [0.1, 10]

/** The median over the seeds. @param {TrainingRecord} record @param {number} seeds */
export function gradientRatio({stream_gradients: gradients}, seeds) {
  const places = gradients.length / seeds
  return median(
    Float64Array.from({length: seeds}, (_, seed) => gradients[seed * places] / gradients[(seed + 1) * places - 1]),
  )
}

/** @param {number} ratio */
export function slope(ratio) {
  if (ratio === 0) return 'zero'
  if (LEVEL[0] <= ratio && ratio <= LEVEL[1]) return 'level'
  return ratio < LEVEL[0] ? 'fading' : 'growing'
}
