// A session that trains in this browser: what app/live/run_controller.py does for one on the server.
import {received} from '../../shared/kernels/engine.js'
import {STATIC} from '../../shared/static-copy.js'
import {LocalCalculation} from './local-calculation.js'
import {FigureSession, folderOf} from './figure-session.js'
import {endOf, endsOf, isOverTime} from '../frame.js'
import {Threads, atMost} from '../threads/threads.js'

const PICTURE_EVERY = 80 // milliseconds of training between two pictures, about
const SHORTEST_RUN = 3_000 // milliseconds: one that is over after two pictures shows nothing
const TOO_LONG = 180_000 // milliseconds of a whole run, where a server could do it
const MINUTE = 60_000 // milliseconds
const WARM = 2_000 // milliseconds of training until a browser has compiled the kernels well, and their speed can be judged
const LEAST_SHARE = 0.1 // of full speed
const TRIED = 64 // steps at most, to estimate how long a run takes
const BEFORE_TRIAL = 500 // milliseconds that the first picture has to stay: a reader who drags a slider starts many runs

/** @type {Record<string, () => Promise<TrainedFigure | CalculatedFigure>>} what a browser can train or calculate, by the name of the simulation */
const FIGURES = {
  arena: () => import('../figures/arena.js'),
  corrections: () => import('../figures/calculated/corrections.js'),
  dataflow: () => import('../figures/calculated/dataflow.js'),
  degradation: () => import('../figures/degradation.js'),
  explorer: () => import('../figures/explorer.js'),
  failures: () => import('../figures/failures.js'),
  init: () => import('../figures/init.js'),
  insert_identity: () => import('../figures/insert_identity.js'),
  interactions: () => import('../figures/interactions.js'),
  language: () => import('../figures/language.js'),
  language_tower: () => import('../figures/calculated/language_tower.js'),
  paths: () => import('../figures/calculated/paths.js'),
  plus_signs: () => import('../figures/plus_signs.js'),
  pollute: () => import('../figures/pollute.js'),
  projection: () => import('../figures/calculated/projection.js'),
  rezero: () => import('../figures/rezero.js'),
  stability: () => import('../figures/stability.js'),
  sweep: () => import('../figures/sweep.js'),
  tower: () => import('../figures/calculated/tower.js'),
  variants: () => import('../figures/variants.js'),
}

/** @typedef {import('../threads/threads.js').Progress} Progress */
/** @extends {FigureSession<TrainedFigure>} */
export class LocalSession extends FigureSession {
  /** @param {TrainableFigure} simulation @param {Values} values @param {import('./figure-session.js').Hears} hears @returns {Promise<LocalSession | LocalCalculation>} */
  static async open(simulation, values, hears) {
    const figure = await FIGURES[simulation.name]()
    if (figure.READS) figure.READS.take(await (await received(`${folderOf(simulation)}${figure.READS.file}`)).text())
    if ('calculation' in figure) return new LocalCalculation(simulation, figure, values, hears)
    return new LocalSession(simulation, figure, values, hears)
  }

  /** @param {TrainableFigure} simulation @param {TrainedFigure} figure @param {Values} values @param {import('./figure-session.js').Hears} hears */
  constructor(simulation, figure, values, hears) {
    super(simulation, figure, values, hears)
    this.share = 1
    this.came = this.trains.ends.map(({values, ...end}) => ({settings: this.withInitial(values), end: endOf(end)}))
    /** @type {{settings: Values, end: RunEnd}[]} the ends of runs that came with the page, or that it has trained */
    this.ends = [...this.came]
    this.number = 0 // of the present run, or of the last one
    this.variant = ''
    this.playing = false
    this.continues = false // once the figure is seen again
    this.owed = 0 // steps that the reader asked for one by one
    this.until = 0 // the step up to which the run is repeated
    /** @type {Record<string, TrainingRun | LanguageProgress | StackProgress> | null} */
    this.runs = null
    this.begun = false
    this.busy = false // whether threads are at work for this run
    /** @type {RunStatus | null} */
    this.ended = null
    this.pace = PICTURE_EVERY // milliseconds of a step
    this.tried = false // whether this is the pace of tried steps
    this.watching = 0 // milliseconds that the observers take for a picture
    this.worked = 0 // milliseconds of the run's steps so far
    this.asking = 0 // steps that are under way
    this.total = 0 // steps of the run
    this.taken = 0 // those that it has taken
    /** @type {Record<string, TrainedNetwork | TrainedLanguage | TrainedStack>} */
    this.networks = {}
    /** @type {Threads | null} */
    this.threads = null
    this.again = false // whether the run was begun once more after a failure
    this.plain = false // whether it has to do without fused products
  }

  close() {
    super.close()
    clearTimeout(this.timer)
    this.threads?.terminate()
    this.threads = null
  }

  // -- what the reader does ----------------------------------------------------------------------------------------

  /** @param {SessionRequest} request */
  async drive({do: action, share, play, step = 0}) {
    if (action === 'speed') this.share = Math.min(Math.max(Number(share) || 1, LEAST_SHARE), 1)
    else if (action === 'play' || (action === 'resume' && play)) this.play()
    else if (action === 'resume') this.repeat(step)
    else if (action === 'step') this.step()
    else if (action === 'pause') this.pause()
    else if (action === 'restart') this.restart()
    else if (action === 'unseen') {
      if (!this.playing) return
      this.continues = true
      this.pause()
    } else if (action === 'seen') {
      if (this.continues) this.play()
    } else if (action === 'end') await this.showPrepared()
    else throw new RangeError(`a run cannot ${action}`)
  }

  // A run that plays restarts with other settings.
  /** @param {string[]} changed */
  async parametersChanged(changed) {
    if (changed.some(name => this.trains.restarts.includes(name))) {
      if (this.playing) return this.restart()
      this.leave()
    }
    await this.showNow()
  }

  play() {
    if (this.ended === 'failed') this.leave()
    if (this.ended) return
    this.playing = true
    this.continues = false
    this.owed = this.until = 0
    this.begin()
    this.next()
  }

  step() {
    if (this.ended === 'failed') this.leave()
    if (this.ended) return
    this.playing = false
    this.owed += 1
    this.begin()
    this.next()
  }

  // Takes the steps of a run that another session had begun: the same numbers come out. Then it pauses.
  /** @param {number} step the last one */
  repeat(step) {
    if (this.begun || !step) return
    this.until = step
    this.remarks = [`The page was left at step ${step} of this run; the same steps are taken again.`]
    this.begin()
  }

  pause() {
    this.playing = false
    this.owed = this.until = 0
    clearTimeout(this.timer)
  }

  restart() {
    const {playing} = this
    this.leave()
    this.playing = playing
    this.begin()
  }

  // -- the run -----------------------------------------------------------------------------------------------------

  // Forgets the run: the settings have changed.
  leave() {
    this.pause()
    this.number += 1
    this.runs = null
    this.frame = null
    this.kept = false
    this.begun = this.busy = this.continues = false
    this.failure = ''
    this.ended = null
    this.pace = PICTURE_EVERY
    this.tried = false
    this.asking = this.taken = 0
    this.again = this.plain = false
    this.remarks = []
  }

  // Starts the run of these settings, unless that has happened.
  begin() {
    if (this.begun) return
    this.begun = this.busy = true
    this.threads ??= this.started()
    this.networks = this.figure.networks(this.settings)
    if (!Object.keys(this.networks).length) return this.refuse()
    this.threads.send(this.startOf())
  }

  /** @returns {import('../threads/worker.js').Start} */
  startOf() {
    const {number: run, folder, networks, settings, plain} = this
    const version = folder.split('/').at(-2) ?? ''
    return {kind: 'start', run, folder, version, figure: this.simulation.name, settings, networks, plain}
  }

  // Takes some steps to see how long one takes, and starts again.
  try() {
    if (this.busy || this.ended || this.taken || this.kept) return
    this.busy = true
    this.threads?.send({...this.startOf(), tried: Math.min(TRIED, this.figure.HEAT ?? TRIED)})
  }

  /** @param {number} pace milliseconds of a step */
  takeTrial(pace) {
    this.pace = pace
    this.tried = true
    this.publish()
    this.next()
  }

  // Shows why these settings cannot be trained.
  refuse() {
    this.runs = {}
    this.frame = this.figure.frame(this.runs, this.settings)
    this.busy = this.playing = false
    this.ended = 'finished'
    this.draw()
  }

  started() {
    const most = this.figure.DIVISIBLE && !this.again ? atMost() : 1
    return new Threads(most, {news: news => this.take(news), lost: reason => this.lost(reason)})
  }

  // A thread has failed. A server trains instead; without one, the run begins again with less: in one thread, and by the
  // plain code if not even its start came. After that, only the run that came with the page can be shown.
  /** @param {string} reason in a sentence */
  lost(reason) {
    this.threads = null
    if (!this.begun || this.ended) return
    if (!STATIC) return this.unable(reason)
    if (this.again) return this.giveUp(reason)
    const {playing, continues, owed, runs, frame, kept} = this
    const reached = this.taken + (this.busy ? this.asking : 0)
    const until = playing ? 0 : Math.max(this.until, reached + owed)
    this.leave()
    Object.assign(this, {playing, continues, frame, kept, until, again: true, plain: !runs})
    this.remarks = [`${reason} The run has begun again.`]
    this.begin()
    this.publish()
  }

  /** @param {string} reason in a sentence */
  async giveUp(reason) {
    const came = await this.showPrepared().catch(() => false)
    this.remarks = []
    this.fail(`${reason} The picture ${came ? 'is that of the run that came with this page' : 'stays as it was'}.`)
  }

  // Whether it takes steps again that it has taken before.
  get repeats() {
    return this.taken < this.until
  }

  get speed() {
    return this.repeats ? 1 : this.share
  }

  // Takes the next steps, if some are wanted and nothing is under way.
  next() {
    const {playing, owed, repeats} = this
    if (this.busy || this.ended || !(playing || owed || repeats)) return
    const trains = Math.max(PICTURE_EVERY - this.watching, this.watching)
    const pace = Math.min(trains / this.pace, (this.total * PICTURE_EVERY) / SHORTEST_RUN) * this.speed
    const fast = Math.max(Math.floor(pace), 1)
    const wanted = playing ? fast : repeats ? Math.min(fast, this.until - this.taken) : owed
    const {HEAT: heat = this.total, further} = this.figure
    const steps = Math.min(wanted, this.total - this.taken, heat - (this.taken % heat))
    const networks = further?.(/** @type {Record<string, TrainingRun>} */ (this.runs), this.settings)
    this.networks = {...this.networks, ...networks}
    if (!playing && !repeats) this.owed = 0
    this.busy = true
    this.asking = steps
    this.threads?.send({kind: 'advance', run: this.number, steps, networks})
  }

  /** @param {Progress} news */
  take(news) {
    if (news.run !== this.number) return
    this.busy = false
    if (news.pace !== undefined) return this.takeTrial(news.pace)
    this.variant = news.variant
    const first = !this.runs
    this.taken += this.asking
    this.runs ??= {}
    for (const [name, {records, ...rest}] of Object.entries(news.networks)) {
      const {seeds, ...network} = this.networks[name]
      const all = [...(this.runs[name]?.records ?? []), ...records]
      this.runs[name] = /** @type {TrainingRun | LanguageProgress | StackProgress} */ ({
        ...{...network, seeds: seeds.length, records: all},
        ...rest,
      })
    }
    const worked = news.milliseconds - news.watched
    if (!first) this.pace = worked / this.asking
    this.worked = first ? 0 : this.worked + worked
    this.watching = news.watched
    const needed = this.worked > WARM ? (this.worked * this.total) / this.taken : 0
    if (needed > TOO_LONG) {
      const slow = `This browser needs about ${Math.round(needed / MINUTE)} minutes for the whole run.`
      if (!STATIC) return this.unable(slow)
      if (!this.remarks.length) this.remarks = [slow]
    }
    // The reader has skipped to the end meanwhile.
    if (this.kept && !this.playing && !this.owed && !this.repeats) return this.publish()
    this.kept = false
    this.frame = this.figure.frame(this.runs, this.settings)
    this.total = this.frame.steps
    if (this.frame.step >= this.total) this.finish()
    this.draw()
    const due = first ? 0 : Math.max(news.milliseconds, (this.asking / this.total) * SHORTEST_RUN) / this.speed
    const rest = due - news.milliseconds
    const waits = first && !(this.playing || this.owed || this.repeats)
    this.timer = waits ? setTimeout(() => this.try(), BEFORE_TRIAL) : setTimeout(() => this.next(), rest)
  }

  finish() {
    const frame = /** @type {TrainingFrame} */ (this.frame)
    this.ended = frame.diverged.length ? 'diverged' : 'finished'
    this.playing = false
    if (!frame.diverged.length) this.ends.push({settings: this.settings, end: frame})
  }

  /** @param {string} message */
  fail(message) {
    this.busy = this.playing = false
    this.ended = 'failed'
    super.fail(message)
  }

  // -- what the page is shown --------------------------------------------------------------------------------------

  // The picture of the settings: the present frame, an end that came with the page, or the start of a run.
  async showNow() {
    if (this.runs) {
      this.frame = this.figure.frame(this.runs, this.settings)
      return this.draw()
    }
    if (await this.showPrepared()) return
    const frame = await this.preparedFrame()
    if (!frame) return this.begin()
    // Only what is drawn of a kept run has changed, such as the choice of the test error.
    this.frame = this.figure.reread?.(frame, this.settings) ?? frame
    this.kept = true
    this.draw()
  }

  /** @returns {Live} */
  live() {
    const {kept, playing} = this
    const until = this.repeats ? this.until : 0
    return {
      ...super.live(),
      training: true,
      kept,
      playing,
      until,
      seconds: this.seconds,
      end: !kept && this.hasPrepared,
    }
  }

  // About how long the whole run takes, before it has begun.
  get seconds() {
    if (!this.tried || this.taken || this.kept || this.playing) return null
    const pictures = (this.total * this.pace) / Math.max(PICTURE_EVERY - this.watching, this.watching)
    return Math.max(this.total * this.pace + pictures * this.watching, SHORTEST_RUN) / 1000
  }

  /** @returns {RunStatus} */
  get status() {
    if (this.ended) return this.ended
    if (this.playing || this.owed || this.repeats || (this.busy && this.frame)) return 'running'
    return this.runs && this.frame?.step ? 'paused' : 'ready'
  }

  computed() {
    if (this.kept) return 'Kept from a run of the server’s code; it came with this page.'
    const equal = this.equal()
    return [
      'Live, in your browser, for you, by the same code as on a server',
      this.variant === 'plain' ? '; products are rounded twice here, so the last digits differ.' : '.',
      equal === true ? ` Its end equals the kept run, ${this.figure.ROUNDED ? 'to 12 digits' : 'bit for bit'}.` : '',
      equal === false && this.variant === 'fused' ? ' Its end differs from the kept run.' : '',
    ].join('')
  }

  // Whether the run has ended as the one that came with the page did; null where that cannot be said.
  equal() {
    const stored = this.came.find(({settings}) => this.isSame(settings))
    if (this.ended !== 'finished' || !this.frame || !stored) return null
    const {quantities} = this.frame
    const {ROUNDED: isRounded} = this.figure
    const same = isRounded ? isNear : Object.is
    const isCurve = (/** @type {string} */ name) => isOverTime(quantities[name]) && quantities[name].axes.length === 1
    // Of what is rounded, the curves are compared: other numbers may be of single precision.
    const compared = Object.entries(stored.end.quantities).filter(([name]) => !isRounded || isCurve(name))
    return compared.every(
      ([name, {values}]) =>
        quantities[name].texts || endsOf(quantities[name]).every((value, at) => same(value, values[at])),
    )
  }

  // -- runs that came with the page --------------------------------------------------------------------------------

  // The frame of these settings, if their run came with the page but is drawn in another way.
  async preparedFrame() {
    const {parameters, restarts} = this.trains
    const drawing = Object.keys(parameters).filter(name => !restarts.includes(name))
    const own = this.withInitial({})
    const changed = Object.fromEntries(drawing.map(name => [name, own[name]]))
    return (await this.prepared({...this.settings, ...changed}))?.frame ?? null
  }

  // The ends of other runs that are drawn beside the present one.
  keptEnds() {
    const /** @type {KeptEnds} */ ends = {}
    for (const [name, changed] of Object.entries(this.trains.beside)) {
      const run = this.ends.findLast(({settings}) => this.isSame(settings, {...this.settings, ...changed}))
      if (run) ends[name] = run.end
    }
    return ends
  }
}

/** @param {number} one @param {number} other */
const isNear = (one, other) => Object.is(one, other) || Math.abs(one - other) <= 1e-12 * Math.abs(one)
