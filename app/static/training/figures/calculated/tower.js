// The figure `tower` without a server: what sims/simulations/depth/tower.py and app/views/depth/tower.py do.
// Python stays the source: tests/twins compares everything that both give.
import {number} from '../../../shared/numbers.js'
import {COMPARED, lightOf, signalResults, signalsOf} from '../../calculations/signals.js'
import {inWords, missing, skips, wiring} from '../../calculations/wirings.js'
import {pressedPlusSign, showLitNetwork} from '../../pictures/charts/lit-network.js'
import {showSignalLines} from '../../pictures/charts/signal-lines.js'
import {Picture} from '../../pictures/picture.js'
import {seedsOf} from '../../recipe/recipe.js'
import {DATA} from '../../recipe/words.js'

export const NAME = 'tower'
export const TITLE = 'A network before it learns, with a switch at every plus sign'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  cut: 'text',
  strength: 'text',
  norm: 'text',
  blocks: 'int',
  seeds: 'int',
  seed: 'int',
}

export const COUNTS = ['plus_signs'] // results that are whole numbers

/** @param {Values} settings */
const blocksOf = ({blocks}) => Number(blocks)

/** The blocks without a plus sign, counted from 1. @param {Values} settings */
const withoutSkip = settings => missing(settings.cut, blocksOf(settings))

/** The factor on every branch. @param {Values} settings */
function factorOf(settings) {
  const factors = {tenth: 0.1, root: blocksOf(settings) ** -0.5, library: 18 ** -0.5, half: 0.5, full: 1}
  return factors[/** @type {keyof typeof factors} */ (settings.strength)]
}

/**
 * What is to be measured.
 * @param {Values} settings
 * @returns {WeightedPassesCalculation}
 */
export function calculation(settings) {
  const {norm} = settings
  return {
    name: 'weighted passes',
    stack: {
      skips: skips(withoutSkip(settings), blocksOf(settings)),
      factor: factorOf(settings),
      norm: norm === 'pre',
    },
    normed_sums: norm === 'post',
    data: 'digits',
    points: COMPARED,
    seeds: seedsOf(settings),
  }
}

/**
 * @param {unknown} measured
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(measured, settings) {
  const passes = /** @type {import('../../calculations/weighted-passes.js').Passes} */ (measured)
  const signals = signalsOf(passes, Number(settings.seeds))
  const results = {plus_signs: blocksOf(settings) - withoutSkip(settings).length, ...signalResults(signals)}
  return {quantities: signals, results, counts: COUNTS, step: 0, steps: 0, diverged: []}
}

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({results}, settings) {
  const norms = {none: 'no norm', pre: 'norms before the branches', post: 'norms after the sums'}
  const norm = norms[/** @type {keyof typeof norms} */ (settings.norm)]
  const strength = number(factorOf(settings), 2)
  const beginning = wiring(withoutSkip(settings), blocksOf(settings))
  return `${beginning}, ${norm} and branches of strength ${strength}: ${inWords(results)}.`
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function disclosure(settings) {
  const norms = {
    none: 'no norm',
    pre: 'a LayerNorm before each branch and before the head',
    post: 'a LayerNorm after each sum',
  }
  return {
    network:
      `${blocksOf(settings)} untrained blocks of Linear–ReLU–Linear without biases on a stream of 32 numbers, ` +
      `${norms[/** @type {keyof typeof norms} */ (settings.norm)]}; a linear stem and head. A block without a plus ` +
      `sign outputs its branch alone. Weights are normally distributed; the average size of a branch's output, ` +
      `relative to its input, is ${number(factorOf(settings), 2)}.`,
    data: `${DATA.digits} Signals are measured on ${COMPARED} held-out images.`,
    seeds: `${settings.seeds} (from ${settings.seed}); lines and numbers are their median.`,
    cannot_show: 'Training, and which images become alike: sizes and angles are averages.',
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
export function update(names, {quantities, results}, settings) {
  const picture = new Picture(names)
  const light = lightOf(/** @type {ReturnType<typeof signalsOf>} */ (quantities), results)
  showLitNetwork(picture, '_network', {...light, norm: settings.norm}, withoutSkip(settings))
  const signals = Object.entries(quantities).map(([name, {values}]) => [name, {now: values}])
  showSignalLines(picture, '_signals', Object.fromEntries(signals))
  return picture.changes
}
