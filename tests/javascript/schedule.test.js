import assert from 'node:assert/strict'
import {test} from 'node:test'
import {FakeStorage, load} from './page.js'

const DAY = 86_400_000
const NOW = Date.UTC(2027, 0, 31, 9)

const schedule = async (answers = {}) => {
  const storage = new FakeStorage()
  storage.setItem('answers', JSON.stringify(answers))
  return (await load('exercises/review/schedule.js', {storage})).module
}

test('a question comes back after a day if it was missed, and later if it was known', async () => {
  const {first} = await schedule()
  const missed = first(false, NOW),
    known = first(true, NOW)
  assert.equal(missed.due, NOW + DAY)
  assert.ok(known.due >= NOW + 2 * DAY)
  assert.ok(known.difficulty < missed.difficulty)
})

test('pauses grow with each answer that is known, and a miss makes them short again', async () => {
  const {first, next, AGAIN, GOOD} = await schedule()
  let card = first(true, NOW)
  const pauses = []
  for (let time = 0; time < 5; time += 1) {
    const now = card.due
    card = next(card, GOOD, now)
    pauses.push((card.due - now) / DAY)
  }
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  )
  assert.ok(pauses[4] > 10 * pauses[0])
  const missed = next(card, AGAIN, card.due)
  assert.ok(missed.due - card.due < pauses[4] * DAY)
  assert.equal(missed.lapses, 1)
  assert.equal(missed.reps, 7)
})

test('the easier it was, the later it comes back', async () => {
  const {first, next, AGAIN, HARD, GOOD, EASY} = await schedule()
  const card = first(true, NOW)
  const dues = [AGAIN, HARD, GOOD, EASY].map(grade => next(card, grade, card.due).due)
  assert.deepEqual(
    dues,
    [...new Set(dues)].toSorted((a, b) => a - b),
  )
})

test('only questions that exist and were answered have a card', async () => {
  const {cards} = await schedule({
    met: {'toy.a': {at: NOW, right: true}, 'toy.gone': {at: NOW, right: true}, 'toy.odd': {at: 'x', right: true}},
    outcomes: {'toy.old': false},
  })
  const all = cards(['toy.a', 'toy.old', 'toy.new', 'toy.odd'], NOW)
  assert.deepEqual([...all.keys()], ['toy.a', 'toy.old'])
  assert.equal(all.get('toy.old').due, NOW + DAY)
})

test('a stored card counts, unless somebody has broken it', async () => {
  const {first} = await schedule()
  const card = {...first(true, NOW), due: NOW + 40 * DAY}
  const met = {'toy.a': {at: NOW, right: true}}
  for (const [stored, due] of [
    [card, card.due],
    [{...card, stability: -1}, first(true, NOW).due],
    [{...card, due: 'soon'}, first(true, NOW).due],
    [{...card, difficulty: -5}, first(true, NOW).due], // the scheduler refuses this one and the next
    [{...card, stability: 1e-300}, first(true, NOW).due],
    [{...card, last: 1e300}, first(true, NOW).due],
    [null, first(true, NOW).due],
  ]) {
    const module = await schedule({met, cards: {'toy.a': stored}})
    assert.equal(module.cards(['toy.a'], NOW).get('toy.a').due, due)
  }
})

test('what has waited longest comes first', async () => {
  const {due, soonest, first} = await schedule()
  const all = new Map([
    ['b', first(true, NOW)],
    ['a', first(false, NOW)],
    ['c', first(false, NOW + 9 * DAY)],
  ])
  assert.deepEqual(soonest(all), ['a', 'b', 'c'])
  assert.deepEqual(due(all, NOW), [])
  assert.deepEqual(due(all, NOW + 5 * DAY), ['a', 'b'])
})

test('a pause is said in words', async () => {
  const {wait} = await schedule()
  const words = [-3, 0.2, 1, 3, 99, 150, 730].map(days => wait(NOW + days * DAY, NOW))
  assert.deepEqual(words, ['today', 'today', 'tomorrow', 'in 3 days', 'in 99 days', 'in 5 months', 'in 2 years'])
})
