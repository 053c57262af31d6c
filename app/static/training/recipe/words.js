// Words for a recipe in disclosures, as in sims/contract/recipe_words.py; and the sentences of the data sets.
import {number} from '../../shared/numbers.js'

/** @type {Record<string, string>} */
export const OPTIMIZERS = {sgd: 'SGD', momentum: 'SGD with momentum', adam: 'Adam'}

/** @type {Record<string, string>} */
export const NORMS = {
  none: 'no norm',
  batch: 'BatchNorm after every linear layer but the head, without gain and shift',
  layer: 'LayerNorm after every linear layer but the head, without gain and shift',
  'pre-layer': 'LayerNorm before every branch and before the head, without gain and shift',
}

/** @type {Record<string, string>} */
export const STARTS = {
  default: "the library's own initial weights",
  he: 'He initialization',
  orthogonal: 'orthogonal initial weights',
  'looks-linear': 'initial weights with which the network looks linear',
}

/** @type {Record<string, string>} */
export const DATA = {
  teacher:
    '1,024 random points with 32 features, sorted into 10 classes by a random network, and 1,024 more held out for testing.',
  digits: '1,797 real images of handwritten digits, 8 × 8 pixels each, of which every fifth is held out for testing.',
}

/** @param {number} steps @param {string} optimizer @param {number} rate @param {number} batch */
export function stepsTaken(steps, optimizer, rate, batch) {
  return `${steps} steps of ${OPTIMIZERS[optimizer]} at ${number(rate)}, batches of ${batch}`
}
