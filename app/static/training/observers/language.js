// Watches a language model learn: its loss on held-out lines, text that it writes, and what is inside it, as in
// sims/instruments/networks/text_sampler.py and inside_language.py. NumPy's exponentials and logarithms have other last
// digits, and so have its products of matrices.
import {Generator} from '../engine/numerics/draws.js'
import {sum} from '../engine/numerics/sums.js'

/** @typedef {import('../engine/language.js').LanguageRun} LanguageRun */
/**
 * What is inside a model (`Inside` in sims/instruments/networks/inside_language.py); `drafts` are texts.
 * @typedef {{early: Float64Array, drafts: string[], gradients: Float64Array, likeness: Float32Array, without: Float64Array}} Inside
 */
/**
 * The looks at a model so far (`Writer` in sims/instruments/networks/text_sampler.py), and what is inside it after
 * `examined` steps, which are none or all.
 * @typedef {{steps: number[], losses: number[], texts: string[], surprises: number[][], inside: Inside, examined: number}} Watched
 */

const {fround} = Math
export const LENGTH = 110 // symbols written at every look
export const TEMPERATURE = 0.7
const COLD = fround(TEMPERATURE) // as NumPy rounds it beside numbers of single precision
const PIECES = 48, // of the held-out lines on which the loss is measured
  FEWER = 16 // for a model without a branch
export const SENTENCE = 'A skip connection adds the input of a block to its output, and that is'

/** @param {LanguageRun} run @param {Values} settings */
export function observer(run, settings) {
  const writer = new Writer(run)
  const first = writer.written(settings.prompt)
  const /** @type {Watched} */ watched = {
      ...{steps: [0], losses: [writer.loss()], texts: [first.text], surprises: [first.surprises]},
      ...{inside: writer.inside(), examined: 0},
    }
  return {
    recorded() {
      watched.steps.push(run.step)
      watched.losses.push(writer.loss())
      const {text, surprises} = writer.written(settings.prompt)
      watched.texts.push(text)
      watched.surprises.push(surprises)
      if (run.step < Number(settings.training_steps)) return
      watched.inside = writer.inside()
      watched.examined = run.step
    },
    now: () => watched,
  }
}

/** @typedef {{symbols: Int32Array, answers: Int32Array}} Piece some symbols of a text, and for each the next one */

/** What a model writes, and how well it reads. */
class Writer {
  /** @param {LanguageRun} run */
  constructor(run) {
    this.run = run
    this.model = run.architecture
    const {heldOut} = run.data
    this.many = piecesOf(heldOut, this.model.context, PIECES)
    this.few = piecesOf(heldOut, this.model.context, FEWER)
  }

  /** The mean loss in nats per symbol on pieces of the held-out lines. @param {Piece[]} pieces @param {number} [removed] a branch */
  loss(pieces = this.many, removed) {
    const {context, symbols} = this.model
    const losses = new Float64Array(pieces.length * context)
    this.pass(pieces, removed, (first, some, {logits}) => {
      const columns = context * some.length
      const own = new Float64Array(symbols)
      for (let column = 0; column < columns; column++) {
        for (let symbol = 0; symbol < symbols; symbol++) own[symbol] = logits[symbol * columns + column]
        const [t, b] = [Math.floor(column / some.length), column % some.length]
        losses[(first + b) * context + t] = lossOf(own, some[b].answers[t])
      }
    })
    return sum(losses) / losses.length
  }

  /**
   * Passes pieces through the model, a few at a time. If these are as many as fill whole vectors, such as 16, the bits are
   * those of all pieces at once.
   * @param {Piece[]} pieces @param {number | undefined} removed
   * @param {(first: number, some: Piece[], passed: {stream: Float32Array, logits: Float32Array}) => void} use
   */
  pass(pieces, removed, use) {
    const {batch} = this.run.recipe
    for (let first = 0; first < pieces.length; first += batch) {
      const some = pieces.slice(first, first + batch)
      const symbols = some.map(({symbols}) => symbols)
      use(first, some, this.run.streams(symbols, removed))
    }
  }

  /**
   * The text that the model writes after a prompt, symbol by symbol, and how surprising each symbol is to the model.
   * @param {string} prompt
   */
  written(prompt) {
    const {run, model} = this
    const {context, symbols} = model
    const numbers = Array.from(run.data.encoded(prompt))
    const promptLength = numbers.length
    const surprises = []
    const random = new Generator([0], run.ziggurat)
    for (let count = 0; count < LENGTH; count++) {
      const window = numbers.slice(-context)
      const piece = new Int32Array(context)
      piece.set(window)
      const {logits} = run.streams([piece])
      const own = Float64Array.from({length: symbols}, (_, symbol) => logits[symbol * context + window.length - 1])
      const cold = own.map(logit => fround(logit / COLD))
      const symbol = drawn(cold, random.nextShare())
      numbers.push(symbol)
      surprises.push(lossOf(own, symbol))
    }
    return {text: run.data.decoded(numbers.slice(promptLength)), surprises}
  }

  /** @returns {Inside} */
  inside() {
    const {context, width, blocks} = this.model
    const places = 2 * blocks + 1
    const count = PIECES * context
    const early = Array.from({length: places}, () => new Float64Array(count))
    const alike = Array.from({length: places}, () => new Float64Array(PIECES))
    const reader = new Reader(this.run)
    this.pass(this.many, undefined, (first, some, {stream}) => {
      const columns = context * some.length
      for (let place = 0; place < places; place++) {
        for (const [b, {answers}] of some.entries()) {
          const from = place * width * columns + b
          alike[place][first + b] = meanCosine(stream, from, columns, some.length, width, context)
          for (let t = 0; t < context; t++)
            early[place][(first + b) * context + t] = lossOf(
              reader.read(stream, from + t * some.length, columns),
              answers[t],
            )
        }
      }
    })
    const whole = this.loss(this.few)
    return {
      early: Float64Array.from(early, losses => sum(losses) / count),
      drafts: this.drafts(reader, places),
      gradients: this.gradients(),
      likeness: Float32Array.from(alike, cosines => sum(cosines) / PIECES),
      without: Float64Array.from({length: 2 * blocks}, (_, branch) => this.loss(this.few, branch) - whole),
    }
  }

  /** The likeliest next symbols after each symbol of the sentence, read at each place of the stream. @param {Reader} reader @param {number} places */
  drafts(reader, places) {
    const {run, model} = this
    const {context, width} = model
    const {stream} = run.streams([run.data.encoded(SENTENCE).subarray(0, context)])
    return Array.from({length: places}, (_, place) =>
      run.data.decoded(
        Array.from({length: context}, (_, t) => {
          const logits = reader.read(stream, place * width * context + t, context)
          const most = largest(logits)
          return logits.findIndex(logit => !(logit < most))
        }),
      ),
    )
  }

  gradients() {
    const {length} = this.run.data.learned
    const apart = Math.floor(length / 17)
    return this.run.streamGradients(Array.from({length: 16}, (_, piece) => piece * apart))
  }
}

/** Reads the stream of a model at any place (`read` in sims/instruments/networks/inside_language.py). */
class Reader {
  /** @param {LanguageRun} run */
  constructor({architecture: {symbols, width}, parameters}) {
    const numbers = /** @type {Float32Array} */ (parameters.numbers)
    this.head = Float64Array.from(numbers.subarray(0, symbols * width))
    this.normal = new Float64Array(width)
    this.logits = new Float64Array(symbols)
  }

  /**
   * The logits that the last norm and the head give for one column of a stream, good until the next call.
   * @param {Float32Array} stream @param {number} at its first number @param {number} apart places from one to the next
   */
  read(stream, at, apart) {
    const {head, normal, logits} = this
    const width = normal.length
    let mean = 0,
      square = 0
    for (let row = 0; row < width; row++) mean += stream[at + row * apart]
    mean /= width
    for (let row = 0; row < width; row++) {
      normal[row] = stream[at + row * apart] - mean
      square += normal[row] * normal[row]
    }
    const scale = Math.sqrt(square / width + 1e-5)
    for (let row = 0; row < width; row++) normal[row] /= scale
    for (let symbol = 0, place = 0; symbol < logits.length; symbol++) {
      let logit = 0
      for (let row = 0; row < width; row++) logit += normal[row] * head[place++]
      logits[symbol] = logit
    }
    return logits
  }
}

/** Evenly spread pieces of a text. @param {Int32Array} text @param {number} context @param {number} count @returns {Piece[]} */
export function piecesOf(text, context, count) {
  const end = text.length - context - 1,
    apart = end / (count - 1)
  return Array.from({length: count}, (_, piece) => {
    const first = piece < count - 1 ? Math.floor(piece * apart) : end
    return {
      symbols: text.subarray(first, first + context),
      answers: text.subarray(first + 1, first + context + 1),
    }
  })
}

/** The largest of some numbers; NaN if one of them is not a number. @param {Float64Array} numbers */
const largest = numbers => numbers.reduce((one, other) => Math.max(one, other))

/** The loss in nats of logits for the symbol that follows. @param {Float64Array} logits @param {number} answer */
function lossOf(logits, answer) {
  const most = largest(logits)
  let all = 0
  for (const logit of logits) all += Math.exp(logit - most)
  return Math.log(all) - (logits[answer] - most)
}

/** The symbol that a random share draws by the probabilities of logits. @param {Float64Array} logits @param {number} share */
function drawn(logits, share) {
  const most = largest(logits)
  const powers = logits.map(logit => Math.exp(logit - most))
  const all = sum(powers)
  let reached = 0
  // As NumPy, which takes what is not a number for the largest.
  const symbol = powers.findIndex(power => !((reached += power / all) < share))
  return symbol < 0 ? logits.length - 1 : symbol
}

/**
 * The mean cosine between two different columns of a stream.
 * @param {Float32Array} stream @param {number} from its first number @param {number} apart places from row to row
 * @param {number} next places from column to column @param {number} rows @param {number} columns
 */
export function meanCosine(stream, from, apart, next, rows, columns) {
  // The squared length of the sum of all directions is the sum of all their products, of each with itself included.
  const total = new Float64Array(rows)
  for (let column = 0; column < columns; column++) {
    const at = from + column * next
    let square = 0
    for (let row = 0; row < rows; row++) square += stream[at + row * apart] ** 2
    const length = Math.sqrt(square)
    for (let row = 0; row < rows; row++) total[row] += stream[at + row * apart] / length
  }
  return (total.reduce((sum, part) => sum + part * part, 0) - columns) / (columns * (columns - 1))
}
