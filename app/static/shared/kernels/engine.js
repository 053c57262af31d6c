// The compiled kernels of one of our engines: the server's own code, in this browser.
import {NoMemory, NoVectors, NoWebAssembly, OtherVersion} from './errors.js'
import {level} from './features.js'

/** @typedef {'float32' | 'float64' | 'int64' | 'bool'} Type */
/** @typedef {{name: string, kind: 'array', type: Type, dimensions: number}} ArrayArgument */
/** @typedef {{name: string, kind: 'int' | 'bool' | 'float'}} PlainArgument */
/** @typedef {{arguments: (ArrayArgument | PlainArgument)[], result: 'int' | 'none'}} Kernel */
/** @typedef {{data: number, functions: Record<string, Kernel>}} EngineDescription */
/** @typedef {{version: string, engines: Record<string, EngineDescription>}} Description */
/** @typedef {'fused' | 'plain'} Variant */
/** @typedef {Float32Array | Float64Array | BigInt64Array | Uint8Array} Numbers */
/** @typedef {Record<string, Place | number | bigint | boolean>} Values */

const ARRAYS = {float32: Float32Array, float64: Float64Array, int64: BigInt64Array, bool: Uint8Array}
const PAGE = 65_536, // bytes
  STACK = 262_144,
  LINE = 64 // bytes of a cache line, on which arrays begin
const SLOT = 8 // bytes of an argument
const RESULTS = 2 // slots before the arguments: the addresses of the result and of an error

/**
 * The variant that rounds as native code does, if this browser can run it.
 * @returns {Variant}
 */
export function variant(has = level()) {
  if (has === 'none') throw new NoWebAssembly('This browser has no WebAssembly.')
  if (has === 'scalar') throw new NoVectors('This browser’s WebAssembly has no vectors (SIMD).')
  return has === 'fused' ? 'fused' : 'plain'
}

/** An array in the memory of an engine. */
export class Place {
  /** @param {WebAssembly.Memory} memory @param {number} at @param {Type} type @param {readonly number[]} shape */
  constructor(memory, at, type, shape) {
    this.memory = memory
    this.at = at // bytes
    this.type = type
    this.shape = shape
    this.length = shape.reduce((product, length) => product * length, 1)
  }

  /** The numbers, as long as the memory does not grow. @returns {Numbers} */
  get numbers() {
    return new ARRAYS[this.type](this.memory.buffer, this.at, this.length)
  }

  /** The same memory, as bytes. */
  get bytes() {
    return new Uint8Array(this.memory.buffer, this.at, this.length * ARRAYS[this.type].BYTES_PER_ELEMENT)
  }
}

/** The kernels of an engine with their memory. Arrays are placed there once, and stay from call to call. */
export class Engine {
  /** @param {WebAssembly.Module} module @param {EngineDescription} description */
  constructor(module, description) {
    this.description = description
    const first = Math.ceil(description.data / LINE) * LINE + STACK
    try {
      this.memory = new WebAssembly.Memory({initial: Math.ceil(first / PAGE)})
    } catch (cause) {
      throw new NoMemory('This browser gives no memory for a network.', {cause})
    }
    // The stack grows downward, toward the data of the module itself.
    const pointer = new WebAssembly.Global({value: 'i32', mutable: true}, first)
    try {
      this.exports = new WebAssembly.Instance(module, {
        env: {__linear_memory: this.memory, __stack_pointer: pointer},
      }).exports
    } catch (cause) {
      throw new OtherVersion('The compiled code and this page are of different versions.', {cause})
    }
    const missing = Object.keys(description.functions).filter(name => typeof this.exports[name] !== 'function')
    if (missing.length) throw new OtherVersion(`The compiled code has no ${missing.join(' and no ')}.`)
    this.top = first
  }

  /** A new array, of zeros or of these numbers. @param {Type} type @param {readonly number[]} shape @param {Numbers} [numbers] */
  place(type, shape, numbers) {
    const place = new Place(this.memory, 0, type, shape)
    place.at = this.take(place.length * ARRAYS[type].BYTES_PER_ELEMENT)
    if (numbers) /** @type {{set: (numbers: Numbers) => void}} */ (place.numbers).set(numbers)
    else place.bytes.fill(0)
    return place
  }

  /** The address of so many free bytes. @param {number} bytes */
  take(bytes) {
    const at = Math.ceil(this.top / LINE) * LINE
    const missing = at + bytes - this.memory.buffer.byteLength
    try {
      if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE))
    } catch (cause) {
      throw new NoMemory(`This browser refuses ${Math.ceil(bytes / 1e6)} MB of memory.`, {cause})
    }
    this.top = at + bytes
    return at
  }

  /**
   * Calls a kernel; it writes to the arrays that it is given. Returns its number, if it has one.
   * @param {string} name @param {Values} values every argument by its name, fields of tuples as `plan.width`
   */
  call(name, values) {
    const kernel = this.description.functions[name]
    const before = this.top
    const [result, error] = [this.take(SLOT), this.take(SLOT)]
    const slots = kernel.arguments.reduce((sum, item) => sum + (item.kind === 'array' ? 5 + 2 * item.dimensions : 1), 0)
    const block = this.take((RESULTS + slots) * SLOT)
    const view = new DataView(this.memory.buffer)
    let at = block
    const whole = (/** @type {number | bigint} */ number) => {
      view.setBigInt64(at, BigInt(number), true)
      at += SLOT
    }
    whole(result)
    whole(error)
    for (const argument of kernel.arguments) {
      const value = values[argument.name]
      if (argument.kind === 'array') lay(array(argument, value), whole)
      else if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean')
        throw new TypeError(`${name} needs a number ${argument.name}`)
      else if (argument.kind === 'float') {
        view.setFloat64(at, Number(value), true)
        at += SLOT
      } else whole(BigInt(value))
    }
    const status = /** @type {(block: number) => number} */ (this.exports[name])(block)
    this.top = before
    if (status) throw new Error(`${name} ended with status ${status}`)
    return kernel.result === 'int' ? Number(new DataView(this.memory.buffer).getBigInt64(result, true)) : undefined
  }
}

/** The place of an array argument. @param {ArrayArgument} argument @param {unknown} value */
function array(argument, value) {
  const {name, type, dimensions} = argument
  if (!(value instanceof Place) || value.type !== type || value.shape.length !== dimensions)
    throw new TypeError(`${name} must be an array of ${type} with ${dimensions} dimensions`)
  return value
}

/** Passes an array as Numba does: two addresses that only Python uses, and then what it is and where. */
function lay(/** @type {Place} */ place, /** @type {(number: number) => void} */ whole) {
  const size = ARRAYS[place.type].BYTES_PER_ELEMENT
  const strides = place.shape.map((_length, axis) => place.shape.slice(axis + 1).reduce((a, b) => a * b, size))
  for (const number of [0, 0, place.length, size, place.at, ...place.shape, ...strides]) whole(number)
}

/**
 * Opens an engine from its files.
 * @param {string} folder address of the files, with a slash at the end
 * @param {string} version the one that the page was made for
 * @param {string} engine
 * @param {Variant} kind
 */
export async function open(folder, version, engine, kind) {
  const [described, answer] = await Promise.all(
    ['description.json', `${engine}-${kind}.wasm`].map(name => received(`${folder}${name}`)),
  )
  const /** @type {Description} */ description = await described.json()
  if (description.version !== version || !(engine in description.engines))
    throw new OtherVersion('The compiled code and this page are of different versions.')
  return new Engine(await compiled(await answer.arrayBuffer()), description.engines[engine])
}

/** A file of the compiled code. @param {string} address */
export async function received(address) {
  const answer = await fetch(address)
  if (!answer.ok)
    throw new OtherVersion('The compiled code is not there. A new server makes it after its pages, in some minutes.')
  return answer
}

/** @param {ArrayBuffer} bytes */
async function compiled(bytes) {
  try {
    return await WebAssembly.compile(bytes)
  } catch (cause) {
    throw new OtherVersion('The compiled code is damaged, or this browser does not read it.', {cause})
  }
}
