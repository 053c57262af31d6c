// Networks of blocks some of which have lost their plus sign, as in sims/instruments/networks/wirings.py.
import {number, timesAsLarge} from '../../shared/numbers.js'
import {numbersOf} from '../parameters.js'

/** The blocks that a text names, in rising order; none beyond the last block. @param {string} cut @param {number} blocks */
export const missing = (cut, blocks) =>
  [...numbersOf(cut)].filter(block => block <= blocks).sort((one, other) => one - other)

/** The weight on the skip of every block. @param {number[]} without @param {number} blocks */
export const skips = (without, blocks) => Array.from({length: blocks}, (_, at) => (without.includes(at + 1) ? 0 : 1))

/** Says how many plus signs there are. @param {number[]} without @param {number} blocks */
export function wiring(without, blocks) {
  if (!without.length) return `With all ${blocks} plus signs`
  if (without.length === blocks) return `Without any of the ${blocks} plus signs`
  return `With ${blocks - without.length} of ${blocks} plus signs`
}

/**
 * Says what was measured.
 * @param {TrainingFrame['results']} results @param {string} [compared] what is some degrees apart
 * @param {string} [first] @param {string} [final] the ends of the gradient's path
 */
export function inWords(results, compared = 'different images', first = 'first block', final = 'last') {
  const [stream, gradient] = ['stream', 'gradient'].map(name => timesAsLarge(Number(results[name])))
  const [came, apart] = ['came', 'apart'].map(name => number(Number(results[name]), 2))
  return (
    `the stream comes out ${stream} as it went in, two ${compared} come in ${came}° and go out ${apart}° apart, ` +
    `and the gradient reaches the ${first} ${gradient} as it was after the ${final}`
  )
}
