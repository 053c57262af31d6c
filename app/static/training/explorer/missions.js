// What a run has achieved of the explorer's missions and of its first minute, as in sims/comparisons/missions.py.
import {kindsOf} from './gradient-health.js'
import {feeds} from './networks.js'

const DEEP = 32, // layers from which a network counts as deep
  SHALLOW = 4,
  DEEPER = 16,
  FEW = 8,
  SEVERAL = 3 // seeds, for the statement that a skip decides

/** @typedef {(settings: Values, frame: TrainingFrame) => boolean} Check */

/** @param {TrainingFrame} frame @param {string} [name] */
const fits = ({results}, name = 'first') => results[`${name}_fits`] === results.seeds
/** @param {TrainingFrame} frame @param {string} [name] */
const fails = ({results}, name = 'first') => results[`${name}_fits`] === 0 && results[`${name}_lost`] === 0
/** @param {Values} settings */
const isDeep = ({depth}) => Number(depth) >= DEEP

/** A deep plain network with level gradients before the first step, which does not fit. @type {Check} */
function failsWithLevelBars(settings, frame) {
  const level = ['weight', 'stream'].every(part =>
    kindsOf(frame, `first_${part}_gradients`, 0).every(kind => kind === 'level'),
  )
  return settings.skip === 'none' && settings.norm === 'none' && isDeep(settings) && level && fails(frame)
}

/** The names of the plain network and of its residual twin, if these two were compared. @param {Values} settings @param {TrainingFrame} frame @returns {[plain: string, residual: string] | null} */
function pair({compare}, {results}) {
  if (compare !== 'no-skip' && compare !== 'additive') return null
  const [plain, residual] = compare === 'no-skip' ? ['second', 'first'] : ['first', 'second']
  const skip = results[`${plain}_skip`]
  return skip === 'none' && results[`${residual}_skip`] !== 'none' ? [plain, residual] : null
}

/** With five seeds, plain fits with more than residual, or both with all and plain has less loss. @type {Check} */
function plainWins(settings, frame) {
  const names = pair(settings, frame)
  if (!names || Number(settings.seeds) < 5) return false
  const {results} = frame
  const [plain, residual] = names.map(name => Number(results[`${name}_fits`]))
  const [loss, other] = names.map(name => Number(results[`${name}_loss`]))
  return plain > residual || (plain === residual && plain === Number(settings.seeds) && loss < other)
}

/** With several seeds, the residual network fits with all of them, and the plain one with none. @type {Check} */
function skipDecides(settings, frame) {
  const names = pair(settings, frame)
  if (!names || Number(settings.seeds) < SEVERAL) return false
  return fits(frame, names[1]) && frame.results[`${names[0]}_fits`] === 0
}

/** @type {Record<string, Record<string, Check>>} in the order of the page */
const LISTS = {
  missions: {
    level: failsWithLevelBars,
    rescue: (settings, frame) => isDeep(settings) && fits(frame),
    explode: ({skip}, {results}) => skip === 'additive' && results.first_lost === results.seeds,
    tame: ({skip, norm, final_norm}, frame) =>
      (skip === 'additive' || skip === 'rezero') && norm === 'none' && final_norm === 'no' && fits(frame),
    post: (settings, frame) =>
      settings.skip === 'additive' && settings.norm === 'post-layer' && isDeep(settings) && fits(frame),
    plain: plainWins,
    'too-hard': ({task, depth}, frame) => task === 'own' && Number(depth) <= SHALLOW && fails(frame),
    learned: ({task, depth}, frame) => task === 'own' && Number(depth) >= DEEPER && fits(frame),
    decides: skipDecides,
  },
  first_minute: {
    train: ({compare}) => compare !== 'none',
    rewind: ({moment}) => moment === '0',
    look: ({layer}) => Number(layer) > 0,
    feed: settings => String(feeds(settings)) !== 'x1,x2',
    shallow: ({depth, compare}) => Number(depth) <= FEW && compare !== 'none',
  },
}

/**
 * The same frame; at the end of a run, its results also name what the run has achieved, and hold the settings.
 * @param {Values} settings @param {string[]} names of the settings, in their order @param {TrainingFrame} frame @returns {TrainingFrame}
 */
export function judged(settings, names, frame) {
  if ('refused' in frame.results || frame.step < frame.steps) return frame
  const done = Object.entries(LISTS).map(([list, checks]) => {
    const achieved = Object.keys(checks).filter(name => checks[name](settings, frame))
    return [list, achieved.join(',')]
  })
  const text = new URLSearchParams(names.map(name => [name, settings[name]])).toString()
  return {...frame, results: {...frame.results, ...Object.fromEntries(done), settings: text}}
}
