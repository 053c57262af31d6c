import assert from 'node:assert/strict'
import {test} from 'node:test'
import {tall} from '../../app/static/figure/layout/tall.js'

/** @param {number | null} height @param {object} styles */
const plot = (height, styles = {}) => ({
  type: 'Figure',
  height,
  styles,
  /** @param {object} values @param {object} how */
  setv(values, how) {
    assert.deepEqual(how, {sync: false})
    Object.assign(this, values)
  },
})

/** @param {any[]} plots */
const kept = (...plots) =>
  /** @type {any} */ ({models: [...plots, {css_classes: ['stage-figures'], children: [{children: plots}]}]})

test('two plots side by side share a row, and both grow to the height of the picture', () => {
  const [one, other] = [plot(258), plot(250)]
  tall(kept(one, other), 900)
  assert.deepEqual([one.height, other.height], [480, 465])
})

test('a plot for another kind of screen takes no part of the height', () => {
  Object.assign(globalThis, {matchMedia: (/** @type {string} */ query) => ({matches: query === '(min-width: 40em)'})})
  const [wide, narrow] = [
    {...plot(400, {'grid-column': '1 / -1'}), tags: [{hidden: '(max-width: 39.99em)'}]},
    {...plot(575, {'grid-column': '1 / -1'}), tags: ['x', {hidden: '(min-width: 40em)'}]},
  ]
  tall(kept(wide, narrow), 900)
  assert.deepEqual([wide.height, narrow.height], [480, 575])
})

test('the picture of the figure that carries its page is higher', () => {
  const carrying = plot(250)
  tall(kept(carrying), 1093, true)
  assert.equal(carrying.height, 520)
})

test('rows add up, and no plot grows by more than a factor', () => {
  const [wide, low] = [plot(150, {'grid-column': '1 / -1'}), plot(50)]
  tall(kept(wide, low), 900)
  assert.deepEqual([wide.height, low.height], [285, 95])
})

test('a height in the styles follows; a high picture, one without a height and a narrow page stay', () => {
  const styled = plot(200, {height: '200px'})
  tall(kept(styled), 900)
  assert.deepEqual([styled.height, styled.styles], [380, {height: '380px'}])
  const others = [plot(520), plot(null)]
  tall(kept(...others), 900)
  const narrow = plot(258)
  tall(kept(narrow), 390)
  assert.deepEqual(
    [...others, narrow].map(({height}) => height),
    [520, null, 258],
  )
})
