// What figures need of their networks besides the records of a run: measured in the thread that trains.

/** @typedef {import('../engine/perceptrons.js').PerceptronRun} PerceptronRun */
/** @typedef {import('../engine/language.js').LanguageRun} LanguageRun */
/**
 * `recorded` is called after each record but the first, which is there already; `now` returns what the page is sent after
 * every piece of training (`TrainingRun.observed`).
 * @typedef {{recorded?(): void, now(): unknown}} Observer
 */
/** @typedef {{observer(run: PerceptronRun | LanguageRun, settings: Values): Observer}} ObserverModule */

/** @type {Record<string, () => Promise<ObserverModule>>} by the name of the simulation */
export const OBSERVERS = {
  explorer: () => import('./explorer.js'),
  failures: () => import('./likeness.js'),
  language: () => import('./language.js'),
}
