// What figures calculate without training: measured in a thread of its own.

/**
 * `measured` returns what the figure makes its frame of. `data` are points or a text, and `engine` is the compiled code.
 * @typedef {{measured(calculation: any, data: any, ziggurat: import('../engine/numerics/draws.js').Ziggurat, engine?: any): unknown}} CalculationModule
 */

/** @type {Record<string, () => Promise<CalculationModule>>} by the name of a calculation */
export const CALCULATIONS = {
  'language passes': () => import('./language-passes.js'),
  'random stacks': () => import('./random-stacks.js'),
  'weighted passes': () => import('./weighted-passes.js'),
}
