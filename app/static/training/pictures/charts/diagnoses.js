// Towers lit by the stream's gradients: what app/pictures/charts/diagnoses.py does when it is shown.
import {number, percent} from '../../../shared/numbers.js'
import {sourceOf} from '../picture.js'
import {brightness} from './lit-network.js'

/** @typedef {import('../picture.js').Picture} Picture */
/** @typedef {{frame: (RunEnd & {step?: number}) | null, skip: boolean}} Network `frame` is null if there was no run */

/** @type {Record<string, string>} */
const SIGNS = {vanished: '▼', exploded: '▲', stalled: '■', tilted: '◆', fine: '●'}
const BODY = 0.19, // half the width of a tower
  MOST = 0.42 // and of the widest light
const HALO = 0.035,
  HALO_ALPHA = 0.18
const LEAST_DECADES = 6
const HOT_AFTER = 4,
  CORE = 0.55
const HEAD = 0.37,
  FOOT = -0.2
const COLORS = ['failing', 'healthy', 'soft']
const SAID = [
  'name.ink',
  ...COLORS.map(color => `sign.${color}`),
  ...COLORS.map(color => `verdict.${color}`),
  'error.ink',
  'ratio.soft',
]
const LIGHTS = ['plain', 'residual']

/**
 * `Diagnoses.show`: the networks from left to right; one of them is the chosen one.
 * @param {Picture} picture @param {string} path @param {Record<string, Network>} networks @param {string} chosen
 */
export function showDiagnoses(picture, path, networks, chosen) {
  const names = Object.keys(networks)
  showBoxes(picture, path, names.length, names.indexOf(chosen))
  showLights(picture, path, Object.values(networks))
  showWords(picture, path, networks)
  picture.set(`${path}.figure.x_range`, {end: names.length})
}

/** @param {Picture} picture @param {string} path @param {number} count @param {number} chosen */
function showBoxes(picture, path, count, chosen) {
  const boxes = Array.from({length: count}, (_, column) => [column + 0.02, column + 0.98, FOOT, 1 + HEAD])
  const names = ['left', 'right', 'bottom', 'top']
  picture.set(`${path}._boxes`, {data: sourceOf(names, boxes)})
  picture.set(`${path}._chosen`, {data: sourceOf(names, [boxes[chosen]])})
}

/** @param {Picture} picture @param {string} path @param {Network[]} networks */
function showLights(picture, path, networks) {
  const decades = networks.map(({frame}) => decadesOf(frame))
  const scale = Math.max(LEAST_DECADES, ...decades.flat().filter(Number.isFinite).map(Math.abs))
  const /** @type {Record<string, number[][]>} */ lights = {plain: [], residual: []}
  const /** @type {Record<string, number[][]>} */ halos = {plain: [], residual: []}
  const /** @type {number[][]} */ bodies = [],
    /** @type {number[][]} */ cores = [],
    /** @type {number[][]} */ zeros = []
  for (const [column, values] of decades.entries()) {
    const middle = column + 0.5,
      kind = networks[column].skip ? 'residual' : 'plain'
    for (const [place, size] of values.entries()) {
      const low = (place + 0.08) / values.length,
        high = (place + 0.92) / values.length
      bodies.push([middle - BODY, middle + BODY, low, high])
      if (size === -Infinity) zeros.push([middle, (low + high) / 2])
      if (!Number.isFinite(size)) continue
      const half = Math.min(BODY * (1 + size / scale), MOST),
        rim = half + HALO,
        bright = brightness(size)
      lights[kind].push([middle - half, middle + half, low, high, bright])
      halos[kind].push([middle - rim, middle + rim, low, high, HALO_ALPHA * bright])
      if (size > 0) cores.push([middle, (low + high) / 2, 2 * CORE * half, high - low, Math.min(size / HOT_AFTER, 1)])
    }
  }
  const box = ['left', 'right', 'bottom', 'top']
  for (const kind of LIGHTS)
    picture.set(`${path}.lights.${kind}`, {data: sourceOf([...box, 'bright'], [...halos[kind], ...lights[kind]])})
  picture.set(`${path}._bodies`, {data: sourceOf(box, bodies)})
  picture.set(`${path}._cores`, {data: sourceOf(['x', 'y', 'wide', 'high', 'bright'], cores)})
  picture.set(`${path}._zeros`, {data: sourceOf(['x', 'y'], zeros)})
}

/** @param {Picture} picture @param {string} path @param {Record<string, Network>} networks */
function showWords(picture, path, networks) {
  const /** @type {Record<string, unknown[][]>} */ texts = Object.fromEntries(SAID.map(key => [key, []]))
  for (const [column, [name, {frame}]] of Object.entries(networks).entries()) {
    const {sign, verdict, color, error} = verdictOf(frame)
    const words = {'name.ink': name, [`sign.${color}`]: sign, [`verdict.${color}`]: verdict, 'error.ink': error}
    for (const [key, text] of Object.entries(words)) texts[key].push([column + 0.5, 1 + HEAD, text])
    const ratio = frame ? `first ÷ last\n${number(Number(frame.results.ratio), 2)}` : ''
    texts['ratio.soft'].push([column + 0.5, 0, ratio])
  }
  for (const [key, rows] of Object.entries(texts))
    picture.set(`${path}._words.${key}`, {data: sourceOf(['x', 'y', 'text'], rows)})
}

/** The sign of the diagnosis, its words and color, and the share of wrong answers. @param {Network['frame']} frame */
function verdictOf(frame) {
  if (!frame) return {sign: '', verdict: 'not trained yet', color: 'soft', error: 'press, then Train'}
  const {training_error: share, diagnosis} = frame.results
  const error = `error ${percent(Number(share))}`
  if (!Object.hasOwn(SIGNS, diagnosis))
    return {sign: '', verdict: frame.step ? `step ${frame.step}` : 'untrained', color: 'soft', error}
  return {
    sign: SIGNS[diagnosis],
    verdict: String(diagnosis),
    color: diagnosis === 'fine' ? 'healthy' : 'failing',
    error,
  }
}

/** Powers of ten between the stream's gradient at each place and that at the last one. @param {Network['frame']} frame */
function decadesOf(frame) {
  if (!frame) return []
  const gradients = Array.from(frame.quantities['stream gradient at start'].values)
  const [last] = gradients.slice(-1)
  return gradients.map(gradient => Math.log10(gradient / last))
}
