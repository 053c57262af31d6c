// A figure whose results a prediction asks for: it shows its axes and what is known until the reader has committed to an
// answer, or chosen to look: here, in the text, or by a link to exactly this state.
import * as store from '../shared/store.js'
import * as address from '../shared/address.js'
import '../exercises/reveal.js'
import {inRoom} from '../shared/room-member.js'
import {answerAbove} from './layout/answer-above.js'

// Whether a prediction is answered. What was stored for an earlier version of the question is no answer to this one.
const isAnswered = (/** @type {string} */ id) => document.getElementById(id)?.hasAttribute('data-done') ?? false

// Decides whether a figure begins without its results; → shows them.
/** @param {import('./simulation.js').Simulation} simulation */
export function cover({figure}) {
  const {covered} = figure.dataset
  const truth = figure.querySelector('details.truth')
  const isShown = !inRoom() && (store.showsAll() || isAnswered(covered))
  const show = () => {
    if (!figure.hasAttribute('data-hidden')) return
    figure.removeAttribute('data-hidden')
    if (truth && !inRoom()) truth.open = true // a question whose answer can be seen is none
    figure.querySelector('.host')?.removeAttribute('inert')
    figure.dispatchEvent(new Event('uncovered'))
  }
  truth?.addEventListener('toggle', () => answerAbove(figure), {once: true})
  if (truth?.open) answerAbove(figure)
  if (!covered || isShown || Object.keys(address.read(figure.id)).length) {
    show()
    return () => {}
  }
  document.addEventListener('reveal', show)
  truth.addEventListener('toggle', show, {once: true})
  document.addEventListener('answered', () => {
    if (!isAnswered(covered)) return
    answerAbove(figure)
    if (!inRoom()) show()
  })
  return show
}
