// Figures of a static copy, which has files and no server.
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {load} from './page.js'

const element = () => ({
  dataset: {},
  addEventListener() {},
  querySelector: element,
  querySelectorAll: () => [],
  replaceChildren() {},
})
globalThis.ResizeObserver = class {
  observe() {}
}
const {pageLink} = (await load('shared/static-copy.js', {attributes: ['data-static']})).module
const {Panel} = (await load('figure/panel.js', {attributes: ['data-static']})).module
document.createElement = element

test('links to pages name files', () => {
  assert.equal(pageLink('./'), 'index.html')
  assert.equal(pageLink('./#about'), 'index.html#about')
  assert.equal(pageLink('arena'), 'arena.html')
  assert.equal(pageLink('gradient-paths?floor.gain=0.4&v=2#floor'), 'gradient-paths.html?floor.gain=0.4&v=2#floor')
})

test('the link to the next figure names a file when its settings have changed', () => {
  const link = element()
  const figure = {...element(), id: 'toy', querySelector: name => (name === '.next-link a' ? link : element())}
  const panel = new Panel({figure, name: 'toy', initial: {}, session: {unable: ''}, film: {}, note() {}})
  panel.show({
    ...{values: {}, defaults: {}, status: 'ready', notes: [], disclosure: {}, message: ''},
    nextLink: {words: 'Build it', address: 'recipes?recipes.start=shrink&v=2#recipes'},
  })
  assert.deepEqual([link.href, link.textContent], ['recipes.html?recipes.start=shrink&v=2#recipes', 'Build it'])
})
