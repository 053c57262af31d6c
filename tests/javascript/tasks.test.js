// The explorer knows the task that it is asked for, or says which one it does not know.
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {described} from '../../app/static/training/explorer/networks.js'

test('a task has a sentence and a number of classes', () => {
  const {sentence, classes} = described({task: 'blobs', feed_x1: 'yes'})
  assert.match(sentence, /4 round clouds/)
  assert.equal(classes, 4)
})

test('an unknown task is an error with its name', () => {
  assert.throws(() => described({task: 'helix', feed_x1: 'yes'}), /no task named helix/)
})
