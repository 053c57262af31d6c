// What a forward pass keeps for the backward pass, as in sims/instruments/costs/kept_activations.py.
import {blocksOf, growthOf} from './perceptrons/layout.js'

const BYTES = 4 // of a number in single precision

/**
 * The bytes that a training pass over `batch` points keeps, for blocks of one layer with no norm or Pre-LN and no norm before
 * the head.
 * @param {NetworkArchitecture} architecture @param {number} batch
 */
export const keptBytes = (architecture, batch) =>
  BYTES *
  batch *
  (architecture.unit === 'pre-activation' ? activationsFirst(architecture) : activationsLast(architecture))

/** Numbers per point, where a branch ends in its activation: stream, norms with their scales, gates and branches. @param {NetworkArchitecture} architecture */
function activationsLast(architecture) {
  const {width, norm, skip} = architecture
  const blocks = blocksOf(architecture)
  const normed = norm === 'none' ? 0 : (blocks + 1) * (width + 1)
  return (blocks + 1) * width + normed + (skip === 'highway' ? blocks * width : 0) + blocks * width
}

/** Numbers per point, where a branch begins with its activation: what enters each layer, norms with their scales, and ReZero's branches. @param {NetworkArchitecture} architecture */
function activationsFirst(architecture) {
  const {width, norm, skip} = architecture
  const blocks = blocksOf(architecture),
    growth = growthOf(architecture)
  const entering = Array.from({length: blocks + 1}, (_, block) => width + growth * block)
  // Without a norm, the layers of a dense network read parts of one array; the head has an array of its own.
  const read = growth && norm === 'none' ? entering.slice(-2) : entering
  const normed = norm === 'none' ? [] : entering.slice(0, blocks)
  const total = (/** @type {number[]} */ widths) => widths.reduce((sum, width) => sum + width, 0)
  return total(read) + total(normed) + normed.length + (skip === 'rezero' ? blocks * width : 0)
}
