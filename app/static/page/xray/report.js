// Reads a report of the X-ray strictly: it may come from anybody. What is returned holds only what was checked.

export const LARGEST = 2_000_000,
  MOST_ADDITIONS = 2000
const LONGEST = 400,
  MOST_ENTRIES = 20_000
const KINDS = ['identity', 'scaled', 'gated', 'projected'],
  GRADES = ['problem', 'caution', 'note']

/** @type {Record<string, number>} */
const NOT_FINITE = {nan: NaN, inf: Infinity, '-inf': -Infinity}

const TEXTS = ['module', 'made_by', 'kind', 'ends_in']
const WHOLES = ['number', 'call', 'place', 'stream_number']
const FLAGS = ['pre_norm', 'drops']
const LISTS = ['on_skip', 'trunk', 'read_by', 'shape']
const MEASURES = [
  ...['stream', 'branch', 'sum', 'ratio', 'cosine', 'identity_share', 'angle', 'largest', 'alike', 'gradient'],
  ...['flat', 'weight_gradient', 'lesion'],
]
const FIELDS = [...TEXTS, ...WHOLES, ...FLAGS, ...LISTS, 'factor', ...MEASURES]
const PARTS = [
  ...['schema', 'additions', 'weights', 'opaque', 'blocks', 'remarks', 'model', 'torch', 'passes', 'whole'],
  ...['streams', 'findings'],
]

// The address of a figure of this site, as findings name it: a page, settings, and a place on it.
const LINK = /^[a-z0-9-]{1,60}(\?[\w.=&%+-]{0,300})?(#[\w-]{1,60})?$/

/** @typedef {{grade: string, name: string, words: string, link: string}} Finding */
/** @typedef {{model: string, torch: string, names: string[], values: Record<string, (number | null)[]>, findings: Finding[]}} Report */

// A sentence for the reader who dropped the file
export class NotAReport extends Error {}

/** @param {string} words @returns {never} */
const refuse = words => {
  throw new NotAReport(words)
}

// The report in a text; throws NotAReport.
/** @param {string} text @param {number} schema the version that this page reads @returns {Report} */
export function read(text, schema) {
  if (text.length > LARGEST) refuse(tooLarge(text.length))
  let all
  try {
    all = JSON.parse(text)
  } catch {
    refuse('This file is not a report: it is not JSON. The command --json or report.to_json() writes one.')
  }
  if (!isTable(all) || !('schema' in all))
    refuse('This file is JSON, but not a report of the X-ray: it has no “schema”.')
  if (all.schema !== schema)
    refuse(
      `This report has the version ${short(all.schema)}, and this page reads version ${schema}. Download xray.py again.`,
    )
  sameKeys(all, PARTS, 'the report')
  const additions = list(all.additions, 'additions')
  if (additions.length > MOST_ADDITIONS)
    refuse(`This report has ${additions.length} additions; this page draws at most ${MOST_ADDITIONS}.`)
  if (!additions.length)
    refuse('The X-ray found no residual addition in this network, so there is nothing to draw over its depth.')
  for (const [at, addition] of additions.entries()) check(addition, at)
  const findings = list(all.findings, 'findings').map((finding, at) => checkedFinding(finding, `findings[${at}]`))
  for (const name of ['weights', 'streams', 'remarks']) list(all[name], name)
  for (const name of ['opaque', 'blocks']) if (!isTable(all[name])) refuse(`In this report, “${name}” is not a table.`)
  for (const name of ['model', 'torch']) text_(all[name], name)
  return {
    model: all.model,
    torch: all.torch,
    names: additions.map(addition => addition.made_by || addition.module),
    values: Object.fromEntries(MEASURES.map(name => [name, additions.map(addition => number_(addition[name], name))])),
    findings,
  }
}

/** @param {number} size */
export const tooLarge = size =>
  `This file is too large for a report: ${(size / 1e6).toFixed(1)} MB, and at most ${LARGEST / 1e6} MB are read.`

/** @param {any} addition @param {number} at */
function check(addition, at) {
  const place = `additions[${at}]`
  if (!isTable(addition)) refuse(`In this report, ${place} is not a table.`)
  sameKeys(addition, FIELDS, place)
  for (const name of TEXTS) text_(addition[name], `${place}.${name}`)
  for (const name of WHOLES)
    if (!Number.isSafeInteger(addition[name]) || addition[name] < 0)
      refuse(`In this report, ${place}.${name} is not a whole number from 0 on.`)
  for (const name of FLAGS)
    if (typeof addition[name] !== 'boolean') refuse(`In this report, ${place}.${name} is neither true nor false.`)
  for (const name of LISTS) {
    const entries = list(addition[name], `${place}.${name}`)
    if (name === 'shape') for (const entry of entries) number_(entry, `${place}.${name}`)
    else for (const entry of entries) text_(entry, `${place}.${name}`)
  }
  for (const name of ['factor', ...MEASURES]) number_(addition[name], `${place}.${name}`)
  if (addition.number !== at) refuse('The additions of this report are not numbered from 0 in their order.')
  if (!KINDS.includes(addition.kind))
    refuse(`In this report, ${place}.kind is ${short(addition.kind)}, which is unknown.`)
}

/** @param {any} finding @param {string} place @returns {Finding} */
function checkedFinding(finding, place) {
  if (!isTable(finding)) refuse(`In this report, ${place} is not a table.`)
  for (const name of ['grade', 'name', 'words', 'link']) text_(finding[name], `${place}.${name}`, 2 * LONGEST)
  if (!GRADES.includes(finding.grade))
    refuse(`In this report, ${place}.grade is ${short(finding.grade)}, which is unknown.`)
  const {grade, name, words, link} = finding
  return {grade, name, words, link: LINK.test(link) ? link : ''}
}

/** @param {any} value */
const isTable = value => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {any} value */
const short = value => `“${String(typeof value === 'object' ? typeof value : value).slice(0, 20)}”`

/** @param {any} table @param {string[]} known @param {string} place */
function sameKeys(table, known, place) {
  const missing = known.find(name => !Object.hasOwn(table, name))
  if (missing) refuse(`In ${place} of this file, “${missing}” is missing.`)
  const unknown = Object.keys(table).find(name => !known.includes(name))
  if (unknown !== undefined) refuse(`In ${place} of this file, ${short(unknown)} is unknown.`)
}

/** @param {any} value @param {string} place @returns {any[]} */
function list(value, place) {
  if (!Array.isArray(value) || value.length > MOST_ENTRIES)
    refuse(`In this report, “${place}” is not a list of at most ${MOST_ENTRIES} entries.`)
  return value
}

/** @param {any} value @param {string} place @param {number} [longest] */
function text_(value, place, longest = LONGEST) {
  if (typeof value !== 'string' || value.length > longest)
    refuse(`In this report, ${place} is not a text of at most ${longest} characters.`)
}

/** @param {any} value @param {string} place @returns {number | null} */
function number_(value, place) {
  if (value === null || typeof value === 'number') return value
  if (typeof value === 'string' && Object.hasOwn(NOT_FINITE, value)) return NOT_FINITE[value]
  return refuse(`In this report, ${place} is not a number.`)
}
