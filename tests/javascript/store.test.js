import assert from 'node:assert/strict'
import {test} from 'node:test'
import {FakeLocks, FakeStorage, load} from './page.js'

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

test('one judged claim is one thing brought in, whatever is stored about it', async () => {
  const first = await store()
  first.keep('A-01', 'agree', 'claims')
  first.outcome('A-01', true, 'claims')
  first.keep('claims.A-01', {due: 1}, 'cards')
  const file = JSON.stringify({answers: first.answers()})
  const second = await store()
  assert.equal(second.bring(file), 1)
  assert.deepEqual(second.answers(), first.answers())
  assert.equal(second.bring('{"answers": {"read": {"arena": true}}}'), 0)
})

test('a file from elsewhere brings only what an exercise could have kept', async () => {
  const {bring, answers} = await store()
  assert.equal(bring('no JSON'), null)
  assert.equal(bring('{"answers": [1]}'), null)
  assert.equal(bring('null'), null)
  assert.equal(bring('{"answers": {}}'), null)
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
  const tab = new FakeStorage()
  for (const locks of [undefined, new FakeLocks()]) {
    const {claimReader} = await store({tab, locks})
    const reader = await claimReader()
    assert.match(reader, /^[\w-]{10,}$/)
    assert.equal(tab.reader, reader)
    assert.equal(await claimReader(), reader)
  }
})

test('a duplicated tab takes another name, and keeps it', async context => {
  context.mock.timers.enable({apis: ['setTimeout']})
  const [tab, locks] = [new FakeStorage(), new FakeLocks()]
  const first = await (await store({tab, locks})).claimReader()
  const copy = Object.assign(new FakeStorage(), {reader: tab.reader})
  const second = await store({tab: copy, locks})
  const claimed = second.claimReader()
  context.mock.timers.tick(1_000)
  const other = await claimed
  assert.notEqual(other, first)
  assert.deepEqual([tab.reader, copy.reader, await second.claimReader()], [first, other, other])
  assert.deepEqual([...locks.held.keys()], [`reader ${first}`, `reader ${other}`])
})

test('the next page of a tab has its name, even if the page before lets go of it late', async context => {
  context.mock.timers.enable({apis: ['setTimeout']})
  const [tab, locks] = [new FakeStorage(), new FakeLocks()]
  const page = await load('shared/store.js', {tab, locks})
  const reader = await page.module.claimReader()
  const next = await store({tab, locks})
  const claimed = next.claimReader()
  context.mock.timers.tick(500)
  page.press('pagehide')
  assert.equal(await claimed, reader)
  context.mock.timers.tick(1_000)
  assert.equal(await next.claimReader(), reader)
})

test('a page that comes back asks for its name again', async () => {
  const [tab, locks] = [new FakeStorage(), new FakeLocks()]
  const page = await load('shared/store.js', {tab, locks})
  const reader = await page.module.claimReader()
  page.press('pagehide')
  await Promise.all(locks.held.values())
  assert.equal(await page.module.claimReader(), reader)
  assert.deepEqual([...locks.held.keys()], [`reader ${reader}`])
})

test('frames of one page share its name, and a browser that refuses locks changes nothing', async () => {
  const [tab, locks] = [new FakeStorage(), new FakeLocks()]
  const refusing = {request: () => Promise.reject(new Error('SecurityError'))}
  const names = []
  for (const options of [{locks}, {locks, top: {}}, {locks: refusing}])
    names.push(await (await store({tab, ...options})).claimReader())
  assert.equal(new Set(names).size, 1)
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
