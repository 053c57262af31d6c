// The figure `plus_signs` without a server: what sims/simulations/depth/plus_signs.py and app/views/depth/plus_signs.py do.
// Python stays the source: tests/twins compares everything that both give.
import {number, percent, timesAsLarge} from '../../shared/numbers.js'
import {COMPARED, lightOf, signalResults, signalsOf} from '../calculations/signals.js'
import {inWords, missing, skips, wiring} from '../calculations/wirings.js'
import {pressedPlusSign, showLitNetwork} from '../pictures/charts/lit-network.js'
import {showSignalLines} from '../pictures/charts/signal-lines.js'
import {band, bandOf, last, quantity, spread} from '../frame.js'
import {Picture} from '../pictures/picture.js'
import {seedsOf, trainingNumbers} from '../recipe/recipe.js'
import {DATA} from '../recipe/words.js'

/** @typedef {import('../observers/plus_signs.js').Lit} Lit */
/** @typedef {ReturnType<typeof signalsOf>} Signals */

export const NAME = 'plussigns'
export const TITLE = 'A network with a switch at every plus sign'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  cut: 'text',
  strength: 'float',
  blocks: 'int',
  norm: 'bool',
  learning_rate: 'float',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
}

/** A library's default, as an address has it → the value. @type {Record<string, string>} */
const STRENGTHS = {0.235702: '0.23570226039551584'}
export const EXACT = {strength: STRENGTHS}

export const COUNTS = ['plus_signs'] // results that are whole numbers

const LOOKS = 20 // in a whole run, besides that before the first step
const BATCH = 64
const CLASSES = 10 // of digits
const GUESSING = 1 - 1 / CLASSES // the error of a guess
const TIMES = ['at start', 'now']

/** What is known of the networks: its label and unit. @type {Record<'train_error' | 'test_error' | 'train_loss', [label: string, unit: string]>} */
const CURVES = {
  train_error: ['training error', 'share of wrong answers'],
  test_error: ['held-out error', 'share of wrong answers'],
  train_loss: ['training loss', 'nats'],
}

/** @param {Values} settings */
const blocksOf = ({blocks}) => Number(blocks)

/** The factor on every branch. @param {Values} settings */
const strengthOf = ({strength}) => Number(STRENGTHS[strength] ?? strength)

/** The blocks without a plus sign, counted from 1. @param {Values} settings */
const withoutSkip = settings => missing(settings.cut, blocksOf(settings))

/**
 * What `start` would start, without computing anything.
 * @param {Values} settings
 * @returns {Record<string, TrainedStack>}
 */
export function networks(settings) {
  const {learningRate, trainingSteps} = trainingNumbers(settings)
  const stack = {
    skips: skips(withoutSkip(settings), blocksOf(settings)),
    factor: strengthOf(settings),
    norm: settings.norm === 'yes',
  }
  const recipe = {learning_rate: learningRate, batch: BATCH, record_every: Math.floor(trainingSteps / LOOKS)}
  return {stack: {engine: 'weighted_stack', stack, recipe, data: 'digits', seeds: seedsOf(settings)}}
}

/**
 * @param {Record<string, StackProgress>} runs
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame({stack: {records, step, overflows, observed}}, settings) {
  const {trainingSteps, seeds, seed} = trainingNumbers(settings)
  const {before, now} = /** @type {Lit} */ (observed)
  const steps = Int32Array.from(records, record => record.step)
  /** @type {Record<string, Quantity>} */
  const quantities = {steps: quantity(steps, 'training step', 'steps', ['look'])}
  for (const [name, [label, unit]] of Object.entries(CURVES)) {
    const values = records.map(record => record[/** @type {keyof typeof CURVES} */ (name)])
    Object.assign(quantities, bandOf(values, name, label, unit, 'look'))
  }
  const start = signalsOf(before, seeds, 'at start, ')
  const times = {'at start': start, now: signalsOf(now, seeds, 'now, ')}
  for (const [time, signals] of Object.entries(times))
    for (const [name, values] of Object.entries(signals)) quantities[`${name} ${time}`] = values
  return {
    quantities,
    results: {
      plus_signs: blocksOf(settings) - withoutSkip(settings).length,
      training_error: last(quantities.train_error.values),
      ...signalResults(start),
    },
    counts: COUNTS,
    step,
    steps: trainingSteps,
    diverged: overflows.flatMap((overflow, place) => (overflow ? lost(overflow.step, seed + place) : [])),
  }
}

/** @param {number} step @param {number} seed @returns {Divergence} */
const lost = (step, seed) => ({
  step,
  quantity: `loss from seed ${seed}`,
  cause: 'Its stream or its gradient left the range of single precision.',
  what_to_try: 'Try weaker branches, a norm, or a lower learning rate.',
})

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe(frame, settings) {
  const measured = `${wiring(withoutSkip(settings), blocksOf(settings))}: before training, ${inWords(frame.results)}.`
  const error = spread(frame, 'train_error', Number(settings.seeds))
  if (!frame.step) return `${measured} Untrained, the network gets ${error} of the training images wrong.`
  return `${measured} After ${frame.step} of ${frame.steps} steps the training error is ${error}.`
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const {seeds, seed} = settings
  const norm = settings.norm === 'yes' ? 'a LayerNorm before each branch and before the head' : 'no norm'
  return {
    network:
      `${blocksOf(settings)} blocks of Linear–ReLU–Linear without biases on a stream of 32 numbers, ${norm}; a linear ` +
      `stem and head. A block without a plus sign outputs its branch alone. Weights are normally distributed; a ` +
      `branch's output is ${timesAsLarge(strengthOf(settings))} as its input, on average. Adam at a ` +
      `rate of ${number(Number(settings.learning_rate))}, batches of ${BATCH}.`,
    data: `${DATA.digits} Signals are measured on ${COMPARED} held-out images.`,
    seeds: `${seeds} (from ${seed}); lines and numbers are their median.`,
    cannot_show:
      'Which images become alike, and which way a gradient points: sizes and angles are averages. Networks that fail ' +
      'at this learning rate may train at another.',
  }
}

/**
 * A press on an arc takes its plus sign out, or puts it back.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 * @param {Values} settings
 */
export const pointed = (names, gesture, settings) =>
  pressedPlusSign(names, '_network', gesture, withoutSkip(settings), blocksOf(settings))

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, frame, settings) {
  const picture = new Picture(names)
  const {quantities, results, step, steps} = frame
  const signals = Object.fromEntries(
    ['stream', 'likeness', 'gradient'].map(name => [name, quantities[`${name} at start`]]),
  )
  const [error, lowest, highest] = band(frame, 'train_error').map(last)
  const trained = `Training error at step ${step}`
  const words = `${trained}: ${percent(error)}; guessing: ${percent(GUESSING)}`
  const light = lightOf(/** @type {Signals} */ (signals), results)
  showLitNetwork(
    picture,
    '_network',
    {...light, bar: {error, lowest, highest, guessing: GUESSING, words}},
    withoutSkip(settings),
  )
  const values = Object.keys(signals).map(name => [
    name,
    Object.fromEntries(TIMES.map(time => [time, quantities[`${name} ${time}`].values])),
  ])
  showSignalLines(picture, '_signals', Object.fromEntries(values))
  const errors = {train: band(frame, 'train_error'), test: band(frame, 'test_error')}
  const looks = quantities.steps.values
  picture.curves('_error', Object.keys(errors), looks, steps, errors, false)
  picture.curves('_loss', ['train'], looks, steps, {train: band(frame, 'train_loss')})
  return picture.changes
}
