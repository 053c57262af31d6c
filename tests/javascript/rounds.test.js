import assert from 'node:assert/strict'
import {test} from 'node:test'
import {csv, row, status} from '../../app/static/classroom/counts.js'
import {pair, rounds} from '../../app/static/exercises/inventory/rounds.js'

const OPTIONS = {'A-sum': 3, 'A-cut': 2, 'B-sum': 3, 'B-cut': 2}
const BOTH = {first: 'B', 'A-done': 2, 'B-done': 1, 'A-sum': 3, 'A-cut': 0, 'B-sum': 1, 'B-cut': 2}

test('both rounds are one message, without the times at which they were handed in', () => {
  assert.deepEqual(pair(BOTH, OPTIONS), {first: 'B', answers: {'A-sum': 3, 'A-cut': 0, 'B-sum': 1, 'B-cut': 2}})
  assert.deepEqual(rounds(BOTH), ['B', 'A'])
})

test('there is no message before both rounds are handed in', () => {
  for (const missing of ['A-done', 'B-done', 'first'])
    assert.equal(pair({...BOTH, [missing]: undefined}, OPTIONS), null, missing)
  assert.equal(pair({}, OPTIONS), null)
  assert.equal(pair({...BOTH, first: 'C'}, OPTIONS), null)
  assert.equal(pair({...BOTH, 'A-done': 'yes'}, OPTIONS), null)
})

test('what a file brought that is no option counts as not known, and nothing else of it is sent', () => {
  for (const odd of [4, -1, 1.5, '1', true, null, undefined, [1], NaN, Infinity])
    assert.equal(pair({...BOTH, 'A-sum': odd}, OPTIONS).answers['A-sum'], 0, String(odd))
  assert.deepEqual(Object.keys(pair({...BOTH, 'A-name': 1, name: 'x'}, OPTIONS).answers), Object.keys(OPTIONS))
})

test('a row has both margins and the four cells of the two-way table', () => {
  assert.deepEqual(
    row([
      [4, 1],
      [6, 2],
    ]),
    [5, 10, 4, 1, 6, 2],
  )
})

test('the teacher is told how many are missing to a table', () => {
  const table = {people: 12, concepts: {}, misconceptions: {}}
  const words = (sent, shown = null) => status({sent, mine: false, table: shown})
  assert.deepEqual(words(9), {
    enough: false,
    words: '9 of 10 have sent both rounds. From 10 on you can see the table.',
  })
  assert.deepEqual(words(10), {enough: true, words: '10 have sent both rounds.'})
  assert.deepEqual(words(12, table), {
    enough: false,
    words: 'The table has the answers of 12 people. 10 new ones are needed to show it again.',
  })
  assert.match(words(13, table).words, /1 has sent since/)
  assert.deepEqual(words(22, table), {
    enough: true,
    words: 'The table has the answers of 12 people. 10 have sent since.',
  })
})

test('the file has one table, and commas and quotation marks stay within their cells', () => {
  const lines = csv(
    [{name: 'A, B', numbers: [5, 10, 4, 1, 6, 2]}],
    [{name: 'It says “x” and "y"', numbers: [3, 0]}],
  ).split('\r\n')
  assert.deepEqual(lines, [
    'part,name,before,after,both,only before,only after,neither',
    'right,"A, B",5,10,4,1,6,2',
    'believed,"It says “x” and ""y""",3,0,,,,',
    '',
  ])
})
