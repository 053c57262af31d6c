import assert from 'node:assert/strict'
import {test} from 'node:test'
import {mainPlots, resize, sizesOf} from '../../app/static/figure/layout/main-plots.js'

const plot = (height, styles = {}, max_width = null) => ({
  type: 'Figure',
  height,
  styles,
  max_width,
  setv(values) {
    Object.assign(this, values)
  },
})

test('only the plots of the main picture count, in the order of the layout', () => {
  const [first, second, measure] = [plot(1), plot(2), plot(3)]
  const column = {css_classes: ['stage-figures'], children: [{children: [first]}, second]}
  assert.deepEqual(mainPlots({models: [measure, second, first, column]}), [first, second])
  assert.deepEqual(mainPlots({models: [measure]}), [])
})

test('a plot gets a share of its sizes, and has them back afterwards', () => {
  const model = plot(200, {height: 'clamp(200px, 35vw, 500px)', color: 'x'}, 300)
  const own = sizesOf(model)
  resize(model, own, 1)
  assert.deepEqual(model.styles, {height: '200px', color: 'x'})
  resize(model, own, 1.5)
  assert.deepEqual(sizesOf(model), {height: 300, styles: {height: '300px', color: 'x'}, max_width: 450})
  resize(model, own, null)
  assert.deepEqual(sizesOf(model), own)
})

test('a plot as high as its width asks for stays so', () => {
  const model = plot(null)
  resize(model, sizesOf(model), 2)
  assert.equal(model.height, null)
})
