// A figure's session, on the server or in this browser: opened when the reader does something that needs one, reopened when it is lost, and
// closed when the figure has been out of sight for a while.
import {draws} from '../bokeh/kept.js'
import {Link} from '../bokeh/link.js'
import * as address from '../shared/address.js'
import {level} from '../shared/kernels/features.js'
import {claimReader, keepRun, leftRun} from '../shared/store.js'
import {STATIC} from '../shared/static-copy.js'

const UNSEEN = 60_000
const SILENCE = 1_000
const MOST_UNSENT = 24

// This page holds only one figure, for frames on other sites.
const ALONE = document.documentElement.hasAttribute('data-embed')

export class Session {
  /** @param {import('./simulation.js').Simulation} simulation */
  constructor(simulation) {
    this.of = simulation
    /** @type {Link | Awaited<ReturnType<typeof import('../training/session/local-session.js').LocalSession.open>> | null} */
    this.link = null
    /** @type {Promise<Session['link']> | null} */
    this.connecting = null
    this.fresh = false // whether the next picture is the first of its session
    /** @type {BokehEvent[]} */
    this.unsent = []
    /** @type {boolean | undefined} whether the reader sees the figure */
    this.seen = undefined
    /** @type {{number: number, resolve: () => void} | null} */
    this.expected = null
    /** @type {Values | null} */
    this.waiting = null
    /** @type {Values | null} values whose request has not been answered */
    this.sent = null
    /** @type {{action: string, more?: Partial<SessionRequest>}[]} what to request once there is a session again */
    this.wishes = []
    this.asked = this.answered = 0
    this.unable = '' // why this browser does not compute it, in sentences
    this.here = false // whether this browser computes
    /** @type {import('../shared/store.js').LeftRun | null} the run that was under way when the page was left */
    this.left = null
    this.goesOn = false // whether its run was playing when the session was lost or the figure went out of sight
    this.resumed = 0 // number of the request that asked it to continue
  }

  // -- requests ---------------------------------------------------------------------------------------------------

  /** @param {string} action @param {Partial<SessionRequest>} [more] */
  request(action, more = {}) {
    this.asked += 1
    this.link?.request({n: this.asked, do: action, ...more})
    return this.asked
  }

  // Resolves when the server has answered a request, or has been silent for too long.
  /** @param {number} number @returns {Promise<void>} */
  untilAnswered(number) {
    return new Promise(resolve => {
      if (this.answered >= number || !this.link) return resolve()
      this.expected = {number, resolve}
      setTimeout(resolve, SILENCE)
    })
  }

  // The server has answered all requests up to this number.
  /** @param {number} number */
  acknowledge(number) {
    this.answered = Math.max(this.answered, number)
    if (!this.expected || this.answered < this.expected.number) return
    this.sent = null
    this.expected.resolve()
  }

  // Sends values, one request at a time: changes made meanwhile go with the next.
  /** @param {Values} values */
  async send(values) {
    this.waiting = {...this.waiting, ...values}
    if (this.sending) return
    this.sending = true
    try {
      while (this.waiting) {
        const first = !this.link && !this.of.alive
        if (!(await this.connect())) break
        const values = this.waiting
        this.waiting = null
        this.sent = values
        await this.untilAnswered(first ? this.asked : this.request('set', {values}))
        this.sent = null
      }
    } finally {
      this.sending = false
    }
  }

  // Handles events in the picture itself; a press or a drag opens a session, and is queued meanwhile.
  /** @param {BokehEvent} event */
  forwardEvents(event) {
    const events = (event.events ?? [event]).filter(item => item.sync !== false && this.isForwarded(item))
    if (this.link) return events.length && this.link.send(events)
    const meant = events.filter(item => item.msg_data || item.model?.type === 'Selection')
    if (!meant.length) return
    this.unsent.push(...meant)
    this.unsent.splice(0, this.unsent.length - MOST_UNSENT)
    this.connect()
  }

  // Whether the server takes an event: gestures and choices, on models that it has too.
  /** @param {BokehEvent} event */
  isForwarded({model, attr, msg_data: gesture}) {
    const known = String((model ?? gesture?.origin)?.id).startsWith(`${this.of.figure.id}~`)
    return known && (gesture || (model?.type === 'Selection' && attr === 'indices'))
  }

  // Values that the reader has chosen and that are not answered yet.
  /** @returns {Values} */
  get chosen() {
    return {...this.sent, ...this.waiting}
  }

  // -- connecting -------------------------------------------------------------------------------------------------

  /** @returns {Session['link'] | Promise<Session['link']>} */
  connect() {
    if (this.link) return this.link
    return (this.connecting ??= this.open().finally(() => {
      this.connecting = null
    }))
  }

  /** @returns {Promise<Session['link']>} */
  async open() {
    if (STATIC && !this.of.trains) return this.refuseStatic()
    this.setMark('opening')
    const {live, alive} = this.of
    const sent = {...live.values, ...(alive ? {} : this.waiting)}
    const {left} = this
    this.link = await (STATIC || (left?.here && !this.unable) ? this.openHere(sent) : this.openThere(sent))
    if (!this.link) return null
    this.left = null
    this.asked = this.answered = this.resumed = 0
    this.setMark('live')
    const {share} = this.of.controls
    if (share < 1) this.request('speed', {share})
    // The server's view understands queued gestures only after it has drawn. Values set meanwhile go with the request
    // for that first picture, as otherwise the previous picture would be visible for a moment.
    const now = {...this.of.live.values, ...this.of.wanted, ...this.waiting}
    const set = Object.entries(now).filter(([name, text]) => sent[name] !== text)
    const values = Object.fromEntries(set)
    const begun = this.begun || Boolean(left)
    const request =
      begun || this.goesOn
        ? this.request('resume', {begun, play: this.goesOn, step: left?.step ?? live.step})
        : this.request('show', {values, step: live.step})
    if (this.goesOn) this.resumed = request
    this.goesOn = false
    if (this.unsent.length) this.link.send(this.unsent.splice(0))
    return this.link
  }

  // Opens a session on the server.
  /** @param {Values} sent the values that it begins with @returns {Promise<Session['link']>} */
  async openThere(sent) {
    this.here = false
    const {figure, name} = this.of
    const reader = await claimReader()
    const query = new URLSearchParams({simulation: name, place: figure.id, reader, v: address.version(figure.id)})
    if (ALONE) query.set('embed', 'yes')
    if (this.of.trains && !this.unable && level() === 'fused') query.set('able', 'yes')
    for (const [name, text] of Object.entries(sent)) query.set(`p.${name}`, text)
    try {
      const answer = await fetch(`open?${query}`)
      if (answer.status === 429)
        return this.refused('Many simulations are opening from here at once; this one will load by itself.')
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
      const manifest = await answer.json()
      if (manifest.here) return this.openHere(sent)
      if (manifest.refused) return this.refused(manifest.refused)
      this.fresh = true
      return await Link.open(manifest, reader, this.of.document, {
        changes: (events, buffers) => this.changed(events, buffers),
        lost: () => this.lost(),
      })
    } catch (error) {
      this.of.retryLater(
        `The server cannot be reached (${/** @type {Error} */ (error).message}); ${this.meanwhile}.`,
        () => this.reconnect(),
      )
      return null
    }
  }

  // Opens a session in this browser, which trains or calculates by itself.
  /** @param {Values} sent the values that it begins with @returns {Promise<Awaited<ReturnType<typeof import('../training/session/local-session.js').LocalSession.open>> | null>} */
  async openHere(sent) {
    this.here = true
    try {
      const {LocalSession} = await import('../training/session/local-session.js')
      this.fresh = true
      return await LocalSession.open(this.of, sent, {
        changes: events => this.changed(events),
        unable: reason => this.handOver(reason),
      })
    } catch (error) {
      this.of.retryLater(`The code cannot be reached (${/** @type {Error} */ (error).message}).`, () =>
        this.reconnect(),
      )
      return null
    }
  }

  // This browser cannot train after all, or only slowly: the server does. It begins anew.
  /** @param {string} reason in a sentence */
  handOver(reason) {
    this.unable = `${reason} The server does it instead.`
    this.goesOn = this.plays
    this.link?.close()
    this.link = null
    this.connect()
  }

  /** @param {PatchEvent[]} events @param {Map<string, ArrayBuffer>} [buffers] */
  changed(events, buffers) {
    const drawn = draws(events)
    this.of.applyChanges(events, {buffers, whole: this.fresh && drawn})
    this.fresh &&= !drawn
  }

  lost() {
    this.goesOn ||= this.plays
    this.link = null
    this.expected?.resolve()
    this.setMark('none')
    this.of.retryLater(`The connection was lost; ${this.meanwhile}.`, () => this.reconnect())
  }

  // Reconnects after a loss: a run continues if it is visible; a still picture needs no session.
  async reconnect() {
    const chosen = this.waiting || Object.keys(this.of.wanted).length || this.unsent.length || this.wishes.length
    const needed = chosen || this.left || (this.goesOn && this.seen)
    if (this.of.alive && !needed) return this.of.note('')
    if (!(await this.connect())) return
    const values = {...this.of.wanted, ...this.waiting}
    if (Object.keys(values).length) this.send(values)
    for (const {action, more} of this.wishes.splice(0)) this.request(action, more)
  }

  // Keeps what the reader asked for while there is no session, until there is one.
  /** @param {string} action @param {Partial<SessionRequest>} [more] */
  wish(action, more) {
    this.wishes.push({action, more})
    this.wishes.splice(0, this.wishes.length - MOST_UNSENT)
  }

  // Gives up what waits for a session.
  forget() {
    this.waiting = null
    this.wishes = []
    this.unsent = []
  }

  /** @param {string} message @returns {null} */
  refused(message) {
    this.setMark('none')
    this.of.retryLater(message, () => this.reconnect())
    return null
  }

  // A static copy of the site has no server that could answer.
  /** @returns {null} */
  refuseStatic() {
    this.of.revertControls('')
    this.of.panel.tellWithoutServer('status')
    this.waiting = null
    if (!this.of.alive) this.of.stage.dataset.state = 'refused'
    return null
  }

  release() {
    if (!this.link || this.of.live?.playing || this.begun) return
    this.link.close()
    this.link = null
    this.setMark('none')
  }

  // Called when the figure becomes visible to the reader, or stops being so.
  /** @param {boolean} seen */
  watch(seen) {
    if (this.seen === seen) return
    this.seen = seen
    clearTimeout(this.leaving)
    if (this.link) {
      const went = this.goesOn
      this.goesOn = !seen && this.plays
      const request = this.request(seen ? 'seen' : 'unseen')
      if (seen && went) this.resumed = request
    } else if (seen && this.goesOn) this.reconnect()
    if (!seen) this.leaving = setTimeout(() => this.release(), UNSEEN)
  }

  // -- a run that outlives its page -------------------------------------------------------------------------------

  // Returns to the run that was under way when the page was left, if it had these settings.
  /** @param {Values} settings */
  returnTo(settings) {
    const left = leftRun(this.of.figure.id)
    if (left && Object.entries(left.values).every(([name, text]) => settings[name] === text)) this.left = left
  }

  // Keeps where the run is.
  remember() {
    if (!this.link) return
    const {values, step = 0, until = 0} = this.of.live
    keepRun(this.of.figure.id, this.begun ? {values, step: Math.max(step, until), here: this.here} : null)
  }

  // -- state ------------------------------------------------------------------------------------------------------

  /** @param {string} how */
  setMark(how) {
    this.of.figure.dataset.session = how
  }

  // Whether its run plays, or will as soon as the server knows that it is visible again.
  get plays() {
    return Boolean(this.of.live?.playing) || this.resumed > this.answered
  }

  // Whether the figure shows a run that has not ended and is not a complete kept one.
  get begun() {
    const {training, kept, steps = 0, status = '', until = 0} = this.of.panel.live ?? {}
    const step = Math.max(this.of.film.newest?.step ?? 0, this.here ? until : 0)
    return Boolean(training && !kept && step > 0 && step < steps && !['diverged', 'failed'].includes(status))
  }

  get meanwhile() {
    return this.begun ? `the run waits at step ${this.of.panel.live.step}` : 'the settings are kept'
  }
}
