// What signals and gradients meet in a stack, before its training and now: as in sims/simulations/depth/plus_signs.py.
import {COMPARED} from '../calculations/signals.js'
import {firstOf, weightedPasses} from '../calculations/weighted-passes.js'

/** @typedef {import('../calculations/weighted-passes.js').Passes} Passes */
/** @typedef {{before: Passes, now: Passes}} Lit */

/** @param {import('../engine/weighted-stack/run.js').StackRun} run @returns {import('./index.js').Observer} */
export function observer(run) {
  const compared = firstOf(run.data, COMPARED)
  const measured = () => weightedPasses(run.stack, run.layout, run.parameters, compared)
  const before = measured()
  return {now: () => /** @type {Lit} */ ({before, now: run.step ? measured() : before})}
}
