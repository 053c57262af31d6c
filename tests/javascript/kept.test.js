import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {Kept, draws} from '../../app/static/bokeh/kept.js'

// Models with properties, and a document that takes changes in as Bokeh's does.
class Model {
  constructor(id, values) {
    Object.assign(this, {id, values, tags: [], changes: 0})
    this.properties = Object.fromEntries(Object.keys(values).map(key => [key, {get_value: () => this.values[key]}]))
  }

  setv(values) {
    Object.assign(this.values, values)
    this.changes += 1
  }
}

let models, heard, kept

const change = (id, attr, value) => ({kind: 'ModelChanged', model: {id}, attr, new: value})
const message = {kind: 'MessageSent', msg_type: 'live', msg_data: {asked: 1}}

beforeEach(() => {
  models = [new Model('a', {x: 1, y: 2}), new Model('b', {x: 3})]
  models[0].tags = ['ink:x', {control: 'depth'}, null]
  heard = []
  const find = id => models.find(model => model.id === id) ?? null
  kept = new Kept({
    _all_models: new Map(models.map(model => [model.id, model])),
    get_model_by_id: find,
    apply_json_patch: ({events}) => {
      for (const {model, attr, new: value, msg_data: data} of events)
        if (model) find(model.id)?.setv({[attr]: value})
        else heard.push(data)
    },
  })
})

test('models are found by tag', () => {
  assert.deepEqual(
    kept.tagged('control').map(({model, tag}) => [model.id, tag.control]),
    [['a', 'depth']],
  )
})

test('a whole state takes back what the one before has changed', () => {
  kept.apply([change('a', 'x', 10), change('b', 'x', 30)], {whole: true})
  kept.apply([change('a', 'y', 20)], {whole: true})
  assert.deepEqual([models[0].values, models[1].values], [{x: 1, y: 20}, {x: 3}])
})

test('a change that is not whole adds to what is shown', () => {
  kept.apply([change('a', 'x', 10)])
  kept.apply([change('a', 'y', 20)])
  assert.deepEqual(models[0].values, {x: 10, y: 20})
  kept.apply([], {whole: true})
  assert.deepEqual(models[0].values, {x: 1, y: 2})
})

test('a snapshot is shown again, with what was not changed yet at the time', () => {
  kept.apply([change('a', 'x', 10)])
  const then = kept.snapshot()
  kept.apply([change('a', 'x', 11), change('b', 'x', 30)])
  const now = kept.snapshot()
  kept.restore(then)
  assert.deepEqual([models[0].values, models[1].values], [{x: 10, y: 2}, {x: 3}])
  kept.restore(now)
  assert.deepEqual([models[0].values, models[1].values], [{x: 11, y: 2}, {x: 30}])
})

test('what is changed again is not set back in between', () => {
  kept.apply([change('a', 'x', 10)], {whole: true})
  const {changes} = models[0]
  kept.apply([change('a', 'x', 11)], {whole: true})
  assert.equal(models[0].changes, changes + 1)
})

test('messages are heard with a state, and are no part of the picture', () => {
  kept.apply([change('a', 'x', 10), message], {whole: true})
  assert.deepEqual(heard, [{asked: 1}])
  assert.equal(draws([message]), false)
  assert.equal(draws([message, change('a', 'x', 1)]), true)
})
