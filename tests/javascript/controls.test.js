// What the button says that starts a run.
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {load} from './page.js'

const {module} = await load('figure/controls.js')
const {Controls, lasting} = module
globalThis.Bokeh = {index: {find_one: () => null}}

test('an estimate is no more precise than it can be', () => {
  assert.deepEqual([3, 8.2, 12, 41, 58, 130].map(lasting), ['3 s', '9 s', '10 s', '40 s', '1 min', '2 min'])
})

test('what is not trained yet is offered, with the time it takes', () => {
  const button = (does, more) => ({
    ...{model: {setv: values => Object.assign(button[does], values), on_event() {}, ...more}, tag: {does}},
  })
  const tagged = ['play', 'pause', 'step', 'end'].map(does => button(does, {label: does === 'play' ? 'Train' : does}))
  for (const {model, tag} of tagged) button[tag.does] = model
  const speed = {value: '0.5', properties: {value: {change: {connect() {}}}}}
  const picture = {tagged: name => (name === 'does' ? [...tagged, {model: speed, tag: {does: 'speed'}}] : [])}
  globalThis.addEventListener ??= () => {}
  const controls = new Controls(picture, {addEventListener() {}}, {})
  const said = live => {
    controls.offer({status: 'ready', step: 0, steps: 9, ...live})
    return button.play.label
  }
  assert.equal(said({}), 'Train this')
  assert.equal(said({seconds: 4}), 'Train this (about 8 s)') // at half the speed
  assert.equal(said({kept: true}), 'Train')
  assert.equal(said({status: 'running', playing: true}), 'Train')
  assert.equal(said({status: 'paused', step: 3}), 'Train')
})

test('a control is disabled where it does nothing', () => {
  const widget = (type, value, tag) => {
    const model = {type, ...value, properties: {value: {change: {connect() {}}}, active: {change: {connect() {}}}}}
    model.setv = values => Object.assign(model, values)
    return {model, tag}
  }
  const join = widget(
    'RadioButtonGroup',
    {active: 0},
    {
      control: 'join',
      options: [
        ['add', 'Add'],
        ['gate', 'Gate'],
      ],
    },
  )
  const bias = widget('Slider', {value: -2}, {control: 'bias', needs: ['join', 'gate']})
  const controls = new Controls({tagged: name => (name === 'control' ? [join, bias] : [])}, {addEventListener() {}}, {})
  const disabled = values => {
    controls.show(values)
    return bias.model.disabled
  }
  assert.equal(disabled({join: 'add'}), true)
  assert.equal(disabled({join: 'gate', bias: '1'}), false)
  assert.equal(bias.model.value, 1)
  assert.equal(join.model.disabled, undefined)
})
