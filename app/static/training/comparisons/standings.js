// Ranks the networks in a race, as in sims/comparisons/standings.py.
import {median} from '../frame.js'

/** The finish line: a share of wrong training answers. */
export const FINISH = 0.02
/** Share of all pairings of seeds that one side must win so that a race tells two entrants apart. */
export const TOLD_APART = 0.9

export const RULE =
  'A seed finishes at the first record with under 2% wrong answers on the training data. The network with more finished ' +
  'seeds ranks higher; in a tie, the one with the smaller median step; where no seed finishes, the one with the lower ' +
  'median loss. Going down that ranking, pair each seed of a network with each seed of the leader of the place ' +
  'above it: unless that leader wins 90% of the pairings, the two share its place'

/** What an entrant has achieved: the steps of its seeds that finished, and the losses of these and of the others. */
export class Score {
  /** @param {number[]} finished rising @param {number[]} losses of those that finished, in their order, and then of the others, rising */
  constructor(finished, losses) {
    this.finished = finished
    this.losses = losses
    /** The median step; infinity if no seed finished. */
    this.step = finished.length ? median(Float64Array.from(finished)) : Infinity
    this.loss = losses.toSorted(ascending)[Math.floor(losses.length / 2)]
  }

  /** Sort keys of the seeds, best first. */
  get seeds() {
    const left = this.losses.slice(this.finished.length)
    return [...this.finished.map(step => [step, 0]), ...left.map(loss => [Infinity, loss])]
  }

  /** The sort key of the entrant; the best is the smallest. */
  get key() {
    return [-this.finished.length, this.step, this.loss]
  }

  /** Whether its seeds show that it is better than another. @param {Score} other */
  beats(other) {
    const [own, others] = [this.seeds, other.seeds]
    const won = own.reduce((sum, mine) => sum + others.filter(theirs => compared(mine, theirs) < 0).length, 0)
    return won >= TOLD_APART * own.length * others.length
  }
}

/** @param {number} one @param {number} other */
const ascending = (one, other) => (one < other ? -1 : Number(one > other))

/** Compares lists of numbers, the first different one decides. @param {number[]} one @param {number[]} other */
export function compared(one, other) {
  const at = one.findIndex((value, place) => value !== other[place])
  return at < 0 ? 0 : ascending(one[at], other[at])
}

/** The score of a run's seeds so far. @param {TrainingRun} run */
export function scoreOf({records, now, overflows}) {
  const losses = Array.from(now.train_loss, (loss, seed) =>
    Number.isFinite(loss) && !overflows[seed] ? loss : Infinity,
  )
  const seeds = losses.map((loss, seed) => ({
    loss,
    record: records.find(({train_error: errors}) => errors[seed] < FINISH),
  }))
  const home = seeds.flatMap(({loss, record}) => (record ? [[record.step, loss]] : [])).sort(compared)
  const left = seeds.filter(({record}) => !record).map(({loss}) => loss)
  return new Score(
    home.map(([step]) => step),
    [...home.map(([, loss]) => loss), ...left.sort(ascending)],
  )
}

/** The progress of every seed at every record: its share of right answers, and 1 from its finish on. @param {TrainingRecord[]} records */
export function progress(records) {
  const isAcross = records[0].train_error.map(() => 0)
  return records.map(({train_error: errors}) =>
    errors.map((error, seed) => {
      if (error < FINISH) isAcross[seed] = 1
      return isAcross[seed] ? 1 : 1 - error
    }),
  )
}

/** The place of each name, from 1, in the order of the places. @param {Record<string, Score>} scores */
export function places(scores) {
  const order = Object.keys(scores).sort((one, other) => compared(scores[one].key, scores[other].key))
  const /** @type {Record<string, number>} */ ranks = {}
  let leader = ''
  for (const [at, name] of order.entries()) {
    // An entrant that the first one of a place does not beat shares that place.
    if (leader && !scores[leader].beats(scores[name])) ranks[name] = ranks[leader]
    else {
      ranks[name] = at + 1
      leader = name
    }
  }
  return ranks
}
