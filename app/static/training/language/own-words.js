// The text that language models learn from, as in sims/data/own_words.py.
import {sum} from '../engine/numerics/sums.js'

export const FILE = 'own_words.txt' // beside the kernels

const EVERY = 10 // every tenth line is held out
const SIGNS = /^["'(),\-.:?]+|["'(),\-.:?]+$/g // what may surround a word
const WORD = /^[A-Za-z]{2,}$/

export class OwnWords {
  /** @param {string} text the lines, as sims/engines/wasm/starting.py writes them */
  constructor(text) {
    this.symbols = [...new Set(text)].sort().join('') // a symbol's number is its place here
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
    const heldOut = lines.filter((_, number) => number % EVERY === EVERY - 1)
    const learned = lines.filter((_, number) => number % EVERY !== EVERY - 1)
    this.heldOut = this.encoded(heldOut.join(''))
    this.learned = this.encoded(learned.join(''))
    const words = learned.flatMap(line => line.split(/\s+/)).map(stripped)
    this.words = new Set(words.filter(word => WORD.test(word)))
  }

  /** The numbers of a text's symbols. @param {string} text */
  encoded(text) {
    return Int32Array.from(text, symbol => this.symbols.indexOf(symbol))
  }

  /** The text of symbol numbers. @param {Iterable<number>} numbers */
  decoded(numbers) {
    return Array.from(numbers, number => this.symbols[number]).join('')
  }

  /** Whether a word of at least two letters, whatever signs surround it, is in the text to learn from. @param {string} word */
  isLearned(word) {
    return this.words.has(stripped(word))
  }

  /** The loss, in nats per symbol on the held-out lines, of a guess that knows only how frequent each symbol is. */
  entropyOfFrequencies() {
    const counts = new Float64Array(this.symbols.length).fill(1)
    for (const symbol of this.learned) counts[symbol] += 1
    const all = sum(counts)
    const losses = Float64Array.from(this.heldOut, symbol => Math.log(counts[symbol] / all))
    return -sum(losses) / losses.length
  }
}

/** @param {string} word */
const stripped = word => word.replace(SIGNS, '')
