// What the observer of the figure `language` makes of the models on the input: texts, losses, and what is inside.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Engine} from '../../app/static/shared/kernels/engine.js'
import {LanguageRun} from '../../app/static/training/engine/language.js'
import {OwnWords} from '../../app/static/training/language/own-words.js'
import {observer} from '../../app/static/training/observers/language.js'

const folder = process.argv[2]
const json = name => JSON.parse(readFileSync(join(folder, name)))
const arrays = (_key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value)

const words = new OwnWords(readFileSync(join(folder, 'own_words.txt'), 'ascii'))
const module = await WebAssembly.compile(readFileSync(join(folder, 'language-fused.wasm')))

const watched = JSON.parse(readFileSync(0)).map(({model, recipe, seed, settings, chunks}) => {
  const engine = new Engine(module, json('description.json').engines.language)
  const run = new LanguageRun(engine, model, recipe, words, [seed], json('ziggurat.json'))
  const watching = observer(run, settings)
  run.onRecord = () => watching.recorded()
  for (const steps of chunks) run.advance(steps)
  return watching.now()
})
console.log(JSON.stringify({entropy: words.entropyOfFrequencies(), words: [...words.words].sort(), watched}, arrays))
