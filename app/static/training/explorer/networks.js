// Which networks an explorer trains on what, and why it refuses some, as in sims/simulations/design_choices/explorer.py.
import {number} from '../../shared/numbers.js'
import {FEATURES, ownPoints} from '../datasets.js'
import {layoutOf} from '../engine/perceptrons/layout.js'
import {recipeOf, seedsOf} from '../recipe/recipe.js'

const RECORDS = 40 // of a whole run, besides the first
const MOST_NUMBERS = 1_000_000 // parameters that may be trained at once
const NAMES = ['first', 'second']

/** What the second network is, and how it differs. @type {Record<string, [words: string, changes: Partial<NetworkArchitecture>]>} */
const COMPARISONS = {
  none: ['', {}],
  'no-skip': ['without a skip', {skip: 'none', branch_factor: '1'}],
  additive: ['with an additive skip', {skip: 'additive'}],
  'no-norm': ['without a norm', {norm: 'none'}],
  'pre-layer': ['with Pre-LN', {norm: 'pre-layer'}],
  'post-layer': ['with Post-LN', {norm: 'post-layer'}],
  he: ['with He initialization', {initialization: 'he'}],
  scaled: ['with branch factor 1/blocks', {skip: 'additive', branch_factor: '1/blocks'}],
  shallow: ['with 8 layers', {depth: 8}],
}

/** How the second network differs, in words. @param {Values} settings */
export const difference = ({compare}) => COMPARISONS[compare][0]

/** The functions of the coordinates that are the networks' inputs. @param {Values} settings */
export const feeds = settings => FEATURES.filter(name => settings[`feed_${name}`] === 'yes')

/** Half the side of the square in which a task is drawn. @param {Values} settings */
export const reachOf = ({task}) => (task === 'digits_plane' ? 3 : 2)

/** Task with random points → the argument of its data set for their spread. @type {Record<string, string>} */
const SPREADS = {spirals: 'noise', rings: 'noise', xor: 'noise', moons: 'noise', blobs: 'spread'}

/** Task → what a map shows of it, in words, and the number of its classes. @type {Record<string, {sentence: string, classes: number}>} */
const SHOWN = {
  spirals: {
    sentence: '256 points on two interleaved spiral arms of 1.5 turns, and 256 more for testing',
    classes: 2,
  },
  rings: {sentence: '256 points of a disk and of the ring around it, and 256 more for testing', classes: 2},
  xor: {sentence: '256 points in four quadrants, opposite ones of one class, and 256 more for testing', classes: 2},
  moons: {sentence: '256 points on two half circles that reach into each other, and 256 more for testing', classes: 2},
  blobs: {sentence: '256 points in 4 round clouds, and 256 more for testing', classes: 4},
  digits_plane: {
    sentence:
      '1,797 real images of handwritten digits, each reduced to two numbers (the first two principal components)',
    classes: 10,
  },
}

/** The data of a task: a sentence about it and the number of its classes, or the reason why there is nothing to learn. @param {Values} settings @returns {{refused: string} | {sentence: string, classes: number}} */
export function described(settings) {
  const {task, points} = settings
  if (!feeds(settings).length)
    return {refused: 'nothing is fed to the networks until at least one function of the coordinates is chosen'}
  if (task !== 'own') {
    const shown = SHOWN[task]
    if (!shown) throw new RangeError(`there is no task named ${task}`)
    return shown
  }
  const {labels} = ownPoints(points)
  if (new Set(labels).size < 2) return {refused: 'there is nothing to learn until the map has points of two classes'}
  return {
    sentence: `${labels.length} points that you have drawn, and none held out for testing`,
    classes: Math.max(...labels) + 1,
  }
}

/** @param {Values} settings @returns {{name: string, arguments: Record<string, number | string>, features: string[]}} */
function sourceOf(settings) {
  const {task, noise, points} = settings
  const features = feeds(settings)
  if (task === 'own') return {name: task, arguments: {points}, features}
  const spread = noise === 'usual' ? undefined : SPREADS[task]
  return {name: task, arguments: spread ? {[spread]: Number(noise)} : {}, features}
}

/** @param {Values} settings @returns {NetworkArchitecture[]} */
function architectures(settings) {
  const {depth, width, skip, norm, unit, activation, initialization, final_norm, branch_factor, compare} = settings
  const first = {
    ...{depth: Number(depth), width: Number(width), skip, norm, unit, activation, initialization, branch_factor},
    final_norm: final_norm === 'yes',
  }
  const changes = COMPARISONS[compare][1]
  return Object.keys(changes).length ? [first, {...first, ...changes}] : [first]
}

/** Whether a second network is the same as the first. @param {Record<string, TrainingRun>} runs */
export function same({first, second}) {
  if (!second) return false
  const [one, other] = [first.architecture, second.architecture].map(
    architecture => /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (architecture)),
  )
  return Object.keys(one).every(name => one[name] === other[name])
}

/** Why there is nothing to train, or an empty text. @param {Values} settings */
export function refusal(settings) {
  const data = described(settings)
  if ('refused' in data) return `This cannot be trained: ${data.refused}.`
  const networks = architectures(settings)
  const clash = networks.map(clashOf).find(sentence => sentence)
  if (clash) return `This cannot be trained: ${clash}.`
  const sizes = networks.map(network => layoutOf(network, feeds(settings).length, data.classes).size)
  const numbers = Number(settings.seeds) * sizes.reduce((sum, size) => sum + size, 0)
  if (numbers <= MOST_NUMBERS) return ''
  return (
    `That would be ${number(numbers)} numbers to train at once, and the limit is ${number(MOST_NUMBERS)}: ` +
    'take fewer seeds, less width or less depth.'
  )
}

/** Choices that do not fit together (sims/engines/perceptrons/architecture.py). @param {NetworkArchitecture} architecture */
function clashOf(architecture) {
  const {skip, norm, unit, activation, initialization, branch_factor, width} = architecture
  const original = unit === 'original',
    zero = initialization === 'zero-last',
    mirrored = initialization === 'looks-linear'
  /** @type {[boolean, string][]} */
  const clashes = [
    [
      original && (norm === 'pre-layer' || norm === 'post-layer'),
      'the original unit has its norm after every linear layer: none, batch or layer',
    ],
    [original && skip !== 'none' && skip !== 'additive', 'the original unit has an additive skip or none'],
    [skip === 'dense' && (original || unit === 'two-layer'), 'dense blocks are built from branches of one layer'],
    [skip === 'dense' && norm === 'post-layer', 'a dense block has no sum that a post-layer norm could normalize'],
    [skip !== 'additive' && branch_factor !== '1', 'a branch factor needs an additive skip'],
    [
      zero && unit === 'one-layer' && activation === 'relu',
      'a one-layer branch that starts at zero stays there: its ReLU passes no gradient',
    ],
    [zero && skip === 'rezero', 'a zero branch behind a zero factor learns nothing'],
    [zero && skip === 'none', 'without a skip a zero branch cuts the network in two'],
    [zero && norm === 'batch' && unit !== 'pre-activation', 'a norm after the last layer would divide zero by zero'],
    [
      mirrored && (activation !== 'relu' || width % 2 === 1),
      'looks-linear weights mirror the two halves of an even ReLU layer',
    ],
    [mirrored && skip === 'dense', 'looks-linear weights need layers of one width'],
  ]
  return clashes.find(([clash]) => clash)?.[1] ?? ''
}

/** What would be trained; nothing if that is refused. @param {Values} settings @returns {Record<string, TrainedNetwork>} */
export function networks(settings) {
  if (refusal(settings)) return {}
  const recipe = {
    ...recipeOf(settings, Number(settings.batch), RECORDS),
    warmup: Number(settings.warmup),
    clip: Number(settings.clip) || null,
  }
  const data = sourceOf(settings)
  const seeds = seedsOf(settings)
  return Object.fromEntries(
    architectures(settings).map((architecture, at) => [NAMES[at], {architecture, recipe, data, seeds}]),
  )
}
