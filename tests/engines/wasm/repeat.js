// Repeats recorded calls, and returns the number of them and a line for each that writes other bits than native code.
import {Engine} from '../../../app/static/shared/kernels/engine.js'
import {different, repeated} from '../../../app/static/shared/kernels/replay.js'

/** @param {(name: string) => Promise<ArrayBuffer>} read a file of the calls or of the modules @param {string} variant */
export async function repeat(read, variant) {
  const json = async name => JSON.parse(new TextDecoder().decode(await read(name)))
  const [calls, description, file] = [await json('calls.json'), await json('description.json'), await read('calls.bin')]
  const engines = {},
    wrong = []
  for (const call of calls) {
    const {engine: name, kernel, choice, wrote} = call
    engines[name] ??= new Engine(await WebAssembly.compile(await read(`${name}-${variant}.wasm`)), description.engines[name])
    const differ = different(wrote, repeated(engines[name], call, file))
    if (differ.length) wrong.push(`${name} ${kernel} ${choice}: ${differ.join(', ')}`)
  }
  return {count: calls.length, wrong}
}
