// What the reader chose, predicted, answered and judged. Stored in this browser.
const ANSWERS = 'answers'
export const ROUTE = 'route' // the route through the site that the reader has chosen
const NAME = /^[\w-][\w.-]{0,79}$/,
  LONGEST = 2_000,
  MOST = 500

// Under this name, next to the entries of the pages, is whether each answer was right: {'page.exercise': true}.
export const OUTCOMES = 'outcomes'

// Under this name is when each exercise was answered first, and whether that answer was right:
// {'page.exercise': {at: milliseconds, right: true}}.
export const MET = 'met'

// What is stored next to the answers and judgments: what follows from them, the cards of the review, and the pages read.
const BESIDE = [OUTCOMES, MET, 'cards', 'read']

/** @param {string} name */
export function get(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

// → whether the browser keeps it
/** @param {string} name @param {string} value */
export function set(name, value) {
  try {
    localStorage.setItem(name, value)
    return true
  } catch {
    return false
  }
}

const invented = () => crypto.randomUUID?.() ?? String(Math.random()).slice(2)

// A random id of this tab, for as long as it is open; frames may have no storage for it.
let reader = (() => {
  try {
    return (sessionStorage.reader ??= invented())
  } catch {
    return invented()
  }
})()

const TAKEN = 1_000 // milliseconds after which another tab has the id: the page that was here before lets go of it sooner
/** @type {Promise<string> | null} */
let claimed = null

// → the id of this tab, which no other tab uses. A duplicated tab begins with a copy of the first one's storage, so a tab
// that opens sessions holds a lock on its id, and one that does not get the lock takes another id. Nothing is locked
// before, because browsers do not keep a page with a lock for Back and Forward. Frames of one page share their storage,
// and with it the id.
export function claimReader() {
  if (!navigator.locks || window.top !== window.self) return Promise.resolve(reader)
  return (claimed ??= claim())
}

async function claim() {
  if (await locked(reader)) return reader
  reader = invented()
  try {
    sessionStorage.reader = reader
  } catch {
    // It is the id until the page is left.
  }
  locked(reader) // at once, as nobody else knows it
  return reader
}

// Holds a lock on an id until the page is left; → false if another tab holds it. A browser that refuses locks counts as
// one that has none.
/** @param {string} id @returns {Promise<boolean>} */
const locked = id =>
  new Promise(resolve => {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), TAKEN)
    const hold = () => {
      clearTimeout(timer)
      resolve(true)
      return /** @type {Promise<void>} */ (
        new Promise(release => {
          const leave = () => {
            claimed = null // a page that comes back asks again
            release()
          }
          addEventListener('pagehide', leave, {once: true})
        })
      )
    }
    navigator.locks
      .request(`reader ${id}`, {signal: patience.signal}, hold)
      .catch(() => resolve(!patience.signal.aborted))
  })

// Calls `listener` when something may have been kept elsewhere: in another tab, or on other pages before the reader came
// back to this one.
/** @param {() => void} listener */
export function whenKeptElsewhere(listener) {
  addEventListener('storage', () => listener())
  addEventListener('pageshow', ({persisted}) => {
    if (persisted) listener()
  })
}

/** @typedef {Record<string, Record<string, any>>} Answers page → exercise → answer */
/** @returns {Answers} */
export function answers() {
  try {
    const parsed = JSON.parse(get(ANSWERS) ?? '{}')
    return parsed && typeof parsed === 'object' ? parsed : {}
  } catch {
    return {}
  }
}

export const page = document.body.dataset.page

/** @param {string} exercise */
export function answer(exercise) {
  return answers()[page]?.[exercise]
}

/** @param {string} exercise @param {unknown} value @param {string} [onPage] */
export function keep(exercise, value, onPage = page) {
  const all = answers()
  all[onPage] = {...all[onPage], [exercise]: value}
  write(all)
}

/** @param {Answers} all */
function write(all) {
  set(ANSWERS, JSON.stringify(all))
  document.dispatchEvent(new Event('answered'))
}

/** @param {string} exercise @param {boolean} right @param {string} [onPage] */
export function outcome(exercise, right, onPage = page) {
  const name = `${onPage}.${exercise}`
  const all = answers()
  if (all[OUTCOMES]?.[name] === right && all[MET]?.[name]) return
  all[MET] = {[name]: {at: Date.now(), right}, ...all[MET]} // the first answer stays
  all[OUTCOMES] = {...all[OUTCOMES], [name]: right}
  write(all)
}

// Forgets one entry of those under a name, or all of them.
/** @param {string} name @param {string} [entry] */
export function forget(name, entry) {
  const all = answers()
  if (entry === undefined) delete all[name]
  else delete all[name]?.[entry]
  write(all)
}

// Whether this browser keeps anything for this site.
export function keeps() {
  set('keeps', 'yes')
  return get('keeps') === 'yes'
}

// Merges an exported file, which takes precedence over what is stored; → the number of answers and judgments, null if
// the file holds nothing. Throws an error if the browser does not keep them.
/** @param {string} text @returns {number | null} */
export function bring(text) {
  let brought
  try {
    brought = JSON.parse(text).answers
  } catch {
    return null
  }
  if (!record(brought)) return null
  const all = answers()
  let count = 0,
    empty = true
  for (const [name, entries] of Object.entries(brought).slice(0, MOST)) {
    if (!NAME.test(name) || name === '__proto__' || !record(entries)) continue
    const accepted = Object.entries(entries)
      .slice(0, MOST)
      .filter(([key, value]) => NAME.test(key) && key !== '__proto__' && plain(value))
    if (!accepted.length) continue
    all[name] = {...all[name], ...Object.fromEntries(accepted)}
    empty = false
    if (!BESIDE.includes(name)) count += accepted.length
  }
  if (empty) return null
  if (!set(ANSWERS, JSON.stringify(all))) throw new Error('This browser does not keep them')
  return count
}

/** @returns {value is Record<string, unknown>} */
const record = (/** @type {unknown} */ value) => value !== null && typeof value === 'object' && !Array.isArray(value)

// What exercises, claims and missions store: a word or number, a boolean, a list of these, or a confidence.
/** @param {unknown} value @param {boolean} [within] @returns {boolean} */
function plain(value, within = false) {
  if (typeof value === 'string') return value.length <= LONGEST
  if (typeof value === 'boolean' || Number.isFinite(value)) return true
  if (within || value === null || typeof value !== 'object') return false
  const all = Object.values(value)
  return all.length <= MOST && all.every(item => plain(item, true))
}

// What was erased last in this tab, until it is closed: the text of each entry, by name.
const ERASED = 'erased'

export function erase() {
  try {
    sessionStorage.setItem(ERASED, JSON.stringify({[ANSWERS]: get(ANSWERS), [ROUTE]: get(ROUTE)}))
    localStorage.removeItem(ANSWERS)
    localStorage.removeItem(ROUTE)
  } catch {
    return
  }
}

/** @returns {boolean} whether something was erased in this tab that can be brought back */
export function erased() {
  try {
    return sessionStorage.getItem(ERASED) !== null
  } catch {
    return false
  }
}

// Brings back what was erased; an answer given since then stays as it is.
export function restore() {
  try {
    const entries = JSON.parse(sessionStorage.getItem(ERASED) ?? '{}')
    const since = get(ANSWERS)
    if (entries[ROUTE] && !get(ROUTE)) set(ROUTE, entries[ROUTE])
    if (entries[ANSWERS]) set(ANSWERS, entries[ANSWERS])
    if (since) bring(JSON.stringify({answers: JSON.parse(since)}))
    sessionStorage.removeItem(ERASED)
  } catch {
    return
  }
}

// Whether this browser shows all answers at once, to readers who would rather not predict.
const REVEAL = 'reveal'

export const showsAll = () => get(REVEAL) === 'yes'

/** @param {boolean} shown */
export function showAll(shown) {
  set(REVEAL, shown ? 'yes' : '')
}

/** @typedef {{values: Values, step: number, here: boolean}} LeftRun `here`: whether this browser trained it */
/** @param {string} figure */
const runOf = figure => `run ${page} ${figure}`

// Keeps where a figure's run is, until the tab is closed; null forgets it.
/** @param {string} figure @param {LeftRun | null} run */
export function keepRun(figure, run) {
  try {
    if (run) sessionStorage.setItem(runOf(figure), JSON.stringify(run))
    else sessionStorage.removeItem(runOf(figure))
  } catch {
    return
  }
}

// The run of a figure that was under way when the page was left in this tab.
/** @param {string} figure @returns {LeftRun | null} */
export function leftRun(figure) {
  try {
    return JSON.parse(sessionStorage.getItem(runOf(figure)) ?? 'null')
  } catch {
    return null
  }
}
