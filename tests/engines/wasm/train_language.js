// train_language.js FOLDER: trains the language models on its input with the modules in this folder as a page does, and
// returns digests of all numbers, as JSON.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Engine} from '../../../app/static/shared/kernels/engine.js'
import {sha256} from '../../../app/static/shared/kernels/sha256.js'
import {LanguageRun} from '../../../app/static/training/engine/language.js'
import {OwnWords} from '../../../app/static/training/language/own-words.js'

const folder = process.argv[2]
const json = name => JSON.parse(readFileSync(join(folder, name)))
const digest = numbers => sha256(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))

const ziggurat = json('ziggurat.json')
const words = new OwnWords(readFileSync(join(folder, 'own_words.txt'), 'ascii'))
const {language} = json('description.json').engines
const module = await WebAssembly.compile(readFileSync(join(folder, 'language-fused.wasm')))

const trained = JSON.parse(readFileSync(0)).map(({model, recipe, seed, chunks, pieces, removed, starts}) => {
  const run = new LanguageRun(new Engine(module, language), model, recipe, words, [seed], ziggurat)
  const looks = []
  run.onRecord = () => looks.push(run.step)
  const start = digest(run.parameters.numbers)
  for (const steps of chunks) run.advance(steps)
  const passed = without => {
    const {stream, logits} = run.streams(pieces, without)
    return [digest(stream), digest(logits)]
  }
  return {
    start,
    step: run.step,
    finite: run.isFinite,
    looks,
    parameters: digest(run.parameters.numbers),
    first: digest(run.first.numbers),
    second: digest(run.second.numbers),
    streams: [passed(), passed(removed)],
    gradients: digest(run.streamGradients(starts)),
  }
})
console.log(JSON.stringify({symbols: words.symbols, learned: digest(words.learned), held: digest(words.heldOut), trained}))
