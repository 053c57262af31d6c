// Watches a language model learn: its loss on held-out lines, text that it writes, and what is inside it, as in
// sims/instruments/networks/text_sampler.py and inside_language.py. NumPy's exponentials and logarithms have other last
// digits, and so have its products of matrices.
import {Generator} from '../engine/draws.js'
import {sum} from '../engine/sums.js'

/** @typedef {import('../engine/language.js').LanguageRun} LanguageRun */
/**
 * What is inside a model (`Inside` in sims/instruments/networks/inside_language.py); `drafts` are texts.
 * @typedef {{early: Float64Array, drafts: string[], gradients: Float64Array, likeness: Float32Array, without: Float64Array}} Inside
 */
/**
 * The looks at a model so far (`Writer` in sims/instruments/networks/text_sampler.py), and what is inside it after
 * `examined` steps, which are none or all.
 * @typedef {{steps: number[], losses: number[], texts: string[], inside: Inside, examined: number}} Watched
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
  const /** @type {Watched} */ watched = {
      ...{steps: [0], losses: [writer.loss()], texts: [writer.written(settings.prompt)]},
      ...{inside: writer.inside(), examined: 0},
    }
  return {
    recorded() {
      watched.steps.push(run.step)
      watched.losses.push(writer.loss())
      watched.texts.push(writer.written(settings.prompt))
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

  /** The text that the model writes after a prompt, symbol by symbol. @param {string} prompt */
  written(prompt) {
    const {run, model} = this
    const {context, symbols} = model
    const numbers = Array.from(run.data.encoded(prompt))
    const given = numbers.length
    const random = new Generator([0], run.ziggurat)
    for (let count = 0; count < LENGTH; count++) {
      const window = numbers.slice(-context)
      const piece = new Int32Array(context)
      piece.set(window)
      const {logits} = run.streams([piece])
      const cold = Float64Array.from({length: symbols}, (_, symbol) =>
        fround(logits[symbol * context + window.length - 1] / COLD),
      )
      numbers.push(drawn(cold, random.nextShare()))
    }
    return run.data.decoded(numbers.slice(given))
  }

  /** @returns {Inside} */
  inside() {
    const {context, width, blocks} = this.model
    const places = 2 * blocks + 1
    const count = PIECES * context
    const early = Array.from({length: places}, () => new Float64Array(count))
    const alike = Array.from({length: places}, () => new Float64Array(PIECES))
    this.pass(this.many, undefined, (first, some, {stream}) => {
      const columns = context * some.length
      for (let place = 0; place < places; place++) {
        const from = place * width * columns
        for (const [b, {answers}] of some.entries()) {
          const vectors = Array.from({length: context}, (_, t) =>
            Float64Array.from({length: width}, (_, row) => stream[from + row * columns + t * some.length + b]),
          )
          alike[place][first + b] = meanCosine(vectors)
          for (const [t, vector] of vectors.entries())
            early[place][(first + b) * context + t] = lossOf(this.read(vector), answers[t])
        }
      }
    })
    const whole = this.loss(this.few)
    return {
      early: Float64Array.from(early, losses => sum(losses) / count),
      drafts: this.drafts(places),
      gradients: this.gradients(),
      likeness: Float32Array.from(alike, cosines => sum(cosines) / PIECES),
      without: Float64Array.from({length: 2 * blocks}, (_, branch) => this.loss(this.few, branch) - whole),
    }
  }

  /** The likeliest next symbols after each symbol of the sentence, read at each place of the stream. @param {number} places */
  drafts(places) {
    const {run, model} = this
    const {context, width} = model
    const {stream} = run.streams([run.data.encoded(SENTENCE).subarray(0, context)])
    return Array.from({length: places}, (_, place) =>
      run.data.decoded(
        Array.from({length: context}, (_, t) => {
          const logits = this.read(
            Float64Array.from({length: width}, (_, row) => stream[(place * width + row) * context + t]),
          )
          const most = Math.max(...logits)
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

  /** The logits that the last norm and the head give for the stream at one place. @param {Float64Array} vector */
  read(vector) {
    const {symbols, width} = this.model
    const head = /** @type {Float32Array} */ (this.run.parameters.numbers)
    const mean = sum(vector) / width
    const centered = vector.map(value => value - mean)
    const scale = Math.sqrt(sum(centered.map(value => value * value)) / width + 1e-5)
    const normal = centered.map(value => value / scale)
    return Float64Array.from({length: symbols}, (_, symbol) => {
      let logit = 0
      for (let row = 0; row < width; row++) logit += normal[row] * head[symbol * width + row]
      return logit
    })
  }
}

/** Evenly spread pieces of a text. @param {Int32Array} text @param {number} context @param {number} count @returns {Piece[]} */
function piecesOf(text, context, count) {
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

/** The loss in nats of logits for the symbol that follows. @param {Float64Array} logits @param {number} answer */
function lossOf(logits, answer) {
  const most = Math.max(...logits)
  const powers = logits.map(logit => Math.exp(logit - most))
  return Math.log(sum(powers)) - (logits[answer] - most)
}

/** The symbol that a random share draws by the probabilities of logits. @param {Float64Array} logits @param {number} share */
function drawn(logits, share) {
  const most = Math.max(...logits)
  const powers = logits.map(logit => Math.exp(logit - most))
  const all = sum(powers)
  let reached = 0
  // As NumPy, which takes what is not a number for the largest.
  const symbol = powers.findIndex(power => !((reached += power / all) < share))
  return symbol < 0 ? logits.length - 1 : symbol
}

/** The mean cosine between two different vectors. @param {Float64Array[]} vectors */
function meanCosine(vectors) {
  const units = vectors.map(vector => {
    const length = Math.sqrt(sum(vector.map(value => value * value)))
    return vector.map(value => value / length)
  })
  // The squared length of the sum of all directions is the sum of all their products, of each with itself included.
  let squares = 0
  for (let row = 0; row < vectors[0].length; row++) squares += units.reduce((total, unit) => total + unit[row], 0) ** 2
  const count = vectors.length
  return (squares - count) / (count * (count - 1))
}
