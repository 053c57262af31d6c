// What figures need of their networks besides the records of a run, measured in the thread that trains; and how their
// networks begin, if not from their initialization alone.

/** @typedef {import('../engine/perceptrons/run.js').PerceptronRun} PerceptronRun */
/** @typedef {PerceptronRun | import('../engine/transformers/run.js').TransformerRun} PointRun a run on points */
/** @typedef {PointRun | import('../engine/language.js').LanguageRun | import('../engine/weighted-stack/run.js').StackRun} AnyRun */
/**
 * `recorded` is called after each record but the first, which is there already; `now` returns what the page is sent after
 * every piece of training (`TrainingRun.observed`). `pause` returns the first step after another one at which all networks
 * wait for each other and `paused` is called.
 * @typedef {{recorded?(): void, pause?(step: number): number, paused?(): void, now(): unknown}} Observer
 */
/** @typedef {{engine: import('../engine/group.js').Engine, ziggurat: import('../engine/numerics/draws.js').Ziggurat, network: TrainedPerceptron, points: import('../engine/data.js').Data, settings: Values}} Beginning */
/**
 * `begin` returns a perceptron before its first step, or null if its initialization says all; `runs` are all networks.
 * @typedef {{begin?(name: string, beginning: Beginning): PerceptronRun | null,
 *   observer?(run: AnyRun, settings: Values, runs: Record<string, AnyRun>): Observer | null}} ObserverModule
 */

/** @type {Record<string, () => Promise<ObserverModule>>} by the name of the simulation */
export const OBSERVERS = {
  arena: () => import('./arena.js'),
  explorer: () => import('./explorer.js'),
  failures: () => import('./likeness.js'),
  init: () => import('./init.js'),
  insert_identity: () => import('./insert_identity.js'),
  language: () => import('./language.js'),
  plus_signs: () => import('./plus_signs.js'),
  rezero: () => import('./rezero.js'),
  variants: () => import('./variants.js'),
}
