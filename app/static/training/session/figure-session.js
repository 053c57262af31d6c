// A session of a figure without a server: it answers the same requests as app/live/session.py, with the same messages and
// the same changes of the picture. Sessions that train and sessions that calculate share it.
import {KINDS, reply} from './downloads.js'
import {frameOf} from '../frame.js'
import {admitted} from '../parameters.js'

/** @typedef {{changes: (events: PatchEvent[]) => void, unable: (reason: string) => void}} Hears `unable`: a server should do it instead */

/** @template {LocalFigure} Figure */
export class FigureSession {
  /** @param {TrainableFigure} simulation @param {Figure} figure @param {Values} values @param {Hears} hears */
  constructor(simulation, figure, values, {changes, unable}) {
    this.simulation = simulation
    this.figure = figure
    this.trains = /** @type {BrowserTraining} */ (simulation.trains)
    this.changes = changes
    this.unable = unable
    const {defaults, nextLink, film} = simulation.live
    this.lasting = {defaults, nextLink}
    this.film = film
    const {settings, notes} = admitted(this.trains.parameters, values)
    this.settings = this.withInitial(settings)
    this.notes = notes
    /** @type {string[]} what is to be said of the run, in sentences */
    this.remarks = []
    this.asked = 0 // the last request that was answered
    /** @type {Promise<void>} */
    this.queue = Promise.resolve()
    /** @type {TrainingFrame | null} */
    this.frame = null
    this.kept = false // whether the frame came with the page
    this.failure = ''
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

  close() {}

  // Where the files for the thread are.
  get folder() {
    return folderOf(this.simulation)
  }

  // -- what the reader does ----------------------------------------------------------------------------------------

  /** @param {SessionRequest} request */
  async act(request) {
    const {n, do: action, values, initial} = request
    this.asked = Math.max(this.asked, n)
    if (action === 'show' || action === 'set') await this.set(values ?? {}, action === 'show')
    else if (action === 'reset') {
      const all = Object.entries(this.trains.parameters)
      await this.set(Object.fromEntries(all.map(([name, declared]) => [name, initial?.[name] ?? declared.default])))
    } else if (action === 'seed') await this.set({seed: String(Number(this.settings.seed) + 1)})
    else if (KINDS.includes(action)) await this.answer(action)
    else await this.drive(request)
    this.publish()
  }

  // What only a run understands.
  /** @param {SessionRequest} _request @returns {Promise<void>} */
  async drive(_request) {}

  pause() {}

  /** @param {BokehEvent[]} events */
  async point(events) {
    const {figure, trains, settings, frame} = this
    let /** @type {Values} */ values = {}
    for (const {msg_data: gesture} of events)
      if (gesture) values = {...values, ...figure.pointed?.(trains.names, gesture, {...settings, ...values}, frame)}
    if (Object.keys(values).length) await this.act({n: this.asked, do: 'set', values})
  }

  /** @param {Values} values @param {boolean} [anyway] whether to show the picture even if nothing has changed */
  async set(values, anyway = false) {
    const {settings, notes} = admitted(this.trains.parameters, values)
    if (!anyway) this.notes = []
    this.notes.push(...notes)
    const changed = Object.keys(settings).filter(name => settings[name] !== this.settings[name])
    this.settings = {...this.settings, ...settings}
    if (changed.length || anyway) await this.parametersChanged(changed)
  }

  /** @param {string[]} _changed @returns {Promise<void>} */
  async parametersChanged(_changed) {
    await this.showNow()
  }

  // -- what the page is shown --------------------------------------------------------------------------------------

  // The picture of the settings.
  /** @returns {Promise<void>} */
  async showNow() {}

  // Shows the picture that came with the page, if there is one for these settings; a run stays where it is.
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

  draw() {
    const frame = /** @type {TrainingFrame} */ (this.frame)
    const changes = this.figure.update(this.trains.names, frame, this.settings, this.keptEnds())
    // The code of other settings than those that came with the page has to be written by a server.
    const listing = this.kept || this.hasPrepared ? [] : [this.message('listing', '')]
    this.changes([...changes, ...listing, this.message('live', this.live())])
  }

  // The ends of other runs that are drawn beside the present one.
  /** @returns {KeptEnds} */
  keptEnds() {
    return {}
  }

  publish() {
    this.changes([this.message('live', this.live())])
  }

  /** @param {string} message */
  fail(message) {
    this.failure = message
    this.publish()
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
      notes: [...this.notes, ...this.remarks],
      disclosure: {...figure.disclosure(settings), computed: this.computed()},
      status: this.status,
      place: 0,
      message: this.failure,
      training: false,
      kept: false,
      playing: false,
      end: false,
      ...(frame && {
        description: figure.describe(frame, settings),
        results: frame.results,
        diverged: frame.diverged,
        step: frame.step,
        steps: frame.steps,
        film: this.moments(frame),
      }),
    }
  }

  // Of a figure that plays: the sentence of each moment.
  /** @param {TrainingFrame} frame @returns {Live['film']} */
  moments(frame) {
    if (!this.film) return undefined
    const {of, sentences} = this.film
    const said = Object.keys(sentences).map(moment => [
      moment,
      this.figure.describe(frame, {...this.settings, [of]: moment}),
    ])
    return {of, sentences: Object.fromEntries(said)}
  }

  /** @returns {RunStatus} */
  get status() {
    return this.failure ? 'failed' : 'ready'
  }

  // Where the numbers come from.
  computed() {
    return ''
  }

  // -- pictures that came with the page ----------------------------------------------------------------------------

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

  /**
   * Whether these settings give the numbers of others, by default the present ones: a run's numbers depend only on the
   * settings that restart it.
   * @param {Values} settings @param {Values} others
   */
  isSame(settings, others = this.settings) {
    const {restarts, parameters} = this.trains
    const names = restarts.length ? restarts : Object.keys(parameters)
    return names.every(name => settings[name] === others[name])
  }

  /** The values with which the page begins, with some others. @param {Values} values @returns {Values} */
  withInitial(values) {
    return {...this.lasting.defaults, ...this.simulation.initial, ...values}
  }

  // Sends a table or a file; those of a picture that came with the page came with it.
  /** @param {string} kind */
  async answer(kind) {
    const ready = this.kept ? (await this.prepared())?.replies[kind] : undefined
    if (ready) return this.changes([ready])
    const {figure, frame, settings} = this
    if (!frame) return
    const data = reply(kind, figure, frame, settings, this.lasting.defaults)
    // As pairs, since Bokeh takes an object with a `type` for one of its own.
    this.changes([this.message('reply', {type: 'map', entries: Object.entries(data)})])
  }
}

/** The address of the kernels and of what comes with them. @param {TrainableFigure} simulation */
export const folderOf = ({figure}) => new URL(/** @type {string} */ (figure.dataset.kernels), document.baseURI).href
