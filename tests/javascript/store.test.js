import assert from 'node:assert/strict'
import {test} from 'node:test'
import {FakeStorage, load} from './page.js'

const store = async (options = {}) => {
  const {module, heard} = await load('shared/store.js', options)
  return {...module, heard}
}

test('an answer is kept for the page, and announced', async () => {
  const {keep, answer, answers, heard} = await store()
  assert.equal(answer('first'), undefined)
  keep('first', 3)
  assert.equal(answer('first'), 3)
  assert.deepEqual(answers(), {toy: {first: 3}})
  assert.deepEqual(
    heard.map(event => event.type),
    ['answered'],
  )
})

test('whether an answer came out is announced once', async () => {
  const {outcome, answers, OUTCOMES, heard} = await store()
  outcome('first', true)
  outcome('first', true)
  assert.deepEqual(answers()[OUTCOMES], {'toy.first': true})
  assert.equal(heard.length, 1)
  outcome('first', false)
  assert.equal(heard.length, 2)
})

test('a browser that keeps nothing is asked in vain, and nothing fails', async () => {
  const {keep, answers, get, erase} = await store({storage: new FakeStorage(true)})
  keep('first', 3)
  erase()
  assert.deepEqual(answers(), {})
  assert.equal(get('theme'), null)
})

test('what is no JSON, or no object, counts as nothing', async () => {
  const storage = new FakeStorage()
  const {answers} = await store({storage})
  for (const text of ['{', '3', 'null', '"a"']) {
    storage.setItem('answers', text)
    assert.deepEqual(answers(), {})
  }
})

test('a file brings answers in front of those that are here', async () => {
  const {bring, keep, answers} = await store()
  keep('first', 1)
  keep('second', 2)
  const count = bring(
    JSON.stringify({answers: {toy: {first: 'other', third: {said: 'yes', sure: 80}}, claims: {'A-01': 'agree'}}}),
  )
  assert.equal(count, 3)
  assert.deepEqual(answers(), {
    toy: {first: 'other', second: 2, third: {said: 'yes', sure: 80}},
    claims: {'A-01': 'agree'},
  })
})

test('a file from elsewhere brings only what an exercise could have kept', async () => {
  const {bring, answers} = await store()
  assert.equal(bring('no JSON'), 0)
  assert.equal(bring('{"answers": [1]}'), 0)
  assert.equal(bring('null'), 0)
  const hostile = `{"answers": {
    "__proto__": {"polluted": 1}, "<b>": {"a": 1}, "toy": {
      "__proto__": 1, "a b": 1, "deep": [[1]], "nothing": null, "long": "${'x'.repeat(2001)}",
      "many": [${Array(501).fill(0)}], "fine": [1, 2]
    }}}`
  assert.equal(bring(hostile), 1)
  assert.deepEqual(answers(), {toy: {fine: [1, 2]}})
  assert.equal({}.polluted, undefined)
})

test('where nothing is kept, nothing was brought in', async () => {
  const {bring} = (await load('shared/store.js', {storage: new FakeStorage(true)})).module
  assert.throws(() => bring('{"answers": {"toy": {"fine": 1}}}'), /does not keep/)
})

test('erasing takes answers and the way through the site, and leaves colors', async () => {
  const {keep, set, get, erase, answers, ROUTE} = await store()
  keep('first', 1)
  set(ROUTE, 'short')
  set('theme', 'dark')
  erase()
  assert.deepEqual([answers(), get(ROUTE), get('theme')], [{}, null, 'dark'])
})

test('the name of a tab stays the same in it', async () => {
  const {reader} = await store()
  assert.match(reader, /^[\w-]{10,}$/)
})

test('what was erased can be brought back, and an answer given since stays', async () => {
  const {keep, erase, erased, restore, answers} = await store()
  keep('first', 3)
  keep('second', 'a')
  assert.equal(erased(), false)
  erase()
  assert.deepEqual(answers(), {})
  keep('first', 4)
  assert.equal(erased(), true)
  restore()
  assert.deepEqual(answers(), {toy: {first: 4, second: 'a'}})
  assert.equal(erased(), false)
})

test('showing all answers is remembered until it is taken back', async () => {
  const {showAll, showsAll} = await store()
  assert.equal(showsAll(), false)
  showAll(true)
  assert.equal(showsAll(), true)
  showAll(false)
  assert.equal(showsAll(), false)
})

test('where a run was is known until it is forgotten, for each figure of the page', async () => {
  const {keepRun, leftRun} = await store()
  assert.equal(leftRun('arena'), null)
  const run = {values: {depth: '8'}, step: 34, here: true}
  keepRun('arena', run)
  assert.deepEqual(leftRun('arena'), run)
  assert.equal(leftRun('sweep'), null)
  keepRun('arena', null)
  assert.equal(leftRun('arena'), null)
  sessionStorage.setItem('run toy arena', 'nonsense')
  assert.equal(leftRun('arena'), null)
})
