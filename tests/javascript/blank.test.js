import assert from 'node:assert/strict'
import {test} from 'node:test'
import {blank} from '../../app/static/bokeh/blank.js'

/** @param {string} type @param {string[]} tags @param {boolean} visible */
const model = (type, tags = [], visible = true) => ({
  type,
  tags,
  visible,
  /** @param {object} values @param {object} how */
  setv(values, how) {
    assert.deepEqual(how, {sync: false})
    Object.assign(this, values)
  },
})

test('results are hidden and come back, in place of what waits for them; axes, known marks and what was hidden stay', () => {
  const models = {
    line: model('GlyphRenderer'),
    known: model('GlyphRenderer', ['known']),
    unanswered: model('GlyphRenderer', ['unanswered'], false),
    off: model('GlyphRenderer', [], false),
    label: model('Label'),
    axis: model('LinearAxis'),
    readout: model('LinearAxis', ['result']),
  }
  const document = /** @type {any} */ ({_all_models: new Map(Object.entries(models))})
  const visible = () => Object.keys(models).filter(name => models[/** @type {keyof typeof models} */ (name)].visible)
  const show = blank(document)
  assert.deepEqual(visible(), ['known', 'unanswered', 'axis'])
  show()
  assert.deepEqual(visible(), ['line', 'known', 'label', 'axis', 'readout'])
})
