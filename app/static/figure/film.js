// A training as a film: the pictures of its run that this page has shown, so that a reader can go back to them. Runs keep
// only their last picture on the server; the others are kept in this tab for as long as the settings stay the same.
const MOST = 60 // pictures; of a longer run every other one is given up

/** @typedef {Pick<Live, 'description' | 'results' | 'diverged' | 'step'>} Said what the page says about a picture */
/** @typedef {{step: number, said: Said, values: Map<string, unknown>}} FilmFrame */

export class Film {
  constructor() {
    /** @type {FilmFrame[]} in the order of their steps */
    this.frames = []
    /** @type {FilmFrame | null} an earlier one that is shown instead of the newest */
    this.shown = null
    this.settings = ''
  }

  get newest() {
    return this.frames.at(-1)
  }

  // Adds the picture that is shown. A run that starts over, or that goes on from before an end that was kept, replaces
  // what comes later.
  /** @param {Pick<import('../bokeh/kept.js').Kept, 'snapshot'>} kept @param {Live} live */
  record(kept, {values, description, results, diverged, step}) {
    if (step === undefined) return
    const settings = JSON.stringify(values)
    const before = settings === this.settings ? this.frames.filter(frame => frame.step < step) : []
    this.settings = settings
    this.frames = thinned([...before, {step, said: {description, results, diverged, step}, values: kept.snapshot()}])
    if (this.shown && !this.frames.includes(this.shown)) this.shown = null
  }

  // The picture for a step: the nearest one. From a key, which moves by a single step, the next one in its direction.
  /** @param {number} step @param {number} from the step that is shown @param {boolean} isKey */
  toward(step, from, isKey) {
    const nearest = this.frames.reduce((one, other) =>
      Math.abs(other.step - step) < Math.abs(one.step - step) ? other : one,
    )
    if (!isKey || nearest.step !== from) return nearest
    const next =
      step > from
        ? this.frames.find(frame => frame.step > from)
        : this.frames.findLast(frame => frame.step < from && step < from)
    return next ?? nearest
  }
}

/** @param {FilmFrame[]} frames */
export function thinned(frames) {
  if (frames.length <= MOST) return frames
  return frames.filter((_frame, index) => index % 2 === 0 || index === frames.length - 1)
}
