import assert from 'node:assert/strict'
import {mock, test} from 'node:test'
import {load} from './page.js'

const figure = (former = {}, parameters = 'depth skip') => ({dataset: {former: JSON.stringify(former), parameters}})
const address = (search, figures = {toy: figure()}, from = null) =>
  load('shared/address.js', {search, elements: figures, from})

test('a page reads the parameters of each figure from its query', async () => {
  const {module} = await address('?toy.depth=8&toy.skip=1%2FL&other.depth=3&v=2', {toy: figure(), other: figure()})
  assert.deepEqual(module.read('toy'), {depth: '8', skip: '1/L'})
  assert.deepEqual(module.read('other'), {depth: '3'})
  assert.equal(module.version('toy'), '2')
})

test('without parameters there is no version either', async () => {
  const {module} = await address('?v=1')
  assert.deepEqual(module.read('toy'), {})
  assert.equal(module.version('toy'), '')
})

test('a figure alone has its parameters without a name in front, and only those that it has', async () => {
  const {module} = await address('?depth=8&theme=dark&v=2', {toy: figure()}, {href: 'https://example.org/chapter'})
  assert.deepEqual(module.read('toy'), {depth: '8'})
  assert.equal(String(module.url('toy', {depth: '9'})), 'https://example.org/chapter?toy.depth=9&v=2')
})

test('a former name is read under the new one, and said so; the new name wins', async () => {
  const {module} = await address('?toy.layers=4&toy.depth=8', {toy: figure({renamed: {layers: 'depth'}})})
  assert.deepEqual(module.read('toy'), {depth: '8'})
  assert.equal(module.notes('toy').length, 1)
  assert.match(module.notes('toy')[0], /“layers” what is now called “depth”/)
  assert.deepEqual(module.notes('other'), [])
})

test('a link of before gets what it left unsaid, if it says anything', async () => {
  const former = {unsaid: {1: {skip: 'no'}}}
  assert.deepEqual((await address('?toy.depth=8&v=1', {toy: figure(former)})).module.read('toy'), {
    depth: '8',
    skip: 'no',
  })
  assert.deepEqual((await address('?toy.depth=8&v=2', {toy: figure(former)})).module.read('toy'), {depth: '8'})
  assert.deepEqual((await address('?v=1', {toy: figure(former)})).module.read('toy'), {})
})

test('a link says its version where it sets anything', async () => {
  const {module} = await address('')
  assert.equal(module.link('toy', {depth: '8'}), '?toy.depth=8&v=2#toy')
  assert.equal(module.link('toy', {}), '?#toy')
})

test('writing is gathered, keeps what others say, and takes back what is as it was', async () => {
  mock.timers.enable({apis: ['setTimeout']})
  const {module, location} = await address('?toy.depth=8&toy.gone=1&other.a=1&present=toy')
  module.write('toy', {depth: '9'})
  module.write('toy', {depth: '10', skip: 'yes'})
  assert.equal(location.search, '?toy.depth=8&toy.gone=1&other.a=1&present=toy')
  mock.timers.tick(350)
  assert.equal(location.search, '?other.a=1&present=toy&toy.depth=10&toy.skip=yes&v=2')
  module.write('toy', {})
  mock.timers.tick(350)
  assert.equal(location.search, '?other.a=1&present=toy&v=2')
  mock.timers.reset()
})

test('the version goes when the last parameter goes', async () => {
  mock.timers.enable({apis: ['setTimeout']})
  const {module, location} = await address('?toy.depth=8&v=1')
  module.write('toy', {})
  mock.timers.tick(350)
  assert.equal(location.search, '')
  assert.equal(module.version('toy'), '')
  mock.timers.reset()
})
