// When a question comes back: FSRS, from what this browser keeps of each answer. No part of this looks at the page.
import {createEmptyCard, fsrs, Rating, State} from '../../vendor/ts-fsrs/index.js'
import * as store from '../../shared/store.js'

export const CARDS = 'cards' // the name under which they are stored, next to the entries of the pages
const RETENTION = 0.9 // the chance of still knowing an answer on the day when its question comes back
const DAY = 86_400_000

// Days, and no minutes: nobody waits on this page for a question to come back.
const scheduler = fsrs({enable_short_term: false, request_retention: RETENTION})

export const AGAIN = Rating.Again,
  HARD = Rating.Hard,
  GOOD = Rating.Good,
  EASY = Rating.Easy

/** @typedef {1 | 2 | 3 | 4} Grade */
/**
 * @typedef {object} Card a question that was answered at least once; times are in milliseconds since 1970
 * @property {number} due
 * @property {number} last when it was answered last
 * @property {number} stability in days
 * @property {number} difficulty 1 to 10
 * @property {number} reps how often it was answered
 * @property {number} lapses how often it was missed after it had been known
 */

/** @param {import('../../vendor/ts-fsrs/index.js').Card} card @param {number} now @returns {Card} */
function kept({due, stability, difficulty, reps, lapses}, now) {
  return {due: due.getTime(), last: now, stability, difficulty, reps, lapses}
}

// The card of a question that was answered on its page.
/** @param {boolean} right @param {number} at @returns {Card} */
export function first(right, at) {
  const when = new Date(at)
  return kept(scheduler.next(createEmptyCard(when), when, right ? GOOD : AGAIN).card, at)
}

// The card after another answer.
/** @param {Card} card @param {Grade} grade @param {number} now @returns {Card} */
export function next(card, grade, now) {
  const {due, last, ...rest} = card
  const days = (/** @type {number} */ from, /** @type {number} */ to) => Math.max(Math.round((to - from) / DAY), 0)
  const before = {
    ...rest,
    due: new Date(due),
    last_review: new Date(last),
    state: State.Review,
    learning_steps: 0,
    elapsed_days: days(last, now),
    scheduled_days: days(last, due),
  }
  return kept(scheduler.next(before, new Date(Math.max(now, last)), grade).card, now)
}

const NUMBERS = /** @type {const} */ (['due', 'last', 'stability', 'difficulty', 'reps', 'lapses'])

const STEADIEST = 36_500 // days
const LATEST = Date.UTC(3000, 0)

// A stored card may come from a file that somebody has edited. Without limits, the scheduler would refuse it.
/** @param {any} card @returns {card is Card} */
const isCard = card =>
  card !== null &&
  typeof card === 'object' &&
  NUMBERS.every(name => Number.isFinite(card[name])) &&
  between(card.stability, 0.001, STEADIEST) &&
  between(card.difficulty, 1, 10) &&
  between(card.due, 0, LATEST) &&
  between(card.last, 0, LATEST)

const between = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) =>
  least <= value && value <= most

// The cards of all questions that were answered, by "page.exercise".
/** @param {Iterable<string>} names the questions that exist @param {number} now @returns {Map<string, Card>} */
export function cards(names, now) {
  const {[CARDS]: stored = {}, [store.MET]: met = {}, [store.OUTCOMES]: outcomes = {}} = store.answers()
  /** @type {Map<string, Card>} */
  const all = new Map()
  for (const name of names) {
    const {at, right} = met[name] ?? {at: now, right: outcomes[name]}
    if (isCard(stored[name])) all.set(name, stored[name])
    else if (typeof right === 'boolean' && Number.isFinite(at)) all.set(name, first(right, at))
  }
  return all
}

// The names of the cards that are due, those that have waited longest first.
/** @param {Map<string, Card>} all @param {number} now */
export function due(all, now) {
  return soonest(all).filter(name => Number(all.get(name)?.due) <= now)
}

/** @param {Map<string, Card>} all */
export function soonest(all) {
  return [...all].sort(([, a], [, b]) => a.due - b.due).map(([name]) => name)
}

// How long until then, in words.
/** @param {number} then @param {number} now */
export function wait(then, now) {
  const days = Math.max(Math.round((then - now) / DAY), 0)
  if (days < 2) return days ? 'tomorrow' : 'today'
  if (days < 100) return `in ${days} days`
  return days < 700 ? `in ${Math.round(days / 30.4)} months` : `in ${Math.round(days / 365)} years`
}
