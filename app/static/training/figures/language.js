// The figure `language` without a server: what sims/simulations/language_models/language.py and
// app/views/language_models/language.py do. Python stays the source: tests/twins compares everything that both give.
import {number} from '../../shared/numbers.js'
import {layoutOf} from '../engine/language.js'
import {last, quantity} from '../frame.js'
import {FILE, OwnWords} from '../language/own-words.js'
import {PAPERS, showPage, wordsOf} from '../language/pages.js'
import {LENGTH, SENTENCE, TEMPERATURE} from '../observers/language.js'
import {Picture} from '../pictures/picture.js'

/** @typedef {import('../observers/language.js').Watched} Watched */

export const NAME = 'language'
export const TITLE = 'Two models learn to write'
export const DIVISIBLE = true

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  blocks: 'int',
  moment: 'int',
  prompt: 'text',
  learning_rate: 'float',
  skip: 'text',
  attention: 'text',
  norm: 'text',
  initialization: 'text',
  training_steps: 'int',
  seed: 'int',
}

export const COUNTS = ['examined', 'read_at'] // results that are whole numbers

export const ROUNDED = true // by exponentials and logarithms

/** @type {Record<string, string>} */
const KINDS = {with: 'with skip connections', without: 'without'}
const NAMES = Object.keys(KINDS)
const LOOKS = 10 // in a whole run, besides that before the first step

/** What is measured inside a model: label, unit and axis. @type {Record<'early' | 'gradients' | 'likeness' | 'without', [string, string, string]>} */
const MEASURES = {
  early: ['loss if the stream is read here', 'nats per symbol', 'position'],
  gradients: ['norm of the gradient of the stream', 'loss per unit', 'position'],
  likeness: ['mean cosine between two places', 'relative', 'position'],
  without: ['rise of the loss without this branch', 'nats per symbol', 'branch'],
}

const SHAPE = {width: 64, heads: 4, context: 64}
const LESSON = {batch: 16, warmup: 20, decay: 0.1, clip: 1}

/** @type {OwnWords} */
let words

/** The text that the models learn from comes in a file of its own. */
export const READS = {
  file: FILE,
  /** @param {string} text */
  take(text) {
    words = new OwnWords(text)
  },
}

/** @param {Values} settings @param {string} kind @returns {LanguageArchitecture} */
function modelOf({blocks, skip: chosen, attention, norm, initialization}, kind) {
  const skip = kind === 'with' ? chosen : 'none'
  const symbols = words.symbols.length
  const placed = skip === 'additive' ? norm : 'pre-layer'
  return {...SHAPE, blocks: Number(blocks), symbols, skip, attention, norm: placed, initialization}
}

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedLanguage>}
 */
export function networks(settings) {
  const {learning_rate: rate, training_steps: steps, seed} = settings
  const recipe = {...LESSON, learning_rate: Number(rate), record_every: Math.floor(Number(steps) / LOOKS)}
  return Object.fromEntries(
    NAMES.map(kind => [
      kind,
      {engine: 'language', architecture: modelOf(settings, kind), recipe, data: READS.file, seeds: [Number(seed)]},
    ]),
  )
}

/** @param {LanguageProgress} run */
const watchedOf = ({observed}) => /** @type {Watched} */ (observed)

/**
 * @param {Record<string, LanguageProgress>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(runs, settings) {
  const whole = Number(settings.training_steps)
  const every = NAMES.map(kind => watchedOf(runs[kind]))
  const {steps} = every.reduce((one, other) => (other.steps.length > one.steps.length ? other : one))
  /** @type {Record<string, Quantity>} */
  const quantities = {steps: quantity(Int32Array.from(steps), 'training step', 'steps', ['record'])}
  for (const [kind, label] of Object.entries(KINDS)) {
    const {losses, texts, surprises, inside} = watchedOf(runs[kind])
    const values = Float64Array.from(steps, (_, record) => losses[record] ?? NaN)
    quantities[`${kind}_loss`] = quantity(values, `loss, ${label}`, 'nats per symbol', ['record'])
    const written = Array.from(steps, (_, record) => texts[record] ?? texts[texts.length - 1])
    quantities[`${kind}_text`] = lettered(written, `number of the symbol written, ${label}`, ['record', 'place'])
    const nats = Float64Array.from(
      Array.from(steps, (_, record) => surprises[record] ?? surprises[surprises.length - 1]).flat(),
    )
    const surprise = `loss of the symbol written, ${label}`
    const shape = [steps.length, LENGTH]
    quantities[`${kind}_surprise`] = quantity(nats, surprise, 'nats', ['record', 'place'], shape)
    for (const [name, [what, unit, axis]] of entriesOf(MEASURES)) {
      const values = name === 'likeness' ? Float32Array.from(inside[name]) : inside[name]
      quantities[`${kind}_${name}`] = quantity(values, `${what}, ${label}`, unit, [axis])
    }
    const drafts = `number of the likeliest next symbol, ${label}`
    quantities[`${kind}_drafts`] = lettered(inside.drafts, drafts, ['position', 'letter'])
  }
  const running = NAMES.filter(kind => !runs[kind].overflows[0]).map(kind => runs[kind].step)
  return reread(
    {
      quantities,
      results: {examined: Math.min(...every.map(({examined}) => examined))},
      counts: COUNTS,
      step: running.length ? Math.min(...running) : whole,
      steps: whole,
      diverged: NAMES.flatMap(kind => lost(runs[kind], KINDS[kind])),
    },
    settings,
  )
}

/** @template {string} K @template V @param {Record<K, V>} record */
const entriesOf = record => /** @type {[K, V][]} */ (Object.entries(record))

/** Texts of the same length as numbers of symbols. @param {string[]} texts @param {string} label @param {string[]} axes */
function lettered(texts, label, axes) {
  const length = texts[0].length
  return quantity(words.encoded(texts.join('')), label, 'symbols', axes, [texts.length, length])
}

/** @param {LanguageProgress} run @param {string} label @returns {Divergence[]} */
function lost({overflows: [overflow]}, label) {
  if (!overflow) return []
  const cause = 'The steps were too long.'
  return [{step: overflow.step, quantity: `loss (${label})`, cause, what_to_try: 'Lower the learning rate.'}]
}

/**
 * The same frame, read at the moment that the settings name.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function reread(frame, {moment}) {
  const {values: steps} = frame.quantities.steps
  const record = Math.min(Number(moment), steps.length - 1)
  const /** @type {Record<string, number | string>} */ results = {...frame.results, read_at: steps[record]}
  for (const kind of NAMES) {
    results[`${kind}_loss`] = frame.quantities[`${kind}_loss`].values[record]
    results[`${kind}_text`] = textOf(frame, `${kind}_text`, record)
  }
  return {...frame, results}
}

/** A row of symbols as a text. @param {TrainingFrame} frame @param {string} name @param {number} row */
function textOf(frame, name, row) {
  const {values, shape} = frame.quantities[name]
  return words.decoded(values.subarray(row * shape[1], (row + 1) * shape[1]))
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 */
export function describe({results, steps}) {
  const [residual, plain] = NAMES.map(kind => Number(results[`${kind}_loss`]))
  const when = `After ${results.read_at} of ${steps} steps`
  if (!Number.isFinite(residual) || !Number.isFinite(plain)) return `${when} a model has overflowed.`
  const frequencies = words.entropyOfFrequencies()
  const text =
    `${when} the loss on unseen lines is ${number(residual, 3)} nats per symbol with skip connections ` +
    `and ${number(plain, 3)} without. `
  if (plain > frequencies - 0.1)
    return `${text}Knowing how frequent each letter is would give ${number(frequencies, 3)}.`
  return `${text}Letter frequencies alone would give ${number(frequencies, 3)}.`
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const model = modelOf(settings, 'with')
  return {
    network:
      `Two GPTs of ${model.blocks} blocks, width ${model.width}, ${model.heads} heads, ` +
      `${number(layoutOf(model).size)} parameters; they differ only in the skip connections. Without ` +
      'them, the norm before every branch stays.',
    data:
      `${number(words.learned.length)} symbols, of ${model.symbols} kinds, from this site's own sentences; ` +
      `${model.context} are seen at once. The loss is measured on other lines. Each moment shows ${LENGTH} symbols, ` +
      `drawn at temperature ${number(TEMPERATURE)} with the same random numbers for both. The stronger ` +
      'the shade behind a letter, the more it surprised the model (its loss, without the temperature).',
    seeds:
      `One, ${settings.seed}, with the same weights at the start and the same pieces for both. AdamW, learning ` +
      `rate ${number(Number(settings.learning_rate))}, 16 pieces per step.`,
    cannot_show: 'What large models do: with more text, more time or another recipe, plain ones may do better.',
  }
}

/**
 * A press on the curves shows the text written at the nearest moment.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number}} gesture
 * @param {Values} _settings @param {TrainingFrame | null} frame
 */
export function pointed(names, {event_name: kind, origin, x}, _settings, frame) {
  if (origin?.id !== names._loss || kind !== 'tap' || typeof x !== 'number' || !frame) return null
  const away = Array.from(frame.quantities.steps.values, step => Math.abs(step - x))
  return {moment: String(away.indexOf(Math.min(...away)))}
}

/** @type {Record<string, string>} */
const SHORT = {with: 'with skips', without: 'without'}
const MARKS = ['letters', 'nothing'] // losses of guesses
const AXIS = {low: 1.5, high: 4.5, height: 170} // of the losses

const DRAFT = 36 // letters of a draft that fit on a phone
const FIRST_ROW = -1.4 // of the text above its drafts

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, frame, settings) {
  const picture = new Picture(names)
  showLosses(picture, frame)
  const record = Array.from(frame.quantities.steps.values).indexOf(Number(frame.results.read_at))
  const surprises = Object.fromEntries(
    NAMES.map(kind => {
      const {values, shape} = frame.quantities[`${kind}_surprise`]
      return [kind, Array.from(values.subarray(record * shape[1], (record + 1) * shape[1]))]
    }),
  )
  for (const [screen, paper] of Object.entries(PAPERS)) {
    const counts = NAMES.map(kind => {
      const text = String(frame.results[`${kind}_text`])
      const pieces = wordsOf(settings.prompt, text, surprises[kind], paper, word => words.isLearned(word))
      return showPage(picture, `_pages.${screen}.${kind}`, paper, pieces, words.symbols.length)
    })
    const end = Math.max(...counts)
    picture.set(`_now.${screen}`, {data: {moment: [end], last: [end]}})
  }
  for (const name of Object.keys(MEASURES)) showMeasure(picture, frame, name)
  showDrafts(picture, frame)
  return picture.changes
}

/** @param {Picture} picture @param {TrainingFrame} frame */
function showLosses(picture, {quantities, results, steps}) {
  picture.set('_loss.x_range', {end: steps})
  const apart = Math.floor(steps / 3)
  picture.ticks(
    '_loss.xaxis',
    Array.from({length: Math.floor(steps / apart) + 1}, (_, tick) => tick * apart),
  )
  const curves = NAMES.map(kind => quantities[`${kind}_loss`].values)
  const bands = Object.fromEntries(NAMES.map((kind, at) => [kind, [curves[at], curves[at], curves[at]]]))
  picture.bands('_losses', NAMES, quantities.steps.values, bands)
  const read = Number(results.read_at)
  picture.set('_read', {data: {x: [read, read], y: NAMES.map(kind => results[`${kind}_loss`])}})
  picture.endLabels('_ends', [...NAMES, ...MARKS], steps, AXIS, {
    ...Object.fromEntries(NAMES.map((kind, at) => [kind, [last(curves[at]), SHORT[kind]]])),
    letters: [words.entropyOfFrequencies(), 'letter frequencies'],
    nothing: [Math.log(words.symbols.length), 'guessing'],
  })
}

/** @param {Picture} picture @param {TrainingFrame} frame @param {string} name one of `MEASURES` */
function showMeasure(picture, {quantities}, name) {
  const curves = NAMES.map(kind => quantities[`${kind}_${name}`].values)
  const first = name === 'without' ? 1 : 0
  const places = Array.from(curves[0], (_, place) => first + place)
  picture.set(`_inside.${name}.x_range`, {start: first})
  if (name === 'without') {
    const top = Math.max(...curves.map(curve => Math.max(...curve)))
    picture.set('_inside.without.y_range', {start: -0.05 * Math.max(top, 0.1), end: Math.max(1.1 * top, 0.1)})
  }
  const bands = Object.fromEntries(NAMES.map((kind, at) => [kind, [curves[at], curves[at], curves[at]]]))
  picture.curves(`_curves.${name}`, NAMES, places, last(places), bands, name === 'gradients')
}

/** @param {Picture} picture @param {TrainingFrame} frame */
function showDrafts(picture, frame) {
  const [places] = frame.quantities.with_drafts.shape
  // One row for the embedding, and one for each block.
  const drafts = Array.from({length: Math.ceil(places / 2)}, (_, row) =>
    textOf(frame, 'with_drafts', 2 * row)
      .replaceAll('\n', '¶')
      .slice(0, DRAFT),
  )
  const rows = [...drafts.keys()]
  picture.set('_drafts.sentence', {data: {x: [5], y: [FIRST_ROW], text: [SENTENCE.slice(1, DRAFT + 1)]}})
  picture.set('_drafts.drafts', {data: {x: rows.map(() => 5), y: rows, text: drafts}})
  const names = ['text', ...rows.map(String)]
  picture.set('_drafts.names', {data: {x: names.map(() => 0), y: [FIRST_ROW, ...rows], text: names}})
}
