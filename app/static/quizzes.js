// Quizzes and claims show their reasons by style sheet alone; this keeps the answers and reads the reasons aloud.
import * as store from './store.js'
import {inRoom} from './room/member.js'

const JUDGED = 'claims'
const begun = !inRoom() // in a room everybody begins anew

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
  if (before) quiz.querySelector(`input[value="${CSS.escape(before)}"]`)?.click()
  quiz.addEventListener('change', event => {
    store.keep(quiz.id, event.target.value)
    tell(quiz, event.target.closest('.answer').querySelector('.because').textContent)
  })
}

for (const claim of document.querySelectorAll('.claim')) {
  const before = begun && store.answers()[JUDGED]?.[claim.id]
  if (before) {
    const input = claim.querySelector(`input[value="${CSS.escape(before)}"]`)
    if (input) input.checked = true
  }
  claim.addEventListener('change', event => {
    store.keep(claim.id, event.target.value, JUDGED)
    tell(claim, claim.querySelector('.check').textContent)
  })
}

function score() {
  const place = document.querySelector('.score')
  if (!place) return
  const judged = store.answers()[JUDGED] ?? {}
  const cards = [...document.querySelectorAll('.claim')].filter(claim => judged[claim.id])
  const agreed = cards.filter(claim => judged[claim.id] === claim.dataset.agrees).length
  place.textContent = cards.length
    ? `You have judged ${cards.length} of ${place.dataset.claims}, and agreed with the check on ${agreed}.` : ''
}
document.addEventListener('answered', score)
score()
