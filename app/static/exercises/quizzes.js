// Quizzes and claims show their explanations by CSS alone; this stores the answers and announces the explanations.
import * as store from '../shared/store.js'
import './arrow-keys.js'
import {inRoom} from '../shared/room-member.js'

const JUDGED = 'claims'
const begun = !inRoom() // in a room everybody starts fresh

/** @param {HTMLElement} section @param {string} text */
function tell(section, text) {
  let place = section.querySelector('.told')
  if (!place) {
    place = Object.assign(document.createElement('p'), {className: 'told hidden'})
    place.setAttribute('role', 'status')
    section.append(place)
  }
  place.textContent = text
}

for (const quiz of document.querySelectorAll('.quiz')) {
  const before = begun && store.answer(quiz.id)
  const outcome = (/** @type {HTMLInputElement | null} */ input) => {
    if (input) store.outcome(quiz.id, input.closest('.answer').classList.contains('right'))
  }
  if (before) {
    const input = quiz.querySelector(`input[value="${CSS.escape(before)}"]`)
    if (input && !quiz.querySelector(':checked')) input.checked = true
    outcome(input)
  }
  quiz.addEventListener('change', event => {
    const input = /** @type {HTMLInputElement} */ (event.target)
    store.keep(quiz.id, input.value)
    outcome(input)
    tell(quiz, input.closest('.answer').querySelector('.because').textContent)
  })
}

for (const claim of document.querySelectorAll('.claim')) {
  const before = begun && store.answers()[JUDGED]?.[claim.id]
  if (before) {
    const input = claim.querySelector(`input[value="${CSS.escape(before)}"]`)
    if (input) {
      if (!claim.querySelector(':checked')) input.checked = true
      store.outcome(claim.id, before === claim.dataset.agrees, JUDGED)
    }
  }
  claim.addEventListener('change', event => {
    const {value} = /** @type {HTMLInputElement} */ (event.target)
    store.keep(claim.id, value, JUDGED)
    store.outcome(claim.id, value === claim.dataset.agrees, JUDGED)
    const said = [...claim.querySelectorAll('.check > p:not(:has(> .show))')] // the verdict and the reason
    tell(claim, said.map(part => part.textContent.trim().replace(/\.?$/, '.')).join(' '))
  })
}

function score() {
  const place = document.querySelector('.score')
  if (!place) return
  const judged = (/** @type {HTMLElement} */ claim) => claim.querySelector('input:checked')?.value
  const cards = [...document.querySelectorAll('.claim')].filter(judged)
  const agreed = cards.filter(claim => judged(claim) === claim.dataset.agrees).length
  place.textContent = cards.length
    ? `You have judged ${cards.length} of ${place.dataset.claims}, and agreed with the check on ${agreed}.`
    : ''
}
document.addEventListener('answered', score)
score()
