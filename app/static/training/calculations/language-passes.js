// What a text and its gradient meet on their way through an untrained language model, as in
// sims/instruments/stacks/language_passes.py. The kernels give the same bits; NumPy adds in an order of its own.
import {LanguageRun} from '../engine/language.js'
import {meanCosine, piecesOf} from '../observers/language.js'

/** @typedef {import('../language/own-words.js').OwnWords} OwnWords */
/** @typedef {{stream: Float64Array, likeness: Float64Array, gradient: Float64Array}} LanguagePasses each by place */

export const PIECES = 4
const UNTRAINED = {batch: PIECES, learning_rate: 0, warmup: 0, decay: 0, clip: 0, record_every: 1}

/**
 * @param {LanguagePassesCalculation} calculation @param {OwnWords} words @param {import('../engine/numerics/draws.js').Ziggurat} ziggurat
 * @param {import('../../shared/kernels/engine.js').Engine} engine
 * @returns {LanguagePasses}
 */
export function measured({architecture, seed}, {heldOut}, ziggurat, engine) {
  const before = engine.top
  try {
    const text = /** @type {OwnWords} */ ({learned: heldOut}) // the one that gradients are taken on
    return passes(new LanguageRun(engine, architecture, UNTRAINED, text, [seed], ziggurat), heldOut)
  } finally {
    engine.top = before
  }
}

/** @param {LanguageRun} run @param {Int32Array} text @returns {LanguagePasses} */
function passes(run, text) {
  const {context, width, blocks} = run.architecture
  const pieces = piecesOf(text, context, PIECES).map(({symbols}) => symbols)
  const {stream} = run.streams(pieces)
  const columns = context * PIECES,
    values = width * columns,
    places = Array.from({length: 2 * blocks + 1}, (_, place) => place * values)
  const sizes = places.map(first => size(stream.subarray(first, first + values)))
  const alike = (/** @type {number} */ first) =>
    pieces.reduce((sum, _, piece) => sum + meanCosine(stream, first + piece, columns, PIECES, width, context), 0) /
    PIECES
  const likeness = Float64Array.from(places, alike)
  const norms = run.streamGradients(pieces.map(piece => (piece.byteOffset - text.byteOffset) / text.BYTES_PER_ELEMENT))
  return {
    stream: Float64Array.from(sizes, value => value / sizes[0]),
    likeness,
    gradient: norms.map(norm => norm / norms[norms.length - 1]),
  }
}

/** The root mean square of all values. @param {Float32Array} values */
function size(values) {
  let squares = 0
  for (const value of values) squares += value * value
  return Math.sqrt(squares / values.length)
}
