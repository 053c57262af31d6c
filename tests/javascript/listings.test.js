import assert from 'node:assert/strict'
import {before, test} from 'node:test'
import {load} from './page.js'

let notebook
before(async () => {
  const {module} = await load('page/text/listings.js')
  notebook = (source, words = '') => JSON.parse(module.notebook(source, words))
})
const kinds = result => result.cells.map(cell => cell.cell_type)
const sources = result => result.cells.map(cell => cell.source.join(''))

test('the docstring of a module is words, and each part of it a cell of code', () => {
  const result = notebook('"""About this.\n\nMore."""\nimport numpy\n\n\ndef one():\n    pass\n\n\none()')
  assert.deepEqual(kinds(result), ['markdown', 'code', 'code', 'code'])
  assert.deepEqual(sources(result), ['About this.\n\nMore.', 'import numpy', 'def one():\n    pass', 'one()'])
})

test('the license is the end of the words, or all of them', () => {
  assert.deepEqual(sources(notebook('"""About."""\nx = 1', 'MIT')), ['About.\n\nMIT', 'x = 1'])
  assert.deepEqual(sources(notebook('x = 1', 'MIT')), ['MIT', 'x = 1'])
})

test('a module without a docstring has cells of code only', () => {
  assert.deepEqual(kinds(notebook('import numpy\n')), ['code'])
  assert.deepEqual(notebook('').cells, [])
})

test('no cell begins inside a text in three quotes, or with an indented line', () => {
  const text = 'text = """a\n\n\nb"""'
  assert.deepEqual(sources(notebook(`import os\n\n\n${text}\n\n\nprint(text)`)), ['import os', text, 'print(text)'])
  const nested = 'class A:\n    x = 1\n\n\n    y = 2'
  assert.deepEqual(sources(notebook(nested)), [nested])
})

test('cells have what nbformat 4.5 asks for', () => {
  const result = notebook('"""About."""\nx = 1\ny = 2')
  assert.deepEqual([result.nbformat, result.nbformat_minor], [4, 5])
  assert.equal(new Set(result.cells.map(cell => cell.id)).size, 2)
  assert.deepEqual(result.cells[1].source, ['x = 1\n', 'y = 2'])
  assert.deepEqual(result.cells[1].outputs, [])
  assert.equal('outputs' in result.cells[0], false)
})
