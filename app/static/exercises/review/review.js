// The page on which questions come back.
import {saveFile} from '../../shared/copy-and-save.js'
import * as store from '../../shared/store.js'
import {anki, calendar} from './files.js'
import {ask, note, questions} from './question.js'
import {AGAIN, CARDS, cards, due, EASY, first, GOOD, HARD, next, soonest, wait} from './schedule.js'

/** @typedef {import('./schedule.js').Grade} Grade */

const MOST = 20 // questions of one sitting
const FEW = 5 // of one that the reader asks for
const templates = questions()
const place = (/** @type {string} */ name) => document.querySelector(`.review-${name}`)
const button = (/** @type {string} */ name) => document.querySelector(`button[data-review=${name}]`)
const state = place('state')
const count = (/** @type {number} */ number) => `${number} ${number === 1 ? 'question' : 'questions'}`

const all = cards(templates.keys(), Date.now())
let queue = /** @type {string[]} */ ([])

/** @param {string} name @param {import('./schedule.js').Card} card */
function put(name, card) {
  all.set(name, card)
  store.keep(name, card, CARDS)
}

// A question may have left the site since it was answered.
for (const name of Object.keys(store.answers()[store.MET] ?? {}))
  if (!templates.has(name)) store.forget(store.MET, name)

// What was answered before times were kept is counted from today on.
for (const [name, card] of all)
  if (!store.answers()[store.MET]?.[name] && !store.answers()[CARDS]?.[name]) put(name, card)

const link = (/** @type {string} */ href, /** @type {string} */ textContent) =>
  Object.assign(document.createElement('a'), {href, textContent})

// Between two sittings.
/** @param {string} before what has just happened */
function rest(before = '') {
  const now = Date.now()
  const waiting = due(all, now).length
  place('desk').hidden = true
  place('files').hidden = !all.size
  place('more').hidden = !all.size
  button('more').textContent = waiting ? 'Go on' : `Go on with ${Math.min(FEW, all.size)} that are not due yet`
  if (!store.keeps())
    return state.replaceChildren(
      'This browser keeps nothing for this site, so no question can come back. Allow it to store data for this site, and answer some questions.',
    )
  if (!all.size)
    return state.replaceChildren(
      'Nothing comes back yet: you have answered no question. ',
      link(document.querySelector('nav[aria-label=Chapters] a')?.getAttribute('href') ?? './', 'Begin with chapter 0'),
      '.',
    )
  const [soon] = soonest(all)
  const later = `Nothing is due. The next of ${count(all.size)} comes back ${wait(Number(all.get(soon)?.due), now)}.`
  state.textContent = `${before} ${waiting ? `${count(waiting)} still due.` : later}`.trim()
}

/** @param {string[]} names @param {string} [before] */
function sit(names, before = '') {
  queue = names
  place('more').hidden = true
  place('files').hidden = !all.size
  show(before)
}

/** @param {string} before */
function show(before) {
  const [name] = queue
  if (!name) return rest(before)
  const template = /** @type {HTMLTemplateElement} */ (templates.get(name))
  const {section, lead, origin, see, begin} = ask(template, (right, words) => answered(name, right, words))
  state.textContent = `${before} ${count(queue.length)} to go.`.trim()
  place('origin').textContent = origin.textContent
  place('lead').replaceChildren(...lead.childNodes)
  place('question').replaceChildren(section)
  place('after').hidden = true
  place('spoken').textContent = ''
  place('see').replaceChildren(
    ...(see ? [see, ' '] : []),
    link(origin.href, see ? 'The question on its page' : 'See it on its page'),
  )
  place('desk').hidden = false
  begin() // a board to draw on is measured, so it has to be on the page
}

/** @param {string} name @param {boolean} right @param {string} words */
function answered(name, right, words) {
  const now = Date.now()
  const card = all.get(name) ?? first(right, now)
  /** @type {[string, Grade][]} */
  const grades = right
    ? [
        ['It was hard', HARD],
        ['I knew it', GOOD],
        ['It was easy', EASY],
      ]
    : [['Next question', AGAIN]]
  const buttons = grades.map(([label, grade]) => {
    const after = next(card, grade, now)
    const element = document.createElement('button')
    element.type = 'button'
    element.className = grade === GOOD || grade === AGAIN ? 'primary' : ''
    element.append(label, Object.assign(document.createElement('small'), {textContent: wait(after.due, now)}))
    element.addEventListener('click', () => {
      put(name, after)
      queue = queue.slice(1)
      show(`It comes back ${wait(after.due, now)}.`)
      ;(place('desk').hidden ? state : section()).focus({preventScroll: true})
      state.scrollIntoView({block: 'nearest'})
    })
    return element
  })
  // A reader who closes the page now has answered all the same.
  put(name, next(card, right ? GOOD : AGAIN, now))
  place('ratings').replaceChildren(...buttons)
  place('after').hidden = false
  place('spoken').textContent = words
  place('ratings').querySelector('.primary').focus({preventScroll: true})
  place('after').scrollIntoView({block: 'nearest'})
}

// The question, which takes the focus when it changes.
function section() {
  const element = place('question').querySelector('.exercise')
  element.tabIndex = -1
  return element
}

button('more').addEventListener('click', () => {
  const waiting = due(all, Date.now())
  sit(waiting.length ? waiting.slice(0, MOST) : soonest(all).slice(0, FEW))
  section().focus({preventScroll: true})
})

button('anki').addEventListener('click', () => {
  const notes = [...all.keys()].map(name => note(name, /** @type {HTMLTemplateElement} */ (templates.get(name))))
  saveFile(new Blob([anki(notes)], {type: 'text/plain;charset=utf-8'}), 'skip-connections.txt')
})

button('calendar').addEventListener('click', () => {
  const dues = [...all.values()].map(card => card.due)
  const address = location.href.replace(/[?#].*/, '')
  saveFile(new Blob([calendar(dues, Date.now(), address)], {type: 'text/calendar;charset=utf-8'}), 'questions.ics')
})

const waiting = store.keeps() ? due(all, Date.now()) : []
if (waiting.length) sit(waiting.slice(0, MOST))
else rest()
