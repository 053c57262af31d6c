// Hides a result that a prediction asks for until the reader has committed to an answer, or chosen to look: here, in
// the prediction, in the text, or by a link to exactly this state.
import * as store from '../shared/store.js'
import * as address from '../shared/address.js'
import '../exercises/reveal.js'
import {inRoom} from '../shared/room-member.js'

// Covers a figure before it is shown; an answer removes the cover.
/** @param {import('./simulation.js').Simulation} simulation */
export function cover({figure, stage}) {
  const {covered} = figure.dataset
  const isShown = !inRoom() && (store.showsAll() || store.answer(covered) !== undefined)
  if (!covered || isShown || Object.keys(address.read(figure.id)).length) return () => {}
  const question = document.getElementById(covered)
  const sheet = Object.assign(document.createElement('div'), {className: 'cover'})
  const words = Object.assign(document.createElement('p'), {textContent: 'This picture holds the answer. '})
  const link = Object.assign(document.createElement('a'), {href: `#${covered}`, textContent: 'Predict it first'})
  const look = Object.assign(document.createElement('button'), {type: 'button', textContent: 'Show it now'})
  const all = Object.assign(document.createElement('button'), {type: 'button', textContent: 'Show all answers'})
  all.dataset.set = 'reveal'
  const lift = () => {
    sheet.remove()
    stage.querySelector('.host')?.removeAttribute('inert')
    figure.removeAttribute('data-hidden')
    figure.dispatchEvent(new Event('uncovered'))
  }
  look.addEventListener('click', lift)
  document.addEventListener('reveal', lift)
  question.querySelector('details.truth').addEventListener('toggle', lift, {once: true})
  document.addEventListener('answered', () => {
    if (!inRoom() && store.answer(covered) !== undefined) lift()
  })
  words.append(link)
  sheet.append(words, look)
  if (!inRoom()) sheet.append(all)
  stage.append(sheet)
  figure.setAttribute('data-hidden', '')
  return lift
}
