// The concept inventory: one form before reading and the other one after it, and what changed in between.
import {FORMS, KEPT, other, rounds as handedIn} from './rounds.js'
import * as store from '../../shared/store.js'

/** @typedef {import('./rounds.js').Form} Form */
/** @typedef {'known' | 'wrong' | 'unsure'} Outcome */

const place = (/** @type {string} */ name) => document.querySelector(`.inventory-${name}`)
const button = (/** @type {string} */ name) => document.querySelector(`button[data-inventory=${name}]`)
const form = document.querySelector('form.inventory-form')
const state = place('state')

const answers = () => store.answers()[KEPT] ?? {}
const rounds = () => handedIn(answers())

// The form that comes next. Which one comes first is drawn by lot.
/** @returns {Form} */
function coming() {
  const {first} = answers()
  if (FORMS.includes(first)) return rounds().length ? other(first) : first
  return Math.random() < 0.5 ? 'A' : 'B'
}

/** @param {Form} letter @returns {HTMLElement[]} */
function items(letter) {
  const template = /** @type {HTMLTemplateElement} */ (document.querySelector(`template[data-form=${letter}]`))
  const copy = /** @type {DocumentFragment} */ (document.importNode(template.content, true))
  return [...copy.querySelectorAll('.item')]
}

/** @param {HTMLElement} item @returns {Outcome} */
function outcome(item) {
  const said = answers()[item.dataset.item]
  const input = item.querySelector(`input[value="${Number(said)}"]`)
  if (!input || said === 0) return 'unsure'
  return 'right' in input.dataset ? 'known' : 'wrong'
}

/** @type {Record<Outcome, string>} */
const WORDS = {known: 'right', wrong: 'wrong', unsure: 'did not know'}

/** @param {Outcome} first @param {Outcome | undefined} second */
function inWords(first, second) {
  if (!second) return `${WORDS[first]}.`
  const change = second === 'known' && first !== 'known' ? ' Learned.' : ''
  return `First ${WORDS[first]}, then ${WORDS[second]}.${change}`
}

/** @param {string} letter */
const done = letter => store.keep(`${letter}-done`, Date.now(), KEPT)
const of = (/** @type {number} */ count) => `${count} of 12`

function show() {
  const taken = rounds()
  const outcomes = taken.map(letter => new Map(items(letter).map(item => [item.dataset.concept, outcome(item)])))
  form.hidden = true
  place('result').hidden = !taken.length
  place('reasons').hidden = taken.length < 2
  button('start').hidden = taken.length > 1
  button('start').textContent = taken.length ? 'Second round' : 'First round'
  button('erase').hidden = !Object.keys(answers()).length
  for (const row of document.querySelectorAll('li[data-concept]')) {
    const [first, second] = outcomes.map(round => /** @type {Outcome} */ (round.get(row.dataset.concept)))
    const last = second ?? first
    row.querySelector('.rounds').textContent = first ? inWords(first, second) : ''
    row.querySelector('.again').hidden = last === 'known'
    row.querySelector('.learned').hidden = !second
    row.dataset.known = String(last === 'known')
  }
  state.textContent = summary(taken, outcomes)
  if (taken.length > 1) reasons(taken)
}

/** @param {Form[]} taken @param {Map<string, Outcome>[]} outcomes */
function summary(taken, outcomes) {
  if (!store.keeps()) return 'This browser keeps nothing for this site, so it could not compare two rounds.'
  if (!taken.length) return ''
  const [first, second] = outcomes
  const right = (/** @type {Map<string, Outcome>} */ round) => [...round].filter(([, result]) => result === 'known')
  if (!second)
    return `You know ${of(right(first).length)}. The reasons come after the second round, which asks about the same things in other words. Read first, then come back.`
  const learned = right(second).filter(([concept]) => first.get(concept) !== 'known').length
  const lost = right(first).filter(([concept]) => second.get(concept) !== 'known').length
  const transfer = items(taken[1]).filter(item => 'transfer' in item.dataset)
  const carried = transfer.filter(item => outcome(item) === 'known').length
  const parts = [
    `You learned ${learned}, and knew ${right(first).length - lost} before.`,
    lost ? `${lost} that you had right came out wrong this time.` : '',
    `Of ${transfer.length} questions about architectures that no page shows, you answered ${carried} right.`,
  ]
  return parts.filter(Boolean).join(' ')
}

/** @param {Form[]} taken */
function reasons(taken) {
  const all = taken.flatMap(items)
  for (const item of all) {
    const said = Number(answers()[item.dataset.item])
    for (const input of item.querySelectorAll('input')) {
      input.disabled = true
      input.checked = Number(input.value) === said
      const mark = ['right' in input.dataset && '✓', input.checked && 'your answer'].filter(Boolean).join(' ')
      if (mark) input.closest('.option').dataset.mark = mark
    }
    item.dataset.done = ''
    item.querySelector('.because').hidden = false
  }
  place('reasons')
    .querySelector('.inventory-items')
    .replaceChildren(...all)
}

function open() {
  const letter = coming()
  if (!FORMS.includes(answers().first)) store.keep('first', letter, KEPT)
  const list = items(letter)
  form.dataset.form = letter
  form.querySelector('.inventory-items').replaceChildren(...list)
  for (const item of list) {
    const said = answers()[item.dataset.item]
    const input = Number.isInteger(said) ? item.querySelector(`input[value="${said}"]`) : null
    if (input) input.checked = true
  }
  state.textContent = ''
  for (const name of ['result', 'reasons']) place(name).hidden = true
  button('start').hidden = true
  form.hidden = false
  left()
  list[0].tabIndex = -1
  list[0].focus({preventScroll: true})
  list[0].scrollIntoView({block: 'nearest', behavior: 'instant'})
}

// How many are left to answer.
function left() {
  const {length} = [...form.querySelectorAll('.item')].filter(item => !item.querySelector(':checked'))
  form.querySelector('[type=submit]').toggleAttribute('disabled', length > 0)
  place('open').textContent = length ? `${length} still to answer` : ''
}

form.addEventListener('change', event => {
  const {name, value} = /** @type {HTMLInputElement} */ (event.target)
  store.keep(name, Number(value), KEPT)
  left()
})

form.addEventListener('submit', event => {
  event.preventDefault()
  done(form.dataset.form)
  show()
  state.focus({preventScroll: true})
  state.scrollIntoView({block: 'center', behavior: 'instant'})
})

button('start').addEventListener('click', open)
button('erase').addEventListener('click', () => {
  if (!confirm('Erase your answers to these questions?')) return
  store.forget(KEPT)
  show()
})

show()
