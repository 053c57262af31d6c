// What figures calculate without training: measured in a thread of its own.

/**
 * `measured` returns what the figure makes its frame of.
 * @typedef {{measured(calculation: any, data: import('../engine/data.js').Data, ziggurat: import('../engine/numerics/draws.js').Ziggurat): unknown}} CalculationModule
 */

/** @type {Record<string, () => Promise<CalculationModule>>} by the name of a calculation */
export const CALCULATIONS = {
  'random stacks': () => import('./random-stacks.js'),
  'weighted passes': () => import('./weighted-passes.js'),
}
