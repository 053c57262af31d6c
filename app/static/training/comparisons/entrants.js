// The networks that enter the arena, as in sims/comparisons/entrants.py and, for their looks, app/pictures/base/looks.py.

/**
 * An entrant: its label, the choices that make its architecture, whether it is a transformer, its color and its dash.
 * @typedef {{label: string, choices: Record<string, string | boolean>, transformer?: boolean, color: string, dash: string}} Entrant
 */

/** @type {Record<string, Entrant>} */
export const ENTRANTS = {
  plain: {label: 'plain', choices: {skip: 'none'}, color: 'plain', dash: 'dashed'},
  residual: {label: 'residual', choices: {skip: 'additive'}, color: 'residual', dash: 'solid'},
  residual_relu: {
    label: 'residual, ReLU last',
    choices: {skip: 'additive', unit: 'one-layer'},
    color: 'residual',
    dash: 'dashed',
  },
  dense: {label: 'dense', choices: {skip: 'dense'}, color: 'third', dash: 'solid'},
  highway: {label: 'highway', choices: {skip: 'highway', unit: 'one-layer'}, color: 'fifth', dash: 'solid'},
  rezero: {label: 'ReZero', choices: {skip: 'rezero'}, color: 'third', dash: 'dashed'},
  residual_pre: {
    label: 'residual, Pre-LN',
    choices: {norm: 'pre-layer', final_norm: true},
    color: 'residual',
    dash: 'dotted',
  },
  residual_post: {label: 'residual, Post-LN', choices: {norm: 'post-layer'}, color: 'residual', dash: 'dashdot'},
  transformer_pre: {
    label: 'transformer, Pre-LN',
    choices: {norm: 'pre-layer'},
    transformer: true,
    color: 'fourth',
    dash: 'solid',
  },
  transformer_post: {
    label: 'transformer, Post-LN',
    choices: {norm: 'post-layer'},
    transformer: true,
    color: 'fourth',
    dash: 'dashed',
  },
}

/** @typedef {'spirals' | 'digits'} Task */

/** Points per step; null means all. @type {Record<Task, number | null>} */
export const BATCH = {spirals: null, digits: 64}

/** The entrants of a starting field, by its name. @type {Record<string, string[]>} */
export const FIELDS = {
  usual: ['plain', 'residual', 'dense', 'highway', 'transformer_pre', 'transformer_post'],
  skips: ['plain', 'residual', 'residual_relu', 'dense', 'highway', 'rezero', 'residual_pre'],
  norms: ['residual', 'residual_pre', 'residual_post', 'transformer_pre', 'transformer_post'],
  all: Object.keys(ENTRANTS),
}

/** @type {Record<Task, string | DataSource>} */
export const DATA = {spirals: {name: 'spirals', arguments: {}}, digits: 'digits'}
/** @type {Record<Task, {features: number, classes: number, points: number, sentence: string}>} `points` for training */
export const TASKS = {
  spirals: {
    ...{features: 2, classes: 2, points: 256},
    sentence: '256 points on two interleaved spiral arms of 1.5 turns, and 256 more for testing',
  },
  digits: {
    ...{features: 64, classes: 10, points: 1438},
    sentence:
      '1,797 real images of handwritten digits, 8 × 8 pixels each, of which every fifth is held out for testing',
  },
}

export const WIDTH = 32,
  GROWTH = 8
/** Tokens per point. @type {Record<Task, number>} */
const TOKENS = {spirals: 2, digits: 8}

/**
 * The architecture of an entrant.
 * @param {string} name @param {Task} task @param {number} blocks @param {string} initialization @param {string} factor of the branches of residual networks without a norm
 * @returns {NetworkArchitecture | TransformerArchitecture}
 */
export function architectureOf(name, task, blocks, initialization, factor) {
  const {choices, transformer} = ENTRANTS[name]
  if (transformer) return {depth: blocks, tokens: TOKENS[task], norm: String(choices.norm), initialization}
  const isScaled = name === 'residual' || name === 'residual_relu'
  return {
    ...{depth: blocks + 2, width: WIDTH, growth: GROWTH, initialization},
    ...{skip: 'additive', norm: 'none', unit: 'pre-activation', final_norm: false},
    ...choices,
    branch_factor: isScaled ? factor : '1',
  }
}
