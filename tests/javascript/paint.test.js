// Palettes of maps in the colors of a theme.
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {repainted} from '../../app/static/bokeh/paint.js'

test('a palette takes the colors of the theme, and its opacities stay', () => {
  const palette = ['#8e50b3ff', '#8e50b340', '#2b916800', '#2b9168ff', '#00000000']
  const colors = {positive: '#6fe0b2', negative: '#d59cf5'}
  const now = repainted(
    palette,
    [
      ['#2b9168', 'positive'],
      ['#8e50b3', 'negative'],
    ],
    name => colors[/** @type {'positive' | 'negative'} */ (name)],
  )
  assert.deepEqual(now, ['#d59cf5ff', '#d59cf540', '#6fe0b200', '#6fe0b2ff', '#00000000'])
})
