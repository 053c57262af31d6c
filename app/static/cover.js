// A result that a prediction asks for stays covered until the reader has committed to an answer, or chosen to look.
import * as store from './store.js'

export function cover({figure, stage}) {
  const {covered} = figure.dataset
  if (!covered || store.answer(covered) !== undefined) return
  const question = document.getElementById(covered)
  if (!question) return
  const sheet = Object.assign(document.createElement('div'), {className: 'cover'})
  const words = Object.assign(document.createElement('p'), {textContent: 'This picture holds the answer. '})
  const link = Object.assign(document.createElement('a'), {href: `#${covered}`, textContent: 'Predict it first'})
  const look = Object.assign(document.createElement('button'), {type: 'button', textContent: 'Show it now'})
  const lift = () => { sheet.remove(); figure.removeAttribute('data-hidden') }
  look.addEventListener('click', lift)
  question.querySelector('details.truth')?.addEventListener('toggle', lift, {once: true})
  document.addEventListener('answered', () => { if (store.answer(covered) !== undefined) lift() })
  words.append(link)
  sheet.append(words, look)
  stage.append(sheet)
  figure.setAttribute('data-hidden', '')
}
