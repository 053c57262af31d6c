// Why a network diverged, and what to try, as in sims/instruments/training/divergence.py.
import {number} from '../shared/numbers.js'

const STRONG = 100 // times: growth that explains a divergence

/**
 * One entry if at least one seed of the network diverged, else none.
 * @param {TrainingRun} run
 * @param {string} name of the network
 * @returns {Divergence[]}
 */
export function divergences(run, name) {
  const overflows = run.overflows.filter(overflow => overflow !== null)
  if (!overflows.length) return []
  const first = overflows.reduce((one, other) => (other.step < one.step ? other : one))
  const count = run.seeds > 1 ? `${overflows.length} of ${run.seeds} seeds` : 'its seed'
  const quantity = `${first.quantity} of the ${name} network (${count})`
  return [{step: first.step, quantity, cause: cause(run), what_to_try: advice(run)}]
}

/** @param {TrainingRun} run */
function cause({seeds, records: [start], recipe}) {
  const places = start.activations.length / seeds
  /** @param {Float64Array} values @param {number} from @param {number} to */
  const ratios = (values, from, to) =>
    Array.from({length: seeds}, (_, seed) => values[seed * places + to] / values[seed * places + from])
  const growth = largest(ratios(start.activations, 0, places - 1))
  const slope = largest(ratios(start.stream_gradients, places - 1, 0))
  if (growth > STRONG)
    return `Before the first step the stream already grew ${number(growth, 2)}-fold from the first block to the last.`
  if (slope > STRONG)
    return `Before the first step the gradient already grew ${number(slope, 2)}-fold on its way back to the first block.`
  return `Each step of ${number(recipe.learning_rate)} overshot further than the one before.`
}

/** The largest value that is a number; NaN if there is none. @param {number[]} values */
function largest(values) {
  const numbers = values.filter(value => !Number.isNaN(value))
  return numbers.length ? Math.max(...numbers) : NaN
}

/** @param {TrainingRun} run */
function advice({architecture, recipe}) {
  const ideas = [`a learning rate below ${number(recipe.learning_rate)}`]
  if (architecture.norm === 'none') ideas.push('a normalization')
  // The skips of a transformer are additive, and its branches have no factor.
  if ('tokens' in architecture || (architecture.skip === 'additive' && (architecture.branch_factor ?? '1') === '1'))
    ideas.push('smaller branches at the start')
  if (recipe.clip === null) ideas.push('gradient clipping')
  const lastIdea = ideas.pop()
  return `Try ${ideas.length ? `${ideas.join(', ')} or ` : ''}${lastIdea}.`
}
