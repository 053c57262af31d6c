// All questions of the site on one page, each with what became of it.
import * as store from '../shared/store.js'

const words = (/** @type {boolean | undefined} */ right) =>
  right === true ? 'as you said' : right === false ? 'not as you said' : 'answered'

function show() {
  const all = store.answers(),
    outcomes = all[store.OUTCOMES] ?? {}
  let asked = 0,
    answered = 0,
    right = 0,
    known = 0
  for (const fold of document.querySelectorAll('.predicted')) {
    const page = fold.dataset.of,
      items = [...fold.querySelectorAll('[data-exercise]')]
    const given = items.filter(item => all[page]?.[item.dataset.exercise] !== undefined)
    const outcome = (/** @type {HTMLElement} */ item) => outcomes[`${page}.${item.dataset.exercise}`]
    for (const item of items) {
      const place = item.querySelector('.outcome')
      place.textContent = given.includes(item) ? words(outcome(item)) : ''
      place.dataset.right = String(given.includes(item) ? outcome(item) : '')
    }
    const good = given.filter(item => outcome(item) === true).length
    fold.querySelector('.sum').textContent = given.length
      ? `${given.length} of ${items.length} answered, ${good} as you said`
      : `${items.length} ${items.length === 1 ? 'question' : 'questions'}`
    asked += items.length
    answered += given.length
    right += good
    known += given.filter(item => typeof outcome(item) === 'boolean').length
  }
  document.querySelector('.overall').textContent = answered
    ? `You have answered ${answered} of ${asked} questions. Of ${known} ${known === 1 ? 'answer' : 'answers'} that could be checked, ${right} came out as you said.`
    : `You have answered none of ${asked} questions yet.`
  const judged = document.querySelector('.judged'),
    claims = Object.keys(all.claims ?? {})
  const agreed = claims.filter(id => outcomes[`claims.${id}`] === true).length
  judged.textContent = claims.length
    ? `You have judged ${claims.length} of ${judged.dataset.claims} claims, and agreed with the check on ${agreed}.`
    : ''
}

document.addEventListener('answered', show)
show()
