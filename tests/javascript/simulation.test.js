// What a reader asks for while there is no session, or while an answer is under way.
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {load} from './page.js'

const element = () => ({
  dataset: {},
  style: {setProperty() {}},
  addEventListener() {},
  append() {},
  after() {},
  remove() {},
  hasAttribute: () => false,
  removeAttribute() {},
  toggleAttribute() {},
  dispatchEvent() {},
  querySelector: element,
  querySelectorAll: () => [],
  replaceChildren() {},
  closest: () => null,
})
globalThis.matchMedia = () => ({matches: false})
globalThis.ResizeObserver = class {
  observe() {}
}
globalThis.requestAnimationFrame = setImmediate
const {module} = await load('figure/simulation.js')
const {Shelf} = (await load('figure/shelf.js')).module
document.createElement = element

const DRAWN = {model: {id: 1}, attr: 'x'}
const passed = () => new Promise(setImmediate)

/** A figure with one parameter, `depth`, of which 1, 2 and 3 are prepared. */
function figure(training = false) {
  const stage = {...element(), dataset: {state: 'ready'}}
  const message = element()
  stage.querySelector = () => message
  const host = {...element(), id: 'toy', dataset: {simulation: 'toy', initial: ''}}
  host.querySelector = selector => (selector === '.stage' ? stage : selector === '.progress' ? null : element())
  const simulation = new module.Simulation(host)
  const live = depth => ({
    ...{values: {depth}, defaults: {depth: '1'}, status: 'ready', playing: false, training, notes: [], disclosure: {}},
    ...{asked: simulation.session.asked, description: `depth ${depth}`},
  })
  const state = depth => [DRAWN, {msg_type: 'live', msg_data: live(depth)}]
  Object.assign(simulation, {
    controls: {
      share: 1,
      offer() {},
      show: values => {
        simulation.depth = values.depth
      },
    },
    kept: {
      apply: events => {
        for (const {msg_type: type, msg_data: data} of events) if (type === 'live') simulation.show({...data})
      },
      snapshot: () => new Map(),
    },
    scrubbed: [['depth', ['1', '2', '3']]],
    first: state('1'),
  })
  simulation.panel.show = () => {}
  simulation.panel.progress = () => {}
  Object.assign(simulation.shelf, {states: {1: state('2'), 2: state('3')}, asked: Promise.resolve()})
  simulation.show(live('1'))
  simulation.at = 'first'
  return {simulation, live, message}
}

/** A server that answers when it is told to. */
function server({simulation, live}, training = false) {
  const served = {requests: [], opened: 0, refuses: ''}
  let values = {}
  served.answer = () => {
    const {n, values: set, initial} = served.requests.at(-1)
    Object.assign(values, set, initial)
    const data = {...live(''), training, values: {...values}, asked: n}
    simulation.session.changed([DRAWN, {msg_type: 'live', msg_data: data}])
  }
  const link = {close() {}, send() {}, request: request => served.requests.push(request)}
  simulation.session.openThere = sent => {
    served.opened += 1
    if (served.refuses) return simulation.session.refused(served.refuses)
    values = {...sent}
    return new Promise(resolve => {
      served.open = () => resolve(link)
    })
  }
  return served
}

/** A figure whose reader has pressed Train while the server was full. */
async function refused(t) {
  t.mock.timers.enable({apis: ['setTimeout']})
  const toy = figure(true)
  const served = server(toy, true)
  served.refuses = 'Many simulations are running on this server right now.'
  await toy.simulation.act('play')
  return {toy, served}
}

test('what is chosen while a session opens is what it shows', async () => {
  const toy = figure()
  const served = server(toy)
  toy.simulation.approached()
  await toy.simulation.setParameters({depth: '2'})
  served.open()
  await passed()
  served.answer()
  assert.deepEqual([served.requests[0].values, toy.simulation.depth], [{depth: '2'}, '2'])
})

test('a drag may end on a value that was prepared', async () => {
  const toy = figure(true)
  const served = server(toy)
  for (const depth of ['1.5', '1.7', '2']) {
    toy.simulation.setParameters({depth})
    await passed()
  }
  assert.equal(toy.simulation.depth, '2')
  served.open()
  await passed()
  served.answer()
  assert.equal(toy.simulation.depth, '2')
})

test('what is chosen is shown as chosen until it is answered', async () => {
  const toy = figure()
  const served = server(toy)
  const {session} = toy.simulation
  toy.simulation.setParameters({depth: '8'})
  await passed()
  assert.deepEqual(session.chosen, {depth: '8'})
  served.open()
  await passed()
  served.answer()
  await passed()
  toy.simulation.setParameters({depth: '9'})
  await passed()
  assert.deepEqual(session.chosen, {depth: '9'})
  served.answer()
  assert.deepEqual(session.chosen, {})
})

test('Reset counts while a session opens', async () => {
  const toy = figure(true)
  const served = server(toy)
  await toy.simulation.setParameters({depth: '2'})
  toy.simulation.act('play')
  toy.simulation.reset()
  served.open()
  await passed()
  assert.deepEqual(
    served.requests.map(request => request.do),
    ['show', 'play', 'reset'],
  )
})

test('Train is not forgotten where the server is full', async t => {
  const {toy, served} = await refused(t)
  assert.equal(toy.message.textContent, served.refuses)
  served.refuses = ''
  t.mock.timers.tick(1_000)
  served.open()
  await passed()
  assert.deepEqual(
    served.requests.map(request => request.do),
    ['show', 'play'],
  )
})

test('Pause takes back a press on Train that waits', async t => {
  const {toy, served} = await refused(t)
  await toy.simulation.act('pause')
  served.refuses = ''
  t.mock.timers.tick(1_000)
  assert.equal(served.opened, 1)
})

test('a change that a dead connection has swallowed is sent again', async t => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const toy = figure()
  const served = server(toy)
  toy.simulation.session.link = {request() {}, send() {}, close() {}}
  toy.simulation.setParameters({depth: '8'})
  await passed()
  toy.simulation.session.lost()
  t.mock.timers.tick(1_000)
  served.open()
  await passed()
  assert.deepEqual(served.requests[0].values, {depth: '8'})
})

test('a control keeps its value until the answer, whatever picture comes before it', async t => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const toy = figure(true)
  const {simulation, live} = toy
  const served = server(toy, true)
  simulation.session.connect()
  served.open()
  await passed()
  served.answer()
  simulation.setParameters({depth: '8'})
  await passed()
  simulation.session.changed([DRAWN, {msg_type: 'live', msg_data: {...live('1'), asked: 1}}])
  assert.equal(simulation.depth, '8')
  served.answer()
  assert.equal(simulation.depth, '8')
  simulation.session.changed([DRAWN, {msg_type: 'live', msg_data: live('7')}]) // the server has clamped it
  assert.equal(simulation.depth, '7')
})

test('files of the shelf are asked for again after a failure', async () => {
  const answers = [
    () => Promise.reject(new TypeError('offline')),
    () => Promise.resolve({ok: false, status: 503}),
    () => Promise.resolve({ok: true, text: async () => 'css'}),
  ]
  globalThis.fetch = () => answers.shift()()
  await assert.rejects(Shelf.sheet(), /offline/)
  await assert.rejects(Shelf.sheet(), /503/)
  assert.equal(await Shelf.sheet(), 'css')
  assert.equal(await Shelf.sheet(), 'css')
  const shelf = new Shelf('toy')
  let states = null
  globalThis.fetch = () => (states ? Promise.resolve({ok: true, json: async () => ({states})}) : Promise.reject())
  await shelf.atlas()
  assert.deepEqual(shelf.states, {})
  states = {1: []}
  await shelf.atlas()
  assert.deepEqual(shelf.states, states)
})

test('while a figure plays, control and sentence are those of its moment', () => {
  const {simulation, live} = figure()
  const said = []
  simulation.panel.say = text => said.push(text)
  simulation.panel.show = ({description}) => said.push(description)
  const film = {of: 'depth', sentences: {1: 'depth 1', 2: 'depth 2', 3: 'depth 3'}}
  simulation.show({...live('3'), film})
  simulation.follow('depth', 0) // before the first moment that can be set
  assert.deepEqual([simulation.depth, said.at(-1)], ['1', 'depth 1'])
  simulation.follow('depth', 2)
  assert.deepEqual([simulation.depth, said.at(-1)], ['2', 'depth 2'])
  simulation.show({...live('3'), film}) // a session that has opened meanwhile
  assert.deepEqual([simulation.depth, said.at(-1)], ['2', 'depth 2'])
  simulation.follow('depth', null)
  assert.deepEqual([simulation.depth, said.at(-1)], ['3', 'depth 3'])
})
