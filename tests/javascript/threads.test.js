// Several threads share the networks of a run, and are one to the page.
import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {Threads, atMost, shared} from '../../app/static/training/threads/threads.js'

class FakeWorker {
  sent = []
  heard = {}
  isOver = false

  constructor() {
    FakeWorker.all.push(this)
  }

  addEventListener(type, listener) {
    this.heard[type] = listener
  }

  postMessage(task) {
    this.sent.push(task)
  }

  // Answers the last task of this run.
  answer(milliseconds = 1) {
    const {run, networks} = this.sent.findLast(({networks}) => networks)
    const progress = Object.fromEntries(Object.keys(networks).map(name => [name, {step: this.sent.length}]))
    this.heard.message({data: {kind: 'progress', run, networks: progress, variant: 'fused', milliseconds, watched: 0}})
  }

  terminate() {
    this.isOver = true
  }
}
globalThis.Worker = FakeWorker

const network = depth => ({architecture: {depth}})
const networks = {a: network(8), b: network(32), c: network(8), d: network(32), e: network(8)}
const names = shares => shares.map(Object.keys)

let news, lost, threads
beforeEach(() => {
  FakeWorker.all = []
  news = []
  lost = []
  threads = new Threads(2, {news: each => news.push(each), lost: reason => lost.push(reason)})
})

test('the page keeps a core for itself', () => {
  assert.deepEqual([1, 2, 3, 4, 16].map(atMost), [1, 1, 2, 3, 4])
})

test('deep networks are dealt out first, and no thread goes without', () => {
  assert.deepEqual(names(shared(networks, 2)), [
    ['b', 'a', 'e'],
    ['d', 'c'],
  ])
  assert.deepEqual(names(shared(networks, 1)), [['b', 'd', 'a', 'c', 'e']])
  assert.equal(shared(networks, 9).length, 5)
  const models = {
    one: {engine: 'language', architecture: {blocks: 1}},
    two: {engine: 'language', architecture: {blocks: 8}},
  }
  assert.deepEqual(names(shared(models, 2)), [['two'], ['one']])
})

test('there is one answer, when all have answered, in the order of the figure', () => {
  threads.send({kind: 'start', run: 1, networks})
  const [first, second] = FakeWorker.all
  second.answer(7)
  assert.equal(news.length, 0)
  first.answer(5)
  assert.equal(news.length, 1)
  assert.deepEqual(Object.keys(news[0].networks), ['a', 'b', 'c', 'd', 'e'])
  assert.equal(news[0].milliseconds, 7)
  threads.send({kind: 'advance', run: 1, steps: 3})
  assert.deepEqual(second.sent.at(-1), {kind: 'advance', run: 1, steps: 3})
  first.answer()
  second.answer()
  assert.equal(news.length, 2)
})

test('what is known of an earlier run is not told', () => {
  threads.send({kind: 'start', run: 1, networks})
  const [first, second] = FakeWorker.all
  first.answer()
  threads.send({kind: 'start', run: 2, networks})
  second.heard.message({data: {kind: 'progress', run: 1, networks: {}, milliseconds: 1}})
  assert.equal(news.length, 0)
  first.answer()
  second.answer()
  assert.deepEqual(
    news.map(({run}) => run),
    [2],
  )
})

test('other networks are shared by the threads that have started', () => {
  threads.send({kind: 'start', run: 1, networks: {a: network(8)}})
  FakeWorker.all[0].answer()
  threads.send({kind: 'advance', run: 1, steps: 1, networks})
  assert.equal(FakeWorker.all.length, 1)
  FakeWorker.all[0].answer()
  assert.deepEqual(Object.keys(news[1].networks), Object.keys(networks))
})

test('one failure is enough, is told once, and ends all threads', () => {
  threads.send({kind: 'start', run: 1, networks})
  const all = FakeWorker.all
  for (const worker of all) worker.heard.message({data: {kind: 'failed', run: 1, message: 'No.'}})
  assert.deepEqual(lost, ['No.'])
  assert.ok(all.every(({isOver}) => isOver))
})
