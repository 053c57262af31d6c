// What is measured of weighted passes, as quantities and in words, as in sims/instruments/networks/weighted_passes.py.
import {number} from '../../shared/numbers.js'
import {last, medians, quantity} from '../frame.js'

/** @typedef {import('./weighted-passes.js').Passes} Passes */

export const COMPARED = 64 // held-out images

/** The label and unit of every signal. @type {Record<'stream' | 'likeness' | 'gradient', [label: string, unit: string]>} */
const SIGNALS = {
  stream: ['root mean square of the stream', "relative to the stem's output"],
  likeness: ['mean cosine between the streams of different images', 'cosine'],
  gradient: ["root mean square of the stream's gradient", 'relative to that after the last block'],
}

/**
 * The median of the seeds of every signal, by its name; stream and gradient are relative to the places where they begin.
 * @param {Passes} passes @param {number} seeds @param {string} [when] more words for the labels
 */
export function signalsOf(passes, seeds, when = '') {
  const places = passes.stream.length / seeds
  const relative = (/** @type {Float64Array} */ values, /** @type {number} */ beginning) =>
    values.map((value, at) => value / values[at - (at % places) + beginning])
  const values = {
    stream: relative(passes.stream, 0),
    likeness: passes.likeness,
    gradient: relative(passes.gradient, places - 1),
  }
  const median = (/** @type {keyof typeof SIGNALS} */ name) => {
    const [label, unit] = SIGNALS[name]
    return quantity(medians(values[name], seeds), `${label}, ${when}median of the seeds`, unit, ['place'])
  }
  return {stream: median('stream'), likeness: median('likeness'), gradient: median('gradient')}
}

/** What a frame's results say of its signals. @param {ReturnType<typeof signalsOf>} signals */
export const signalResults = ({stream, likeness, gradient}) => ({
  came: angle(likeness.values[0]),
  apart: angle(last(likeness.values)),
  stream: last(stream.values),
  gradient: gradient.values[0],
})

/** The angle that belongs to a cosine, in degrees. @param {number} cosine */
export const angle = cosine => Math.acos(Math.min(Math.max(cosine, -1), 1)) * (180 / Math.PI)

/**
 * What a lit network shows of signals; `compared` says which two inputs the angle is between.
 * @param {ReturnType<typeof signalsOf>} signals @param {TrainingFrame['results']} results @param {string} [compared]
 */
export function lightOf({stream, likeness, gradient}, results, compared = 'images') {
  const words = (/** @type {string} */ name) => number(Number(results[name]), 2)
  return {
    stream: stream.values,
    degrees: Array.from(likeness.values, angle),
    gradient: gradient.values,
    forwardWords: `Forward →  stream × ${words('stream')}, ${compared} ${words('came')}° → ${words('apart')}° apart`,
    backWords: `← Back  gradient × ${words('gradient')}`,
  }
}
