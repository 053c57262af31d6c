// Trains language models with the compiled kernels: what the server's code does around them, in `sims/engines/language`, in
// the same order and with the same rounding. Tests compare both, bit for bit.
import {Place} from '../../shared/kernels/engine.js'
import {Generator} from './numerics/draws.js'
import {orthogonal} from './perceptrons/initialization.js'

/** @typedef {import('../../shared/kernels/engine.js').Engine} Engine */
/** @typedef {import('../../shared/kernels/engine.js').Type} Type */
/** @typedef {import('../../shared/kernels/engine.js').Values} Values */
/** @typedef {import('./numerics/draws.js').Ziggurat} Ziggurat */
/** @typedef {import('../language/own-words.js').OwnWords} OwnWords */
/** @typedef {{rows: number, columns: number, weight: number, bias: number}} Linear its offsets in the vector of all parameters */
/** @typedef {{layers: Linear[], positions: number, decaying: number, gates: number, mixtures: number, size: number}} Layout as in sims/engines/language/layout.py */

const DEVIATION = 0.02 // of GPT-2's initial weights
const LENGTHENED = 2 // times: queries and keys of "own-place"
const WIDER = 4 // times the width: hidden units of a feed-forward branch
const WIDEST_TILE = 32 // numbers in a tile of a matrix product, at most

/** For every branch, the place of the stream that its output is added to, from the one before its block on; −1 for none. @type {Record<string, number[]>} */
const BASES = {none: [-1, -1], block: [-1, 0], attention: [0, -1], 'feed-forward': [-1, 1]}

/** @param {LanguageArchitecture} model @returns {Layout} */
export function layoutOf({blocks, symbols, width, context, skip, attention}) {
  const shapes = Array.from({length: blocks}, () => [
    [3 * width, width],
    [width, width],
    [WIDER * width, width],
    [width, WIDER * width],
  ]).flat()
  const positions = symbols * width
  let place = positions + context * width
  const decaying = shapes.reduce((sum, [rows, columns]) => sum + rows * columns, place)
  let bias = decaying
  const layers = shapes.map(([rows, columns]) => {
    const layer = {rows, columns, weight: place, bias}
    place += rows * columns
    bias += rows
    return layer
  })
  const gates = skip === 'rezero' ? bias : -1
  const end = bias + (gates >= 0 ? 2 * blocks : 0)
  const mixtures = attention === 'value-skip' ? end : -1
  return {layers, positions, decaying, gates, mixtures, size: end + (mixtures >= 0 ? blocks : 0)}
}

/** The initial parameters of a seed. @param {LanguageArchitecture} model @param {Layout} layout @param {number} seed @param {Ziggurat} ziggurat */
export function initialParameters({blocks, width, initialization}, {layers, size}, seed, ziggurat) {
  const random = new Generator([seed, 0], ziggurat)
  const vector = new Float32Array(size)
  vector.set(random.normal(DEVIATION, layers[0].weight))
  const put = (/** @type {Float64Array} */ matrix, /** @type {number} */ scale, /** @type {number} */ at) =>
    vector.set(
      matrix.map(value => scale * value),
      at,
    )
  for (const [number, {rows, columns, weight}] of layers.entries()) {
    const opensAttention = number % 4 === 0,
      endsBranch = number % 2 === 1,
      afterGelu = number % 4 === 3
    let deviation = Math.sqrt((afterGelu ? 2 : 1) / columns)
    if (initialization === 'small') deviation = endsBranch ? DEVIATION / Math.sqrt(2 * blocks) : DEVIATION
    if (initialization !== 'own-place') vector.set(random.normal(deviation, rows * columns), weight)
    else if (opensAttention) {
      const [keys, values] = [orthogonal(width, width, random), orthogonal(width, width, random)]
      put(keys, LENGTHENED, weight)
      put(keys, LENGTHENED, weight + keys.length)
      put(values, 1, weight + 2 * keys.length)
    } else put(orthogonal(rows, columns, random), deviation * Math.sqrt(Math.max(rows, columns)), weight)
  }
  return vector
}

/** The kernels' plan of a model. @param {Engine} engine @param {LanguageArchitecture} model @param {Layout} layout @returns {Values} */
function planOf(engine, model, {layers, positions, gates, mixtures}) {
  const {blocks, symbols, width, context, heads, skip, attention, norm, cut = []} = model
  const whole = (/** @type {number[]} */ numbers, /** @type {number[]} */ ...shape) =>
    engine.place('int64', shape, BigInt64Array.from(numbers, BigInt))
  const table = layers.flatMap(({rows, columns, weight, bias}) => [rows, columns, weight, bias])
  const inBlock = BASES[skip] ?? [0, 1]
  const bases = Array.from({length: blocks}, (_, block) => inBlock.map(base => (base >= 0 ? 2 * block + base : -1)))
    .flat()
    .map((base, branch) => (cut.includes(branch) ? -1 : base))
  return {
    'plan.table': whole(table, layers.length, 4),
    'plan.kept': engine.place('bool', [2 * blocks], new Uint8Array(2 * blocks).fill(1)),
    'plan.positions': positions,
    'plan.gates': gates,
    'plan.mixtures': mixtures,
    'plan.branches': 2 * blocks,
    'plan.symbols': symbols,
    'plan.width': width,
    'plan.context': context,
    'plan.heads': heads,
    'plan.bases': whole(bases, 2 * blocks),
    'plan.mixes': attention !== 'identity',
    // ReZero's blocks have no norm.
    'plan.pre_norm': norm === 'pre-layer' && skip !== 'rezero',
    'plan.post_norm': norm === 'post-layer',
  }
}

/** The shapes of the kernels' arrays for some pieces. @param {LanguageArchitecture} model @param {number} pieces @returns {Record<string, [Type, ...number[]]>} */
function shapes({blocks, symbols, width, context, heads, skip, attention}, pieces) {
  const columns = context * pieces,
    branches = 2 * blocks,
    hidden = WIDER * width
  return {
    symbols: ['int64', columns],
    answers: ['int64', columns],
    stream: ['float32', branches + 1, width, columns],
    normal: ['float32', branches, width, columns],
    scale: ['float32', branches, columns],
    branch: ['float32', skip === 'rezero' ? branches : 0, width, columns],
    queries: ['float32', blocks, 3 * width, columns],
    shares: ['float32', blocks, heads, context, context, pieces],
    mixed: ['float32', blocks, width, columns],
    summed: ['float32', attention === 'value-skip' ? blocks : 0, width, columns],
    hidden: ['float32', blocks, hidden, columns],
    slopes: ['float32', blocks, hidden, columns],
    final: ['float32', width, columns],
    final_scale: ['float32', columns],
    outputs: ['float32', symbols, columns],
    change: ['float32', width, columns],
    held: ['float32', width, columns],
    inside: ['float32', hidden, columns],
    before: ['float32', hidden, columns],
    packed: ['float32', Math.max(hidden, symbols), WIDEST_TILE],
    attention: ['float32', context, context, pieces],
  }
}

/** One model in training, on the words of this site. It stops before a step whose loss or gradient is not finite. */
export class LanguageRun {
  /**
   * The run before its first step.
   * @param {Engine} engine @param {LanguageArchitecture} architecture @param {Lesson} recipe @param {OwnWords} data
   * @param {number[]} seeds only one @param {Ziggurat} ziggurat
   */
  constructor(engine, architecture, recipe, data, [seed], ziggurat) {
    this.engine = engine
    this.architecture = architecture
    this.recipe = recipe
    this.data = data
    this.seed = seed
    this.ziggurat = ziggurat
    this.step = 0
    /** @type {{step: number}[]} the moments of a look at the model */
    this.records = [{step: 0}]
    /** @type {(() => void) | null} called after each record but the first */
    this.onRecord = null
    /** @type {({step: number, quantity: string} | null)[]} */
    this.overflows = [null]
    this.layout = layoutOf(architecture)
    const {size} = this.layout
    const float = (/** @type {Float32Array} */ numbers = new Float32Array(size)) =>
      engine.place('float32', [size], numbers)
    this.parameters = float(initialParameters(architecture, this.layout, seed, ziggurat))
    this.first = float()
    this.second = float()
    this.gradient = float()
    this.text = engine.place('int64', [data.learned.length], BigInt64Array.from(data.learned, BigInt))
    this.plan = planOf(engine, architecture, this.layout)
    /** The arrays for as many pieces as a step has; passes over fewer pieces use their memory, too. @type {Record<string, Place>} */
    this.room = Object.fromEntries(
      Object.entries(shapes(architecture, recipe.batch)).map(([name, [type, ...shape]]) => [
        name,
        engine.place(type, shape),
      ]),
    )
  }

  get now() {
    return {step: this.step}
  }

  get isFinite() {
    return !this.overflows[0]
  }

  /** Takes some steps; the same bits come out for chunks of any size. @param {number} steps */
  advance(steps) {
    const last = this.step + steps,
      every = this.recipe.record_every
    while (this.step < last && this.isFinite) {
      this.segment(Math.min(every - (this.step % every), last - this.step))
      if (!this.isFinite || this.step % every) continue
      this.records.push(this.now)
      this.onRecord?.()
    }
  }

  /** Steps without a look in between. @param {number} steps */
  segment(steps) {
    const {engine, recipe} = this
    const {batch, learning_rate: rate, warmup, decay, clip} = recipe
    const before = engine.top
    const rates = Float64Array.from(
      {length: steps},
      (_, index) => rate * Math.min(1, (this.step + index + 1) / Math.max(warmup, 1)),
    )
    const taken = engine.call('run', {
      ...this.plan,
      ...this.workspace(batch),
      ...{decay, clip, decaying: this.layout.decaying, first_step: this.step, text: this.text},
      ...{parameters: this.parameters, first: this.first, second: this.second, gradient: this.gradient},
      starts: engine.place('int64', [steps, batch], this.starts(steps)),
      rates: engine.place('float64', [steps], rates),
      losses: engine.place('float64', [steps]),
    })
    engine.top = before
    this.step += Number(taken)
    if (taken !== steps) this.overflows = [{step: this.step + 1, quantity: 'loss'}]
  }

  /** Where the pieces of the next steps begin: (steps, batch). @param {number} steps */
  starts(steps) {
    const {seed, ziggurat, architecture, recipe, data} = this
    const last = data.learned.length - architecture.context
    // A generator for every step, so that it does not matter how a run is cut.
    const all = Array.from({length: steps}, (_, index) =>
      new Generator([seed, 1, this.step + index], ziggurat).below(last, recipe.batch),
    )
    return BigInt64Array.from(all.flat(), BigInt)
  }

  /** The kernels' arrays for so many pieces, at most as many as a step has. @param {number} pieces @returns {Record<string, Place>} */
  workspace(pieces) {
    if (pieces > this.recipe.batch) throw new RangeError(`there is no room for ${pieces} pieces`)
    const {memory} = this.engine
    return Object.fromEntries(
      Object.entries(shapes(this.architecture, pieces)).map(([name, [type, ...shape]]) => [
        `workspace.${name}`,
        new Place(memory, this.room[name].at, type, shape),
      ]),
    )
  }

  /**
   * Passes pieces through the model, at most as many as a step has, and returns its stream (branches + 1, width, T pieces)
   * and its logits (symbols, T pieces), with symbol t of piece b in column t · pieces + b: they are good until the next pass.
   * @param {ArrayLike<number>[]} pieces each of as many symbols as the context
   * @param {number} [removed] a branch that the stream passes unchanged; by default one that does not exist
   */
  streams(pieces, removed = 2 * this.architecture.blocks) {
    const workspace = this.workspace(pieces.length)
    const symbols = /** @type {BigInt64Array} */ (workspace['workspace.symbols'].numbers)
    for (const [b, piece] of pieces.entries())
      for (let t = 0; t < piece.length; t++) symbols[t * pieces.length + b] = BigInt(piece[t])
    const kept = /** @type {Place} */ (this.plan['plan.kept'])
    kept.bytes.fill(0, removed, removed + 1)
    this.engine.call('forward', {...this.plan, ...workspace, parameters: this.parameters})
    kept.bytes.fill(1)
    const [stream, logits] = [workspace['workspace.stream'], workspace['workspace.outputs']]
    return {
      stream: /** @type {Float32Array} */ (stream.numbers),
      logits: /** @type {Float32Array} */ (logits.numbers),
    }
  }

  /**
   * The norms of the gradient with respect to the stream after the embedding and after each branch, for the pieces of the
   * text that begin here.
   * @param {number[]} starts as many as a step has
   */
  streamGradients(starts) {
    const {engine, parameters, gradient, text} = this
    const before = engine.top
    const norms = engine.place('float64', [2 * this.architecture.blocks + 1])
    engine.call('one_pass', {
      ...this.plan,
      ...this.workspace(starts.length),
      ...{parameters, gradient, text, norms},
      starts: engine.place('int64', [starts.length], BigInt64Array.from(starts, BigInt)),
    })
    engine.top = before
    return /** @type {Float64Array} */ (norms.numbers).slice()
  }
}
