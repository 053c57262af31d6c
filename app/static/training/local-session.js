// A session without a server: it answers the same requests of a figure as app/live/session.py, with the same messages and
// the same changes of the picture, and trains in this browser.
import {received} from '../shared/kernels/engine.js'
import {STATIC} from '../shared/static-copy.js'
import {KINDS, reply} from './downloads.js'
import {endOf, endsOf, frameOf} from './frame.js'
import {admitted} from './parameters.js'

const PICTURE_EVERY = 80 // milliseconds of training between two pictures, about
const SHORTEST_RUN = 3_000 // milliseconds: one that is over after two pictures shows nothing
const TOO_LONG = 180_000 // milliseconds of a whole run, where a server could do it
const WARM = 2_000 // milliseconds of training until a browser has compiled the kernels well, and their speed can be judged
const LEAST_SHARE = 0.1 // of full speed

/** @type {Record<string, () => Promise<TrainedFigure>>} the figures that a browser can train, by the name of the simulation */
const FIGURES = {
  arena: () => import('./figures/arena.js'),
  degradation: () => import('./figures/degradation.js'),
  explorer: () => import('./figures/explorer.js'),
  failures: () => import('./figures/failures.js'),
  init: () => import('./figures/init.js'),
  insert_identity: () => import('./figures/insert_identity.js'),
  interactions: () => import('./figures/interactions.js'),
  language: () => import('./figures/language.js'),
  pollute: () => import('./figures/pollute.js'),
  rezero: () => import('./figures/rezero.js'),
  stability: () => import('./figures/stability.js'),
  sweep: () => import('./figures/sweep.js'),
  variants: () => import('./figures/variants.js'),
}

/** @typedef {import('./worker.js').News} News */
/** @typedef {{changes: (events: PatchEvent[]) => void, unable: () => void}} Hears `unable`: a server should train instead */

export class LocalSession {
  /** @param {TrainableFigure} simulation @param {Values} values @param {Hears} hears */
  static async open(simulation, values, hears) {
    const figure = await FIGURES[simulation.name]()
    if (figure.READS) figure.READS.take(await (await received(`${folderOf(simulation)}${figure.READS.file}`)).text())
    return new LocalSession(simulation, figure, values, hears)
  }

  /** @param {TrainableFigure} simulation @param {TrainedFigure} figure @param {Values} values @param {Hears} hears */
  constructor(simulation, figure, values, {changes, unable}) {
    this.simulation = simulation
    this.figure = figure
    this.trains = /** @type {BrowserTraining} */ (simulation.trains)
    this.changes = changes
    this.unable = unable
    const {defaults, onward} = simulation.live
    this.lasting = {defaults, onward}
    const {settings, notes} = admitted(this.trains.parameters, values)
    this.settings = this.withInitial(settings)
    this.asked = 0 // the last request that was answered
    /** @type {Promise<void>} */
    this.queue = Promise.resolve()
    this.notes = notes
    /** @type {TrainingFrame | null} */
    this.frame = null
    this.kept = false // whether the frame is the end of a run that came with the page
    this.share = 1
    this.came = this.trains.ends.map(({values, ...end}) => ({settings: this.withInitial(values), end: endOf(end)}))
    /** @type {{settings: Values, end: RunEnd}[]} the ends of runs that came with the page, or that it has trained */
    this.ends = [...this.came]
    /** @type {Worker | null} */
    this.worker = null
    this.number = 0 // of the present run, or of the last one
    this.variant = ''
    this.playing = false
    this.continues = false // once the figure is seen again
    this.owed = 0 // steps that the reader asked for one by one
    /** @type {Record<string, TrainingRun | LanguageProgress> | null} */
    this.runs = null
    this.begun = false
    this.busy = false // whether the worker is at work for this run
    this.failure = ''
    /** @type {RunStatus | null} */
    this.ended = null
    this.pace = PICTURE_EVERY // milliseconds of a step
    this.watching = 0 // milliseconds that the observers take for a picture
    this.worked = 0 // milliseconds of the run's steps so far
    this.asking = 0 // steps that the worker takes now
    this.total = 0 // steps of the run
    this.taken = 0 // those that it has taken
    /** @type {Record<string, TrainedNetwork | TrainedLanguage>} */
    this.networks = {}
  }

  /** @param {SessionRequest} request */
  request(request) {
    this.after(() => this.act(request))
  }

  /** Gestures in the picture. @param {BokehEvent[]} events */
  send(events) {
    this.after(() => this.point(events))
  }

  // Does one thing after the other: some wait for a file.
  /** @param {() => Promise<void>} task */
  after(task) {
    this.queue = this.queue.then(task).catch(error => this.fail(String(error)))
  }

  close() {
    this.worker?.terminate()
    clearTimeout(this.timer)
    this.worker = null
  }

  // -- what the reader does ----------------------------------------------------------------------------------------

  /** @param {SessionRequest} request */
  async act({n, do: action, values, initial, share, play}) {
    const {parameters} = this.trains
    this.asked = Math.max(this.asked, n)
    if (action === 'show' || action === 'set') await this.set(values ?? {}, action === 'show')
    else if (action === 'reset') {
      const all = Object.entries(parameters).map(([name, declared]) => [name, initial?.[name] ?? declared.default])
      await this.set(Object.fromEntries(all))
    } else if (action === 'seed') await this.set({seed: String(Number(this.settings.seed) + 1)})
    else if (action === 'speed') this.share = Math.min(Math.max(Number(share) || 1, LEAST_SHARE), 1)
    else if (action === 'play' || (action === 'resume' && play)) this.play()
    else if (action === 'step') this.step()
    else if (action === 'pause') this.pause()
    else if (action === 'restart') this.restart()
    else if (action === 'unseen' && this.playing) {
      this.continues = true
      this.pause()
    } else if (action === 'seen' && this.continues) this.play()
    else if (action === 'end') await this.showPrepared()
    else await this.answer(action)
    this.publish()
  }

  /** @param {BokehEvent[]} events */
  async point(events) {
    const {figure, trains, settings, frame} = this
    const values = events.map(
      ({msg_data: gesture}) => gesture && figure.pointed?.(trains.names, gesture, settings, frame),
    )
    const last = values.findLast(value => value)
    if (last) await this.act({n: this.asked, do: 'set', values: last})
  }

  /** @param {Values} values @param {boolean} [anyway] whether to show the picture even if nothing has changed */
  async set(values, anyway = false) {
    const {settings, notes} = admitted(this.trains.parameters, values)
    if (!anyway) this.notes = []
    this.notes.push(...notes)
    const changed = Object.keys(settings).filter(name => settings[name] !== this.settings[name])
    this.settings = {...this.settings, ...settings}
    if (!changed.length && !anyway) return
    if (changed.some(name => this.trains.restarts.includes(name))) {
      if (this.playing) return this.restart()
      this.leave()
    }
    await this.showNow()
  }

  play() {
    if (this.ended) return
    this.playing = true
    this.continues = false
    this.owed = 0
    this.begin()
    this.next()
  }

  step() {
    if (this.ended) return
    this.playing = false
    this.owed += 1
    this.begin()
    this.next()
  }

  pause() {
    this.playing = false
    this.owed = 0
    clearTimeout(this.timer)
  }

  restart() {
    const {playing} = this
    this.leave()
    this.playing = playing
    this.begin()
  }

  // Shows the end that came with the page, if there is one for these settings; the run itself stays where it is.
  async showPrepared() {
    const prepared = await this.prepared()
    if (!prepared) return false
    this.pause()
    const picture = prepared.events.filter(({model, msg_type: kind}) => model || kind === 'listing')
    this.frame = prepared.frame
    this.kept = true
    this.changes([...picture, this.message('live', this.live())])
    return true
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
    this.asking = this.taken = 0
  }

  // Starts the run of these settings, unless that has happened.
  begin() {
    if (this.begun) return
    this.begun = this.busy = true
    this.worker ??= this.started()
    const folder = folderOf(this.simulation)
    const version = folder.split('/').at(-2)
    this.networks = this.figure.networks(this.settings)
    const {number: run, networks, settings} = this
    if (!Object.keys(networks).length) return this.refuse()
    const figure = this.simulation.name
    this.worker.postMessage({kind: 'start', run, folder, version, figure, settings, networks})
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
    const worker = new Worker(new URL('./worker.js', import.meta.url), {type: 'module'})
    worker.addEventListener('message', (/** @type {MessageEvent<News>} */ {data}) => this.take(data))
    worker.addEventListener('error', event => {
      event.preventDefault() // it is said here
      if (!STATIC) return this.unable()
      this.fail('This browser did not start the training: it may not allow threads of pages that are files on a disk.')
    })
    return worker
  }

  // Takes the next steps, if some are wanted and nothing is under way.
  next() {
    if (this.busy || this.ended || !(this.playing || this.owed)) return
    const trains = Math.max(PICTURE_EVERY - this.watching, this.watching)
    const fast = Math.min(trains / this.pace, (this.total * PICTURE_EVERY) / SHORTEST_RUN) * this.share
    const wanted = this.playing ? Math.max(Math.floor(fast), 1) : this.owed
    const {HEAT: heat = this.total, further} = this.figure
    const steps = Math.min(wanted, this.total - this.taken, heat - (this.taken % heat))
    const networks = further?.(/** @type {Record<string, TrainingRun>} */ (this.runs), this.settings)
    this.networks = {...this.networks, ...networks}
    if (!this.playing) this.owed = 0
    this.busy = true
    this.asking = steps
    this.worker?.postMessage({kind: 'advance', run: this.number, steps, networks})
  }

  /** @param {News} news */
  take(news) {
    if (news.run !== this.number) return
    if (news.kind === 'unable' && !STATIC) return this.unable()
    if (news.kind !== 'progress') return this.fail(news.message)
    this.busy = false
    this.variant = news.variant
    const first = !this.runs
    this.taken += this.asking
    this.runs ??= {}
    for (const [name, {records, ...rest}] of Object.entries(news.networks)) {
      const {seeds, ...network} = this.networks[name]
      const all = [...(this.runs[name]?.records ?? []), ...records]
      this.runs[name] = /** @type {TrainingRun | LanguageProgress} */ ({
        ...{...network, seeds: seeds.length, records: all},
        ...rest,
      })
    }
    const worked = news.milliseconds - news.watched
    if (!first) this.pace = worked / this.asking
    this.worked = first ? 0 : this.worked + worked
    this.watching = news.watched
    const tooSlow = this.worked > WARM && this.worked * this.total > TOO_LONG * this.taken
    if (!STATIC && tooSlow) return this.unable()
    // The reader has skipped to the end meanwhile.
    if (this.kept && !this.playing && !this.owed) return this.publish()
    this.kept = false
    this.frame = this.figure.frame(this.runs, this.settings)
    this.total = this.frame.steps
    if (this.frame.step >= this.total) this.finish()
    this.draw()
    const due = first ? 0 : Math.max(news.milliseconds, (this.asking / this.total) * SHORTEST_RUN) / this.share
    const rest = due - news.milliseconds
    this.timer = setTimeout(() => this.next(), rest)
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
    this.failure = message
    this.publish()
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

  draw() {
    const frame = /** @type {TrainingFrame} */ (this.frame)
    const changes = this.figure.update(this.trains.names, frame, this.settings, this.keptEnds())
    // The code of other settings than those that came with the page has to be written by a server.
    const listing = this.kept || this.hasPrepared ? [] : [this.message('listing', '')]
    this.changes([...changes, ...listing, this.message('live', this.live())])
  }

  publish() {
    this.changes([this.message('live', this.live())])
  }

  /** @param {string} kind @param {unknown} data @returns {PatchEvent} */
  message(kind, data) {
    return {kind: 'MessageSent', msg_type: kind, msg_data: data}
  }

  /** @returns {Live} */
  live() {
    const {frame, figure, settings} = this
    return {
      ...this.lasting,
      asked: this.asked,
      values: settings,
      notes: this.notes,
      honesty: {...figure.honesty(settings), computed: this.computed()},
      status: this.status,
      place: 0,
      message: this.failure,
      training: true,
      kept: this.kept,
      playing: Boolean(this.playing),
      end: !this.kept && this.hasPrepared,
      ...(frame && {
        description: figure.describe(frame, settings),
        results: frame.results,
        diverged: frame.diverged,
        step: frame.step,
        steps: frame.steps,
      }),
    }
  }

  /** @returns {RunStatus} */
  get status() {
    if (this.ended) return this.ended
    if (this.playing || this.owed || (this.busy && this.frame)) return 'running'
    return this.runs && this.frame?.step ? 'paused' : 'ready'
  }

  computed() {
    if (this.kept) return 'Kept from a run of the server’s code; it came with this page.'
    const equal = this.equal()
    return [
      'Live, in your browser, for you, by the same code as on a server',
      this.variant === 'plain' ? '; your browser rounds products twice, so other last digits come out.' : '.',
      equal === true ? ` Its end equals the kept run, ${this.figure.ROUNDED ? 'to 12 digits' : 'bit for bit'}.` : '',
      equal === false && this.variant === 'fused' ? ' Its end differs from the kept run.' : '',
    ].join('')
  }

  // Whether the run has ended as the one that came with the page did; null where that cannot be said.
  equal() {
    const kept = this.came.find(({settings}) => this.isSame(settings))
    if (this.ended !== 'finished' || !this.frame || !kept) return null
    const {quantities} = this.frame
    const {ROUNDED: isRounded} = this.figure
    const same = isRounded ? isNear : Object.is
    const isCurve = (/** @type {string} */ name) => String(quantities[name].axes) === 'record'
    // Of what is rounded, the curves are compared: other numbers may be of single precision.
    const compared = Object.entries(kept.end.quantities).filter(([name]) => !isRounded || isCurve(name))
    return compared.every(
      ([name, {values}]) =>
        quantities[name].texts || endsOf(quantities[name]).every((value, at) => same(value, values[at])),
    )
  }

  // -- runs that came with the page --------------------------------------------------------------------------------

  get hasPrepared() {
    return this.simulation.stateOf(this.settings) !== undefined
  }

  async prepared(settings = this.settings) {
    await this.simulation.shelf.atlas()
    const name = this.simulation.stateOf(settings)
    const {first, shelf} = this.simulation
    const events = name === 'first' ? first : shelf.states?.[name ?? '']
    if (!name || !events) return null
    const numbers = (/** @type {string} */ name) => shelf.numbers(name).catch(() => null)
    const replies = await numbers(name)
    // Large downloads come only with the first state; others may show the same run.
    const isFirstRun = this.isSame(settings, this.withInitial({}))
    const json = replies?.json ?? (isFirstRun ? (await numbers('first'))?.json : null)
    if (!json) return null
    // Bokeh writes a mapping as pairs.
    const {entries} = /** @type {{entries: [string, string][]}} */ (json.msg_data)
    const frame = frameOf(JSON.parse(new Map(entries).get('content') ?? ''), this.figure.COUNTS)
    return {events, replies: replies ?? {}, frame}
  }

  // The frame of these settings, if their run came with the page but is drawn in another way.
  async preparedFrame() {
    const {parameters, restarts} = this.trains
    const drawing = Object.keys(parameters).filter(name => !restarts.includes(name))
    const own = this.withInitial({})
    const changed = Object.fromEntries(drawing.map(name => [name, own[name]]))
    return (await this.prepared({...this.settings, ...changed}))?.frame ?? null
  }

  /** The values with which the page begins, with some others. @param {Values} values @returns {Values} */
  withInitial(values) {
    return {...this.lasting.defaults, ...this.simulation.initial, ...values}
  }

  /** Whether a run with these settings is the same as one with others, by default the present one. @param {Values} settings @param {Values} others */
  isSame(settings, others = this.settings) {
    return this.trains.restarts.every(name => settings[name] === others[name])
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

  // Sends a table or a file; those of a run that came with the page came with it.
  /** @param {string} kind */
  async answer(kind) {
    const ready = this.kept ? (await this.prepared())?.replies[kind] : undefined
    if (ready) return this.changes([ready])
    const {figure, frame, settings} = this
    if (!frame || !KINDS.includes(kind)) return
    const data = reply(kind, figure, frame, settings, this.lasting.defaults)
    // As pairs, since Bokeh takes an object with a `type` for one of its own.
    this.changes([this.message('reply', {type: 'map', entries: Object.entries(data)})])
  }
}

/** The address of the kernels and of what comes with them. @param {TrainableFigure} simulation */
const folderOf = ({figure}) => new URL(/** @type {string} */ (figure.dataset.kernels), document.baseURI).href

/** @param {number} one @param {number} other */
const isNear = (one, other) => Object.is(one, other) || Math.abs(one - other) <= 1e-12 * Math.abs(one)
