// All questions of the site on one page, each with its outcome.
import * as store from '../shared/store.js'

const words = (/** @type {boolean | undefined} */ right) =>
  right === true ? 'as you said' : right === false ? 'not as you said' : 'answered'

const isRecord = (/** @type {any} */ answer) => typeof answer === 'object' && !Array.isArray(answer)

// Kind of question → whether an answer has its form. One of another form was given to an earlier version of the question.
/** @type {Record<string, (answer: any) => boolean>} */
const FORMS = {rank: Array.isArray, draw: Array.isArray, confidence: isRecord}
const isOne = (/** @type {any} */ answer) => typeof answer !== 'object'

function show() {
  const all = store.answers(),
    outcomes = all[store.OUTCOMES] ?? {}
  let total = 0,
    answered = 0,
    right = 0,
    checked = 0
  for (const fold of document.querySelectorAll('.predicted')) {
    const page = fold.dataset.of,
      items = [...fold.querySelectorAll('[data-exercise]')]
    const done = items.filter(({dataset: {exercise, kind}}) => {
      const answer = all[page]?.[exercise] ?? undefined
      return answer !== undefined && (FORMS[kind] ?? isOne)(answer)
    })
    const outcome = (/** @type {HTMLElement} */ item) => outcomes[`${page}.${item.dataset.exercise}`]
    for (const item of items) {
      const place = item.querySelector('.outcome')
      place.textContent = done.includes(item) ? words(outcome(item)) : ''
      place.dataset.right = String(done.includes(item) ? outcome(item) : '')
    }
    const good = done.filter(item => outcome(item) === true).length
    fold.querySelector('.sum').textContent = done.length
      ? `${done.length} of ${items.length} answered, ${good} as you said`
      : `${items.length} ${items.length === 1 ? 'question' : 'questions'}`
    total += items.length
    answered += done.length
    right += good
    checked += done.filter(item => typeof outcome(item) === 'boolean').length
  }
  document.querySelector('.overall').textContent = answered
    ? `You have answered ${answered} of ${total} questions. Of ${checked} ${checked === 1 ? 'answer' : 'answers'} that could be checked, ${right} came out as you said.`
    : `You have answered none of ${total} questions yet.`
  const judged = document.querySelector('.judged'),
    names = judged.dataset.claims.split(' '),
    claims = names.filter(id => all.claims?.[id] !== undefined) // not those of former cards
  const agreed = claims.filter(id => outcomes[`claims.${id}`] === true).length
  judged.textContent = claims.length
    ? `You have judged ${claims.length} of ${names.length} claims, and agreed with the check on ${agreed}.`
    : ''
}

document.addEventListener('answered', show)
store.whenKeptElsewhere(show)
show()
