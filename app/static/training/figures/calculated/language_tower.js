// The figure `language_tower` without a server: what sims/simulations/language_models/language_tower.py and
// app/views/language_models/language_tower.py do. Python stays the source: tests/twins compares everything that both give.
import {number} from '../../../shared/numbers.js'
import {PIECES} from '../../calculations/language-passes.js'
import {lightOf, signalResults} from '../../calculations/signals.js'
import {inWords, missing, wiring} from '../../calculations/wirings.js'
import {pressedPlusSign, showLitNetwork} from '../../pictures/charts/lit-network.js'
import {showSignalLines} from '../../pictures/charts/signal-lines.js'
import {layoutOf} from '../../engine/language.js'
import {quantity} from '../../frame.js'
import {FILE, OwnWords} from '../../language/own-words.js'
import {Picture} from '../../pictures/picture.js'

export const NAME = 'languagetower'
export const TITLE = 'A GPT before it learns, with a switch at every plus sign'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {cut: 'text', blocks: 'int', attention: 'text', seed: 'int'}

export const COUNTS = ['plus_signs'] // results that are whole numbers

const SHAPE = {width: 64, heads: 4, context: 64}

/** The label and unit of every signal. @type {Record<'stream' | 'likeness' | 'gradient', [label: string, unit: string]>} */
const SIGNALS = {
  stream: ['root mean square of the stream', 'relative to the embedding'],
  likeness: ['mean cosine between the streams at two positions of a text', 'cosine'],
  gradient: ["norm of the stream's gradient", 'relative to that after the last branch'],
}

/** @type {OwnWords} */
let words

/** The model has as many symbols as this text. */
export const READS = {
  file: FILE,
  /** @param {string} text */
  take(text) {
    words = new OwnWords(text)
  },
}

/** @param {Values} settings */
const branchesOf = ({blocks}) => 2 * Number(blocks)

/** The branches without a plus sign, counted from 1. @param {Values} settings */
const withoutSkip = settings => missing(settings.cut, branchesOf(settings))

/** @param {Values} settings @returns {LanguageArchitecture} */
function modelOf(settings) {
  return {
    ...SHAPE,
    blocks: Number(settings.blocks),
    symbols: words.symbols.length,
    skip: 'additive',
    attention: settings.attention,
    norm: 'pre-layer',
    initialization: 'variance-preserving',
    cut: withoutSkip(settings).map(branch => branch - 1),
  }
}

/**
 * What is to be measured.
 * @param {Values} settings
 * @returns {LanguagePassesCalculation}
 */
export function calculation(settings) {
  const architecture = modelOf(settings)
  return {name: 'language passes', engine: 'language', data: FILE, architecture, seed: Number(settings.seed)}
}

/**
 * @param {unknown} measured
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(measured, settings) {
  const passes = /** @type {import('../../calculations/language-passes.js').LanguagePasses} */ (measured)
  const signal = (/** @type {keyof typeof SIGNALS} */ name) => quantity(passes[name], ...SIGNALS[name], ['place'])
  const signals = {stream: signal('stream'), likeness: signal('likeness'), gradient: signal('gradient')}
  const results = {plus_signs: branchesOf(settings) - withoutSkip(settings).length, ...signalResults(signals)}
  return {quantities: signals, results, counts: COUNTS, step: 0, steps: 0, diverged: []}
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({results}, settings) {
  const reads = settings.attention === 'softmax' ? '' : ', where attention reads its own position only'
  const beginning = wiring(withoutSkip(settings), branchesOf(settings))
  return `${beginning}${reads}: ${inWords(results, 'positions of a text', 'embedding', 'last branch')}.`
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const model = modelOf(settings)
  return {
    network:
      `An untrained GPT of ${model.blocks} blocks, width ${model.width}, ${model.heads} heads, ` +
      `${number(layoutOf(model).size)} parameters, with a norm before every branch and before the head. A branch ` +
      'without a plus sign replaces the stream. The initial weights preserve variance.',
    data:
      `${PIECES} pieces of ${model.context} symbols from held-out lines of this site's own sentences. The ` +
      'angle is that of the mean cosine between two positions of a piece.',
    seeds: `One, ${settings.seed}.`,
    cannot_show: 'Training, and which positions become alike: sizes and angles are averages.',
  }
}

/**
 * A press on an arc takes its plus sign out, or puts it back.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 * @param {Values} settings
 */
export const pointed = (names, gesture, settings) =>
  pressedPlusSign(names, '_network', gesture, withoutSkip(settings), branchesOf(settings))

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, {quantities, results}, settings) {
  const picture = new Picture(names)
  const light = lightOf(/** @type {Parameters<typeof lightOf>[0]} */ (quantities), results, 'positions')
  const boxes = {norm: 'pre', plural: 'Branches', letters: 'AF'}
  showLitNetwork(picture, '_network', {...light, ...boxes}, withoutSkip(settings))
  const signals = Object.entries(quantities).map(([name, {values}]) => [name, {now: values}])
  showSignalLines(picture, '_signals', Object.fromEntries(signals))
  return picture.changes
}
