// One figure of the page: its picture and scrubbed states are prerendered; a session does the rest.
import {paint} from '../bokeh/paint.js'
import {label} from '../bokeh/labels.js'
import {gutters} from '../bokeh/gutters.js'
import {narrow} from '../bokeh/legends.js'
import {Bar} from './bar.js'
import {Film} from './film.js'
import {Panel} from './panel.js'
import {Kept, draws} from '../bokeh/kept.js'
import {Shelf} from './shelf.js'
import {Session} from './session.js'
import {Controls} from './controls.js'
import {bundles} from '../bokeh/bundles.js'
import {blank} from '../bokeh/blank.js'
import {cover} from './cover.js'
import * as address from '../shared/address.js'
import {answerHere} from './plot-frame.js'
import {floatFigure} from './layout/sticky-figure.js'
import {nearest, stateOf} from './states.js'
import {tall} from './layout/tall.js'
import {pressed} from '../shared/pressed.js'
import {STATIC} from '../shared/static-copy.js'

const SLOWEST_RETRY = 15_000
const REPLAY = 'The race is run again from its records.'

const NOT_YET = /** @type {any} */ (null)

export class Simulation {
  /** @param {HTMLElement} figure */
  constructor(figure) {
    this.figure = figure
    this.name = figure.dataset.simulation
    /** @type {Values} what the page begins with, where that is not the default */
    this.initial = JSON.parse(figure.dataset.initial || '{}')
    this.stage = figure.querySelector('.stage')
    this.shelf = new Shelf(figure.dataset.picture)
    this.session = new Session(this)
    this.film = new Film()
    const bar = figure.querySelector('.progress')
    this.bar = bar && new Bar(bar, (step, isKey) => this.scrub(step, isKey))
    this.panel = new Panel(this)
    this.kept = /** @type {Late<Kept>} */ (NOT_YET)
    this.live = /** @type {Late<Live>} */ (NOT_YET) // the last state reported for the picture
    this.first = /** @type {Late<PatchEvent[]>} */ (NOT_YET) // the initial state of the page, if it was prerendered
    this.scrubbed = /** @type {Late<ScrubbedParameter[]>} */ (NOT_YET)
    this.trains = /** @type {BrowserTraining | undefined} */ (undefined) // what the page needs to train or calculate it by itself
    /** @type {string | null | undefined} the prepared state that is shown */
    this.at = undefined
    this.controls = /** @type {Late<Controls>} */ (NOT_YET)
    /** @type {import('../surface/index.js').Surface[]} */
    this.surfaces = []
    /** @type {{remove(): void}[]} */
    this.players = []
    /** @type {Values} */
    this.wanted = {} // values that the reader asked for and that no picture has shown yet
    /** @type {[name: string, moment: number] | null} what is shown while the picture plays */
    this.followed = null
    this.attempt = 0
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.floating = undefined
    /** @type {ReturnType<typeof setTimeout> | null | undefined} */
    this.retrying = undefined
    this.uncover = cover(this)
  }

  // -- the picture ------------------------------------------------------------------------------------------------

  /** @returns {Promise<unknown>} */
  async mount() {
    this.setState('loading', 'The picture is on its way …')
    try {
      const [picture, css] = await Promise.all([this.shelf.picture(), Shelf.sheet(), bundles()])
      await this.embed(picture, css)
    } catch (error) {
      return this.retryLater(`The picture cannot be reached (${/** @type {Error} */ (error).message}).`, () =>
        this.mount(),
      )
    }
    const {requested} = this
    // A link of another version is parsed by the server, which notes that on the page. A static copy has no server, but
    // may have the state of the link: former names and defaults are translated here too.
    if (!STATIC && !['', address.VERSION].includes(address.version(this.figure.id)))
      return this.session.send(Object.assign(this.wanted, requested))
    this.session.returnTo({...this.live.values, ...requested})
    if (!this.first || Object.keys(requested).length) await this.setParameters(requested)
    else {
      // Something may have been chosen while the picture was drawn.
      if (this.at !== 'first' && !this.alive) this.showPrepared(this.first, 'first')
      this.ready()
    }
    if (this.session.left) await this.session.connect()
  }

  /** @param {PreparedPicture} picture @param {string} css */
  async embed(picture, css) {
    this.first = /** @type {Late<PatchEvent[]>} */ (picture.first)
    this.scrubbed = picture.atlas
    this.trains = picture.trains
    const host = document.createElement('div')
    host.id = `host-${this.figure.id}`
    host.className = 'host'
    host.inert = this.hidden
    for (const drawing of [...this.surfaces.splice(0), ...this.players.splice(0)]) drawing.remove()
    this.kept?.remove()
    this.film = new Film()
    this.stage.querySelector('.host')?.remove()
    this.stage.append(host)
    this.at = this.first && !Object.keys(this.requested).length ? 'first' : null
    const events = this.at ? this.first : picture.messages
    this.kept = await Kept.embed(picture.document, host, css, kept => {
      kept.apply(events, {whole: true})
      paint(kept.document)
      tall(kept, this.stage.clientWidth, this.figure.classList.contains('full-width'))
      if (this.hidden) this.figure.addEventListener('uncovered', blank(kept.document), {once: true})
    })
    this.controls = new Controls(this.kept, host, {
      setParameter: (name, text) => this.setParameters({[name]: text}),
      act: (action, more) => this.act(action, more),
    })
    this.bar?.join(this.kept)
    if (STATIC && !this.trains && this.controls.withdraw()) this.panel.tellWithoutServer(null)
    this.document.on_change(event => this.session.forwardEvents(event), true)
    this.document.on_message('live', live => this.show(live))
    this.document.on_message('listing', html => this.panel.listing(html))
    this.document.on_message('reply', reply => this.panel.answer(reply))
    // Apply the messages about the picture only now that there are listeners.
    this.kept.apply(events.filter(event => !draws([event])))
    this.record()
    label(host)
    gutters(this.kept, host)
    narrow(this.kept, host)
    await this.draw()
  }

  // Load our own code for what Bokeh cannot draw or play, if this page needs it.
  async draw() {
    this.players.push(...answerHere(this))
    if (this.kept.tagged('surface').length) {
      const {surfaces} = await import('../surface/index.js')
      this.surfaces = surfaces(this.kept.document, () => this.alive, this.hidden)
    }
    if (!this.hidden) return this.play()
    this.figure.addEventListener(
      'uncovered',
      () => {
        for (const surface of this.surfaces) surface.show()
        this.play()
      },
      {once: true},
    )
  }

  async play() {
    if (this.kept.tagged('play').length) {
      const {play} = await import('../players/play.js')
      this.players.push(
        ...play(
          this.kept.document,
          (name, value) => {
            this.followed = null
            this.setParameters({[name]: String(value)})
          },
          (name, value) => this.follow(name, value),
        ),
      )
    }
    if (this.kept.tagged('race').length) {
      const {races} = await import('../players/race.js')
      this.players.push(...races(this.kept.document, step => this.replay(step)))
    }
    if (this.kept.tagged('inside').length) {
      const {layerGlances} = await import('../players/layer-glance.js')
      this.players.push(...layerGlances(this.kept.document))
    }
  }

  // While the picture plays, shows the value of its moment in the control, with the sentence of that moment. null shows
  // what is set again. Neither the settings nor the address change, and nothing is spoken.
  /** @param {string} name @param {number | null} moment */
  follow(name, moment) {
    this.followed = moment === null ? null : [name, moment]
    if (!this.live) return
    if (moment === null) return this.show(this.live)
    const sentences = this.live.film?.sentences ?? {}
    // A film may begin before the first moment that can be set.
    const value = String(Math.max(moment, Number(Object.keys(sentences)[0] ?? 0)))
    this.controls.show({...this.live.values, [name]: value})
    if (sentences[value]) this.panel.say(sentences[value])
  }

  // While a finished race is run again, its bar is at the step that is shown, and the sentence, which is about the end,
  // waits; null is the end.
  /** @param {number | null} step */
  replay(step) {
    if (!this.live) return
    this.panel.progress(step === null ? this.live : {...this.live, step})
    if (this.live.description) this.panel.say(step === null ? this.live.description : REPLAY)
  }

  /** @returns {Late<BokehDocument>} */
  get document() {
    return this.kept?.document
  }

  get link() {
    return this.session.link
  }

  // The values in the address, and what the reader has asked for since.
  /** @returns {Values} */
  get requested() {
    return {...address.read(this.figure.id), ...this.wanted}
  }

  // Shows a prerendered state; `name` is the name of its file.
  /** @param {PatchEvent[]} events @param {string} name */
  showPrepared(events, name) {
    this.at = name
    this.film.shown = null
    this.kept.apply(events, {whole: true})
    this.record()
  }

  // Shows changes from a session.
  /** @param {PatchEvent[]} events @param {{buffers?: Map<string, ArrayBuffer>, whole: boolean}} how */
  applyChanges(events, how) {
    this.at = null
    const {shown} = this.film
    if (shown && draws(events)) this.showNewest()
    this.kept.apply(events, how)
    if (draws(events)) this.record()
    if (shown && this.film.frames.includes(shown)) this.showFrame(shown)
    this.note(this.bar ? '' : (this.live.message ?? ''))
    if (this.live.description !== undefined || this.live.message) this.ready()
  }

  /** @param {Live} live */
  show(live) {
    this.live = live
    this.session.acknowledge(live.asked)
    // A picture that was under way when the reader changed something says nothing about that.
    const isAnswer = this.link && live.asked >= this.session.asked
    for (const [name, text] of Object.entries(this.wanted))
      if (live.values[name] === text || isAnswer) delete this.wanted[name]
    this.controls?.show({...live.values, ...this.session.chosen})
    this.controls?.offer(live)
    this.panel.show({...live, ...this.film.shown?.said})
    if (this.followed) this.follow(...this.followed)
  }

  // -- earlier pictures of a run ----------------------------------------------------------------------------------

  // Keeps the picture that a training shows now.
  record() {
    if (!this.live?.training) return
    this.film.record(this.kept, this.live)
    this.panel.progress(this.live)
    this.session.remember()
  }

  // Goes to the picture of this step; a run that plays pauses.
  /** @param {number} step @param {boolean} isKey */
  scrub(step, isKey) {
    if (!this.film.newest) return
    const from = this.film.shown ?? this.film.newest
    if (this.live?.playing) this.act('pause')
    this.showFrame(this.film.toward(step, from.step, isKey))
  }

  /** @param {import('./film.js').FilmFrame} frame */
  showFrame(frame) {
    this.film.shown = frame === this.film.newest ? null : frame
    this.kept.restore(frame.values)
    this.panel.show({...this.live, ...frame.said})
  }

  // A run goes on from its newest picture.
  showNewest() {
    if (this.film.shown && this.film.newest) this.showFrame(this.film.newest)
  }

  ready() {
    this.attempt = 0
    if (this.alive) return
    this.setState('ready', '')
    this.figure.dispatchEvent(new CustomEvent('mounted', {bubbles: true}))
  }

  // -- input ------------------------------------------------------------------------------------------------------

  // Sets a parameter from the text.
  /** @param {string} name @param {string} text */
  set(name, text) {
    this.uncover()
    floatFigure(this)
    return this.setParameters({[name]: text})
  }

  // Sets parameters: shows a prerendered state if there is one, else asks a session.
  /** @param {Values} values */
  async setParameters(values) {
    Object.assign(this.wanted, values)
    if (!this.kept) return address.write(this.figure.id, this.requested)
    if (this.link) return this.session.send(values)
    if (this.scrubbed.length) await this.shelf.atlas()
    if (this.link) return this.session.send(values)
    const settings = {...this.live.values, ...this.wanted}
    const name = stateOf(this, settings) ?? nearest(this, settings)
    if (name === undefined) return this.session.send(this.wanted)
    const bound = STATIC && !this.trains // to the states that were prepared
    if (bound) this.wanted = {}
    // An earlier value may wait for a session that is being opened.
    if (this.session.waiting) Object.assign(this.session.waiting, values)
    this.showPrepared(name === 'first' ? this.first : /** @type {Atlas['states']} */ (this.shelf.states)[name], name)
    this.ready()
    if (bound) this.revertControls('')
  }

  /** The name of the prepared state with these values. @param {Values} values */
  stateOf(values) {
    return stateOf(this, values)
  }

  // Gives up requested values that are not available; controls return when the reader lets go.
  /** @param {string} note */
  revertControls(note) {
    this.wanted = {}
    this.note(note)
    const back = () => {
      if (this.live) this.show(this.live)
      this.note(note)
    }
    if (pressed()) addEventListener('pointerup', () => requestAnimationFrame(back), {once: true})
    else requestAnimationFrame(back)
  }

  /** @param {string} action @param {Partial<SessionRequest>} [more] */
  async act(action, more) {
    if (action !== 'pause') this.showNewest()
    if (action === 'pause' && !this.link) {
      this.session.goesOn = false
      this.session.wishes = []
      this.show({...this.live, playing: false})
    } else if (await this.session.connect()) this.session.request(action, more)
    else if (this.retrying) this.session.wish(action, more)
  }

  async reset() {
    if (this.link || this.session.connecting || !this.first) return this.act('reset', {initial: this.initial})
    this.wanted = {}
    this.session.forget()
    this.showPrepared(this.first, 'first')
  }

  // Applies the settings of a link in the text, and starts the run.
  /** @param {Values} values */
  async start(values) {
    this.uncover()
    if (!this.alive) await new Promise(resolve => this.figure.addEventListener('mounted', resolve, {once: true}))
    await this.act('reset', {initial: {...this.initial, ...values}})
    await this.act('play')
  }

  // Gets a table or a file: prerendered if the picture is and the file is short enough for that.
  /** @param {string} kind */
  async numbers(kind) {
    const {at} = this
    if (!this.link && at) {
      const replies = await this.shelf.numbers(at).catch(() => /** @type {null} */ (null))
      if (kind === 'table' && this.at !== at) return this.panel.again()
      if (replies?.[kind]) return this.kept.apply([replies[kind]])
    }
    if (kind === 'table' && STATIC && !this.trains) this.panel.fill([])
    return this.act(kind)
  }

  // Connects early where the picture can be dragged, so that the session is there when the drag starts.
  approached() {
    if (this.scrubbed?.length) this.shelf.atlas()
    if (this.alive && this.live && !this.live.training && (!STATIC || this.trains)) this.session.connect()
  }

  // -- state ------------------------------------------------------------------------------------------------------

  // Whether the results wait for the reader's prediction.
  get hidden() {
    return this.figure.hasAttribute('data-hidden')
  }

  get alive() {
    return this.stage.dataset.state === 'ready'
  }

  /** @param {string} name @param {string} message */
  setState(name, message) {
    this.stage.dataset.state = name
    this.note(message)
  }

  /** @param {string} message */
  note(message) {
    this.stage.querySelector('.stage-message').textContent = message
  }

  /** @param {string} message @param {() => unknown} action */
  retryLater(message, action) {
    if (this.retrying) return
    if (this.alive) this.note(message)
    else this.setState('lost', `${message} Trying again.`)
    this.attempt += 1
    const wait = Math.min(250 * 2 ** this.attempt, SLOWEST_RETRY) * (0.7 + 0.6 * Math.random())
    this.retrying = setTimeout(() => {
      this.retrying = null
      action()
    }, wait)
  }
}
