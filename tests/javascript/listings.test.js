import assert from 'node:assert/strict'
import {before, test} from 'node:test'
import {load} from './page.js'

let notebook
before(async () => {
  const {module} = await load('page/listings.js')
  notebook = source => JSON.parse(module.notebook(source))
})
const kinds = made => made.cells.map(each => each.cell_type)
const sources = made => made.cells.map(each => each.source.join(''))

test('the docstring of a module is words, and each part of it a cell of code', () => {
  const made = notebook('"""About this.\n\nMore."""\nimport numpy\n\n\ndef one():\n    pass\n\n\none()')
  assert.deepEqual(kinds(made), ['markdown', 'code', 'code', 'code'])
  assert.deepEqual(sources(made), ['About this.\n\nMore.', 'import numpy', 'def one():\n    pass', 'one()'])
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
  const made = notebook('"""About."""\nx = 1\ny = 2')
  assert.deepEqual([made.nbformat, made.nbformat_minor], [4, 5])
  assert.equal(new Set(made.cells.map(each => each.id)).size, 2)
  assert.deepEqual(made.cells[1].source, ['x = 1\n', 'y = 2'])
  assert.deepEqual(made.cells[1].outputs, [])
  assert.equal('outputs' in made.cells[0], false)
})
