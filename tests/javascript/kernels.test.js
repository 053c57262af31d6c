import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {test} from 'node:test'
import {Engine, Place, variant} from '../../app/static/shared/kernels/engine.js'
import {NoMemory, NoVectors, NoWebAssembly, OtherVersion} from '../../app/static/shared/kernels/errors.js'
import {level} from '../../app/static/shared/kernels/features.js'
import {different, numbers, placed, together} from '../../app/static/shared/kernels/replay.js'
import {sha256} from '../../app/static/shared/kernels/sha256.js'

// A module like those of LLVM, whose one function `count` writes the number of items of its first array to its result:
// (func (param i32) (result i32)  (i64.store (i32.load (local.get 0)) (i64.load offset=32 (local.get 0)))  i32.const 0)
const MODULE = [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, 0x01, 0x60, 0x01, 0x7f, 0x01, 0x7f),
  ...section(
    2,
    0x02,
    ...text('env'),
    ...text('__linear_memory'),
    2,
    0,
    0,
    ...text('env'),
    ...text('__stack_pointer'),
    3,
    0x7f,
    1,
  ),
  ...section(3, 0x01, 0x00),
  ...section(7, 0x01, ...text('count'), 0x00, 0x00),
  ...section(
    10,
    0x01,
    0x11,
    0x00,
    0x20,
    0x00,
    0x28,
    0x02,
    0x00,
    0x20,
    0x00,
    0x29,
    0x03,
    0x20,
    0x37,
    0x03,
    0x00,
    0x41,
    0x00,
    0x0b,
  ),
]

/** @param {number} kind @param {number[]} bytes */
function section(kind, ...bytes) {
  return [kind, bytes.length, ...bytes]
}

/** @param {string} name */
function text(name) {
  const bytes = new TextEncoder().encode(name)
  return [bytes.length, ...bytes]
}

const COUNT = {
  arguments: [
    {name: 'points', kind: 'array', type: 'float32', dimensions: 2},
    {name: 'plan.width', kind: 'int'},
    {name: 'clip', kind: 'float'},
    {name: 'frozen', kind: 'bool'},
  ],
  result: 'int',
}

const module = () => new WebAssembly.Module(new Uint8Array(MODULE))
const engine = (functions = {count: COUNT}) => new Engine(module(), {data: 100, functions})

test('a browser without WebAssembly, or without its vectors, is told apart', () => {
  assert.equal(level(null), 'none')
  assert.equal(level({validate: () => false}), 'scalar')
  assert.equal(level({validate: bytes => bytes.length < 40}), 'vectors')
  const rounding = product =>
    level({
      validate: () => true,
      Module: class {},
      Instance: class {
        exports = {f: product}
      },
    })
  assert.equal(
    rounding((a, b, c) => Math.fround(Math.fround(a * b) + c)),
    'relaxed',
  )
  assert.equal(
    rounding((a, b, c) => Math.fround(a * b + c)),
    'fused',
  )
  assert.ok(['vectors', 'relaxed', 'fused'].includes(level()))
})

test('the module is chosen by what the browser has', () => {
  assert.throws(() => variant('none'), NoWebAssembly)
  assert.throws(() => variant('scalar'), NoVectors)
  assert.deepEqual(['vectors', 'relaxed', 'fused'].map(variant), ['plain', 'plain', 'fused'])
})

test('arguments are laid out as Numba flattens them', () => {
  const own = engine()
  const points = own.place('float32', [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6))
  let slots
  own.exports = {
    count: block => {
      slots = new DataView(own.memory.buffer, block, 14 * 8)
      return 0
    },
  }
  own.call('count', {points, 'plan.width': -7, clip: 0.5, frozen: true})
  const whole = Array.from({length: 14}, (_, at) => slots.getBigInt64(8 * at, true))
  assert.deepEqual(whole.slice(2, 12), [0n, 0n, 6n, 4n, BigInt(points.at), 2n, 3n, 12n, 4n, -7n])
  assert.equal(slots.getFloat64(8 * 12, true), 0.5)
  assert.equal(whole[13], 1n)
})

test('a kernel runs, returns its number, and leaves the arrays where they are', () => {
  const own = engine()
  const points = own.place('float32', [2, 3])
  const top = own.top
  assert.equal(own.call('count', {points, 'plan.width': 1, clip: 1, frozen: false}), 6)
  assert.equal(own.top, top)
  const large = own.place('float64', [1000, 1000]) // the memory grows, and older arrays are still there
  assert.equal(large.numbers.length, 1e6)
  points.numbers[5] = 2.5
  assert.equal(new Float32Array(own.memory.buffer, points.at, 6)[5], 2.5)
  assert.equal(points.at % 64, 0)
})

test('a wrong argument is named', () => {
  const own = engine()
  const points = own.place('float64', [2, 3])
  assert.throws(
    () => own.call('count', {points, 'plan.width': 1, clip: 1, frozen: false}),
    /points must be an array of float32/,
  )
  const right = own.place('float32', [2, 3])
  assert.throws(() => own.call('count', {points: right, clip: 1, frozen: false}), /needs a number plan.width/)
})

test('what does not fit is said to be of another version', () => {
  assert.throws(() => engine({count: COUNT, train: COUNT}), OtherVersion)
  const strange = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
  assert.throws(() => new Engine(strange, {data: 0, functions: {count: COUNT}}), OtherVersion)
})

test('memory that is refused is said', () => {
  const own = engine()
  own.memory = {
    buffer: new ArrayBuffer(0),
    grow: () => {
      throw new RangeError('no')
    },
  }
  assert.throws(
    () => own.take(3e6),
    error => error instanceof NoMemory && /3 MB/.test(error.message),
  )
})

test('recorded arguments are placed: numbers, zeros, small whole numbers, shared memory', () => {
  const own = engine()
  const file = new ArrayBuffer(32)
  new Uint16Array(file, 0, 3).set([1, 65_535, 3])
  new Float32Array(file, 8, 2).set([0.5, -1])
  assert.deepEqual([...numbers({type: 'int64', shape: [3], at: 0, small: true}, file)], [1n, 65_535n, 3n])
  const call = {
    arguments: {
      rates: {type: 'float32', shape: [2], at: 8},
      again: {same: 'rates', shape: [1, 2]},
      zeros: {type: 'float64', shape: [2]},
      scratch: {type: 'float32', shape: [1], scratch: true},
      clip: 'Infinity',
      frozen: true,
    },
  }
  const values = placed(own, call, file)
  assert.deepEqual([...values.rates.numbers], [0.5, -1])
  assert.ok(values.again instanceof Place)
  assert.equal(values.again.at, values.rates.at)
  assert.deepEqual([...values.zeros.numbers], [0, 0])
  assert.ok(Number.isNaN(values.scratch.numbers[0]))
  assert.deepEqual([values.clip, values.frozen], [Number.POSITIVE_INFINITY, true])
})

test('digests are SHA-256', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 1000]) {
    const bytes = Uint8Array.from({length}, (_, place) => (place * 37) % 256)
    assert.equal(sha256(bytes), createHash('sha256').update(bytes).digest('hex'))
  }
  assert.deepEqual(different({a: '1', b: '2'}, {a: '1', b: '3'}), ['b'])
  assert.notEqual(together({a: '1'}), together({a: '2'}))
})
