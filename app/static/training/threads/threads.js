// The threads that train the networks of a figure. They share the networks if these are independent of each other: none of
// their numbers depends on the thread. To the page all threads are one, with one answer to each task (worker.js).

/** @typedef {import('./worker.js').Start} Start */
/** @typedef {import('./worker.js').Advance} Advance */
/** @typedef {import('./worker.js').AnyNetwork} AnyNetwork */
/** @typedef {import('./worker.js').News} News */
/** @typedef {Extract<News, {kind: 'progress'}>} Progress */

const MOST = 4 // threads: each has the compiled code and its memory for itself
const TICK = 1_000 // milliseconds
const SILENCE = 120 // ticks without an answer; a page that sleeps does not tick

/** How many threads may train: the page keeps a core of the processor for itself. @param {number} [cores] */
export const atMost = (cores = navigator.hardwareConcurrency || 1) => Math.max(1, Math.min(cores - 1, MOST))

/**
 * The networks of each thread, by their names. The deepest ones, which take longest, are dealt out first.
 * @param {Record<string, AnyNetwork>} networks @param {number} most threads
 */
export function shared(networks, most) {
  const depthOf = (/** @type {AnyNetwork} */ network) => {
    if ('stack' in network) return network.stack.skips.length
    const {architecture} = network
    return 'depth' in architecture ? architecture.depth : architecture.blocks
  }
  const entries = Object.entries(networks).sort(([, one], [, other]) => depthOf(other) - depthOf(one))
  const count = Math.min(most, entries.length)
  return Array.from({length: count}, (_, thread) =>
    Object.fromEntries(entries.filter((_entry, place) => place % count === thread)),
  )
}

/** A thread that trains or calculates. */
export const thread = () => new Worker(new URL('./worker.js', import.meta.url), {type: 'module'})

/** Why a thread has ended, in a sentence. @param {ErrorEvent} event without a message if its script was not loaded */
export function failureOf({message}) {
  if (message) return `A thread of this browser has failed: ${message}.`
  if (location.protocol === 'file:') return 'This browser may not start threads for pages that are files on a disk.'
  return 'A thread of this browser did not start.'
}

// Calls `late` if a thread says nothing for too long, unless what this returns is called before: a thread that the system
// has ended says nothing.
/** @param {() => void} late @returns {() => void} */
export function unlessSilent(late) {
  let ticks = 0
  const clock = setInterval(() => {
    ticks += 1
    if (ticks < SILENCE) return
    clearInterval(clock)
    late()
  }, TICK)
  return () => clearInterval(clock)
}

export const SILENT = 'A thread of this browser is not responding.'

export class Threads {
  /**
   * @param {number} most
   * @param {{news: (news: Progress) => void, lost: (reason: string) => void}} hears `lost`: a thread does not start, has ended, or says nothing
   */
  constructor(most, hears) {
    this.most = most
    this.hears = hears
    /** @type {Worker[]} */
    this.workers = []
    /** @type {Record<string, AnyNetwork>[]} the networks of each thread */
    this.shares = []
    /** @type {string[]} the names of all networks */
    this.names = []
    this.run = NaN
    /** @type {Progress[]} to the last task */
    this.answers = []
    this.heard = () => {} // ends the wait for an answer
  }

  /** @param {Start | Advance} task */
  send(task) {
    const {networks} = task
    if (networks) {
      // Only threads that have started a run know its networks.
      this.shares = shared(networks, task.kind === 'start' ? this.most : this.shares.length)
      this.names = Object.keys(networks)
    }
    this.run = task.run
    this.answers = []
    this.wait()
    for (const [place, share] of this.shares.entries()) {
      try {
        this.workers[place] ??= this.started()
      } catch (error) {
        // Not every browser lets a page start one. Whoever sends hears of it later, as of other failures.
        const {message} = /** @type {Error} */ (error)
        setTimeout(() => this.lose(`A thread of this browser did not start: ${message}.`), 0)
        return
      }
      this.workers[place].postMessage(networks ? {...task, networks: share} : task)
    }
  }

  started() {
    const worker = thread()
    worker.addEventListener('message', (/** @type {MessageEvent<News>} */ {data}) => this.take(data))
    worker.addEventListener('error', event => {
      event.preventDefault() // it is said on the page
      this.lose(failureOf(event))
    })
    return worker
  }

  wait() {
    this.heard()
    this.heard = unlessSilent(() => this.lose(SILENT))
  }

  /** @param {string} reason */
  lose(reason) {
    this.terminate()
    this.hears.lost(reason)
  }

  /** @param {News} news */
  take(news) {
    if (news.run !== this.run) return
    if (news.kind !== 'progress') return this.lose(news.message)
    this.answers.push(news)
    if (this.answers.length < this.shares.length) return
    this.heard()
    const slowest = this.answers.reduce((one, other) => (other.milliseconds > one.milliseconds ? other : one))
    const networks = Object.assign({}, ...this.answers.map(answer => answer.networks))
    const paces = this.answers.flatMap(answer => answer.pace ?? [])
    const pace = paces.length ? Math.max(...paces) : undefined
    this.hears.news({...slowest, pace, networks: Object.fromEntries(this.names.map(name => [name, networks[name]]))})
  }

  terminate() {
    this.heard()
    this.run = NaN // what they still say is of no use
    for (const worker of this.workers) worker.terminate()
    this.workers = []
  }
}
