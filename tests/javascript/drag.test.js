import assert from 'node:assert/strict'
import test from 'node:test'
import {drag} from '../../app/static/shared/drag.js'

const pointer = (type, pointerId) => Object.assign(new Event(type), {pointerId})

function dragged() {
  const element = Object.assign(new EventTarget(), {captured: [], setPointerCapture: id => element.captured.push(id)})
  const seen = []
  const note = event => seen.push(event.type)
  drag(element, pointer('pointerdown', 1), note, note)
  return {element, seen}
}

test('a drag follows its pointer until it is released', () => {
  const {element, seen} = dragged()
  for (const type of ['pointermove', 'pointerup', 'pointermove', 'pointerup']) element.dispatchEvent(pointer(type, 1))
  assert.deepEqual(seen, ['pointermove', 'pointerup'])
  assert.deepEqual(element.captured, [1])
})

test('a second finger neither moves a drag nor ends it', () => {
  const {element, seen} = dragged()
  for (const type of ['pointermove', 'pointerup', 'pointercancel']) element.dispatchEvent(pointer(type, 2))
  assert.deepEqual(seen, [])
  element.dispatchEvent(pointer('pointercancel', 1))
  assert.deepEqual(seen, ['pointercancel'])
})
