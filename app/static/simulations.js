// Every figure of the page: its picture comes from the shelf as soon as it is near the viewport, and is scrubbed from
// there. A session of the server is opened when the reader reaches for what only a session can do, and given back when
// the figure has been out of sight for a while.
import {paint} from './paint.js'
import {label} from './labels.js'
import {narrow} from './legends.js'
import {Panel} from './panel.js'
import {Kept} from './kept.js'
import {Shelf} from './shelf.js'
import {Link} from './link.js'
import {Controls} from './controls.js'
import {ahead, bundles} from './bundles.js'
import {cover} from './cover.js'
import * as address from './address.js'
import {reader} from './store.js'
import {afloat} from './afloat.js'
import {fit} from './present.js'

const NEAR = '500px'
const SLOWEST_RETRY = 15_000
const UNSEEN = 60_000
const SILENCE = 1_000
const UNHEARD = 24

// A page that holds one figure alone, for frames on other sites.
const ALONE = document.documentElement.hasAttribute('data-embed')

// A copy of the site without a server of its own.
const STATIC = document.documentElement.hasAttribute('data-static')
const elsewhere = () => {
  const {live} = document.documentElement.dataset
  return live ? `Live simulations: ${live}` : 'README says how to start a server of your own.'
}

let pressed = false
addEventListener('pointerdown', () => { pressed = true }, {capture: true})
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => { pressed = false }, {capture: true})

const mounted = window.simulations = new Map()

class Simulation {
  constructor(figure) {
    this.figure = figure
    this.name = figure.dataset.simulation
    this.initial = JSON.parse(figure.dataset.initial || '{}')
    this.stage = figure.querySelector('.stage')
    this.shelf = new Shelf(figure.dataset.picture)
    this.panel = new Panel(this)
    this.kept = null
    this.link = null
    this.surfaces = []
    this.players = []
    this.wanted = {} // what the reader asked for and no picture has shown yet
    this.unheard = []
    this.asked = this.answered = 0
    this.attempt = 0
    this.goesOn = false // whether its run played when its session or the reader's look at it was lost
    this.uncover = cover(this)
  }

  // -- the picture ------------------------------------------------------------------------------------------------

  async mount() {
    this.state('loading', 'The picture is on its way …')
    try {
      const [picture, css] = await Promise.all([this.shelf.picture(), Shelf.sheet(), bundles()])
      await this.embed(picture, css)
    } catch (error) {
      return this.later(`The picture cannot be reached (${error.message}).`, () => this.mount())
    }
    const asked = {...address.read(this.figure.id), ...this.wanted}
    // What a link of another version asks for is read by the server, which says so.
    if (!['', address.VERSION].includes(address.version(this.figure.id))) return this.send(Object.assign(this.wanted, asked))
    if (!this.first || Object.keys(asked).length) return this.wish(asked)
    this.take(this.first, 'first')
    this.ready()
  }

  async embed(picture, css) {
    this.first = picture.first
    this.scrubbed = picture.atlas
    const host = document.createElement('div')
    host.id = 'host-' + this.figure.id
    host.className = 'host'
    host.inert = this.figure.hasAttribute('data-hidden')
    for (const each of [...this.surfaces.splice(0), ...this.players.splice(0)]) each.remove()
    this.kept?.remove()
    this.stage.querySelector('.host')?.remove()
    this.stage.append(host)
    this.kept = await Kept.embed(picture, host, css)
    const [live, listing, reply] = ['live', 'listing', 'reply'].map(name => this.kept.named(name))
    live.properties.value.change.connect(() => { if (live.value) this.show(JSON.parse(live.value)) })
    listing.properties.value.change.connect(() => this.panel.listing(listing.value))
    reply.properties.value.change.connect(() => this.panel.answer(JSON.parse(reply.value)))
    this.controls = new Controls(this.kept, host, {
      wish: (name, text) => this.wish({[name]: text}),
      act: (action, more) => this.act(action, more),
    })
    this.document.on_change(event => this.hear(event), true)
    if (live.value) this.show(JSON.parse(live.value))
    paint(this.kept.document)
    label(host)
    narrow(this.kept, host)
    await this.draw()
  }

  // What Bokeh cannot draw or play is code of ours, which only pages that have some load.
  async draw() {
    if (this.kept.tagged('surface').length) {
      const {surfaces} = await import('./surface/index.js')
      this.surfaces = surfaces(this.kept.document, () => this.alive)
    }
    if (!this.figure.hasAttribute('data-hidden')) return this.play()
    this.figure.addEventListener('uncovered', () => this.play(), {once: true})
  }

  async play() {
    if (this.kept.tagged('play').length) {
      const {play} = await import('./play.js')
      this.players.push(...play(this.kept.document, (name, value) => this.wish({[name]: String(value)})))
    }
    if (this.kept.tagged('race').length) {
      const {races} = await import('./race.js')
      this.players.push(...races(this.kept.document))
    }
    if (this.kept.tagged('inside').length) {
      const {insides} = await import('./inside.js')
      this.players.push(...insides(this.kept.document))
    }
  }

  get document() { return this.kept?.document }

  // A state of the shelf, by the name of its file.
  take(events, name) {
    this.at = name
    this.kept.apply(events, {whole: true})
  }

  show(live) {
    this.live = live
    this.answered = Math.max(this.answered, live.asked)
    if (this.answered >= this.expected?.number) this.expected.resolve()
    for (const [name, text] of Object.entries(this.wanted)) if (live.values[name] === text || this.link) delete this.wanted[name]
    this.controls?.show({...live.values, ...this.waiting})
    this.controls?.offer(live)
    this.panel.show(live)
  }

  ready() {
    this.attempt = 0
    if (this.alive) return
    this.state('ready', '')
    this.figure.dispatchEvent(new CustomEvent('mounted', {bubbles: true}))
  }

  // -- what the reader wants --------------------------------------------------------------------------------------

  // A parameter that was set in the text.
  set(name, text) {
    this.uncover()
    afloat(this)
    return this.wish({[name]: text})
  }

  // Parameters by name: from the shelf where it has them, else from a session.
  async wish(values) {
    Object.assign(this.wanted, values)
    if (!this.kept) return address.write(this.figure.id, {...address.read(this.figure.id), ...this.wanted})
    if (this.link) return this.send(values)
    if (this.scrubbed.length) await this.shelf.atlas()
    if (this.link) return this.send(values)
    const asked = {...this.live.values, ...this.wanted}
    const name = this.stateOf(asked) ?? this.nearest(asked)
    if (name === undefined) return this.send(this.wanted)
    if (STATIC) this.wanted = {}
    this.take(name === 'first' ? this.first : this.shelf.states[name], name)
    this.ready()
    if (STATIC) this.settle('')
  }

  // Where there is no server: the state nearest to these values. An arrow key moves to the next one.
  nearest(values) {
    if (!STATIC) return undefined
    const close = this.scrubbed.map(([name, texts]) => {
      const steps = texts.map(Number), asked = Number(values[name]), shown = Number(this.live.values[name])
      if (steps.some(Number.isNaN) || Number.isNaN(asked)) return [name, values[name]]
      const nearest = among => among.reduce((one, other) => Math.abs(other - asked) < Math.abs(one - asked) ? other : one)
      const ahead = steps.filter(step => (step - shown) * (asked - shown) > 0)
      const stuck = !pressed && nearest(steps) === shown && ahead.length
      return [name, String(nearest(stuck ? ahead : steps))]
    })
    return this.stateOf({...values, ...Object.fromEntries(close)})
  }

  // What cannot be had is wanted no more, and its control goes back when the reader lets go.
  settle(note) {
    this.wanted = {}
    this.note(note)
    const back = () => {
      if (this.live) this.show(this.live)
      this.note(note)
    }
    if (pressed) addEventListener('pointerup', () => requestAnimationFrame(back), {once: true})
    else requestAnimationFrame(back)
  }

  // The name of the state with these values; none where one of them is off the shelf.
  stateOf(values) {
    const {defaults} = this.live
    const on = this.scrubbed.map(([name]) => name)
    const same = (one, other) => one === other || (one !== '' && other !== '' && Number(one) === Number(other))
    const own = name => this.initial[name] ?? defaults[name]
    if (Object.keys(values).some(name => !on.includes(name) && !same(values[name], own(name)))) return undefined
    if (this.first && on.every(name => same(values[name], own(name)))) return 'first'
    const name = this.scrubbed.map(([each, texts]) => texts.findIndex(text => same(text, values[each]))).join('-')
    return this.shelf.states?.[name] ? name : undefined
  }

  // Values for the session, one request at a time: what changes meanwhile goes with the next.
  async send(values) {
    this.waiting = {...this.waiting, ...values}
    if (this.sending) return
    this.sending = true
    try {
      while (this.waiting) {
        const first = !this.link && !this.alive
        if (!await this.connect()) break
        const values = this.waiting
        this.waiting = null
        await this.answer(first ? this.asked : this.ask('set', {values}))
      }
    } finally {
      this.sending = false
    }
  }

  // Until the server has answered a request, or has been silent for too long.
  answer(number) {
    return new Promise(resolve => {
      if (this.answered >= number || !this.link) return resolve()
      this.expected = {number, resolve}
      setTimeout(resolve, SILENCE)
    })
  }

  async act(action, more) {
    if (action === 'pause' && !this.link) {
      this.goesOn = false
      this.show({...this.live, playing: false})
    } else if (await this.connect()) this.ask(action, more)
  }

  async reset() {
    if (this.link || !this.first) return this.act('reset', {initial: this.initial})
    this.wanted = {}
    this.take(this.first, 'first')
  }

  // Settings of a link in the text, and the run begins.
  async start(values) {
    this.uncover()
    if (!this.alive) await new Promise(resolve => this.figure.addEventListener('mounted', resolve, {once: true}))
    if (!await this.connect()) return
    this.ask('reset', {initial: {...this.initial, ...values}})
    this.ask('play')
  }

  // A table or a file: from the shelf where the picture is from there, and the file is not too long for it.
  async numbers(kind) {
    if (!this.link && this.at) {
      const found = await this.shelf.numbers(this.at).catch(() => null)
      if (found?.[kind]) return this.panel.answer(found[kind])
    }
    return this.act(kind)
  }

  // What happens in the picture itself goes to the session; a press or a drag opens one, and is not lost meanwhile.
  hear(event) {
    const events = (event.events ?? [event]).filter(each => each.sync !== false && this.tells(each))
    if (this.link) return events.length && this.link.send(events)
    const meant = events.filter(each => each.msg_data || each.model?.type === 'Selection')
    if (!meant.length) return
    this.unheard.push(...meant)
    this.unheard.splice(0, this.unheard.length - UNHEARD)
    this.connect()
  }

  // What the server takes: gestures, choices and requests, of the models that it has too.
  tells({model, attr, msg_data: gesture}) {
    const known = String((model ?? gesture?.origin)?.id).startsWith(`${this.figure.id}~`)
    return known && (gesture || model.type === 'Selection' && attr === 'indices' || model.name === 'request' && attr === 'value')
  }

  ask(action, more = {}) {
    this.asked += 1
    const request = this.kept?.named('request')
    if (this.link && request) request.value = JSON.stringify({n: this.asked, do: action, ...more})
    return this.asked
  }

  // -- the session ------------------------------------------------------------------------------------------------

  connect() {
    if (this.link) return this.link
    return this.connecting ??= this.open().finally(() => { this.connecting = null })
  }

  async open() {
    if (STATIC) return this.alone()
    this.figure.dataset.session = 'opening'
    const query = new URLSearchParams({simulation: this.name, place: this.figure.id, reader, v: address.version(this.figure.id)})
    if (ALONE) query.set('embed', 'yes')
    for (const [name, text] of Object.entries({...this.live.values, ...this.alive ? {} : this.waiting})) query.set('p.' + name, text)
    try {
      const answer = await fetch('open?' + query)
      if (answer.status === 429) return this.refused('Many simulations are opened from here at once; this one comes by itself.')
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
      const manifest = await answer.json()
      if (manifest.refused) return this.refused(manifest.refused)
      this.fresh = true
      this.link = await Link.open(manifest, reader, this.document, {
        changes: (events, buffers) => this.changed(events, buffers),
        lost: () => this.lost(),
      })
    } catch (error) {
      this.link = null
      this.later(`The server cannot be reached (${error.message}); ${this.stands}.`, () => this.again())
      return null
    }
    this.asked = this.answered = 0
    this.figure.dataset.session = 'live'
    const {share} = this.controls
    if (share < 1) this.ask('speed', {share})
    // What is pressed in the picture is understood by a view that has drawn it.
    if (this.begun || this.goesOn) this.ask('resume', {begun: this.begun, play: this.goesOn})
    else this.ask('show')
    this.goesOn = false
    if (this.unheard.length) this.link.send(this.unheard.splice(0))
    return this.link
  }

  changed(events, buffers) {
    const drawn = this.kept.draws(events)
    this.at = null
    this.kept.apply(events, {buffers, whole: this.fresh && drawn})
    this.fresh &&= !drawn
    this.note('')
    if (this.live.description !== undefined || this.live.message) this.ready()
  }

  lost() {
    this.goesOn ||= Boolean(this.live?.playing)
    this.link = null
    this.expected?.resolve()
    this.figure.dataset.session = 'none'
    this.later(`The connection was lost; ${this.stands}.`, () => this.again())
  }

  // After a loss: what was under way goes on, when it is seen; a picture that only stood there needs no session.
  async again() {
    const needed = this.waiting || this.goesOn && this.seen
    if (this.alive && !needed) return this.note('')
    if (await this.connect()) this.send({...this.wanted, ...this.waiting})
  }

  refused(message) {
    this.figure.dataset.session = 'none'
    this.later(message, () => this.again())
    return null
  }

  // A copy of the site without a server of its own.
  alone() {
    this.settle(`This copy of the site is for reading. ${elsewhere()}`)
    this.waiting = null
    if (!this.alive) this.stage.dataset.state = 'refused'
    return null
  }

  release() {
    if (!this.link || this.live?.playing || this.begun) return
    this.link.close()
    this.link = null
    this.figure.dataset.session = 'none'
  }

  // Whether it shows a run that has neither ended nor been kept as a whole.
  get begun() {
    const {training, kept, step, steps, status} = this.panel.live ?? {}
    return Boolean(training && !kept && step > 0 && step < steps && !['diverged', 'failed'].includes(status))
  }

  get stands() { return this.begun ? `the run waits at step ${this.panel.live.step}` : 'the settings are kept' }

  get alive() { return this.stage.dataset.state === 'ready' }

  state(name, message) {
    this.stage.dataset.state = name
    this.note(message)
  }

  note(message) { this.stage.querySelector('.stage-message').textContent = message }

  later(message, action) {
    if (this.retrying) return
    if (this.alive) this.note(message)
    else this.state('lost', `${message} Trying again.`)
    this.attempt += 1
    const wait = Math.min(250 * 2 ** this.attempt, SLOWEST_RETRY) * (0.7 + 0.6 * Math.random())
    this.retrying = setTimeout(() => { this.retrying = null; action() }, wait)
  }

  // -- where it is ------------------------------------------------------------------------------------------------

  watch(seen) {
    if (this.seen === seen) return
    this.seen = seen
    clearTimeout(this.leaving)
    if (this.link) {
      this.goesOn = !seen && this.live.playing
      this.ask(seen ? 'seen' : 'unseen')
    } else if (seen && this.goesOn) this.again()
    if (!seen) this.leaving = setTimeout(() => this.release(), UNSEEN)
  }

  // What can be dragged at once has its session when the drag begins.
  approached() {
    if (this.scrubbed?.length) this.shelf.atlas()
    if (this.alive && this.live && !this.live.training && !STATIC) this.connect()
  }
}

const near = new IntersectionObserver(entries => {
  for (const entry of entries)
    if (entry.isIntersecting) {
      near.unobserve(entry.target)
      mounted.get(entry.target.id).mount()
    }
}, {rootMargin: NEAR})

// A run that nobody sees pauses; it goes on by itself when its picture is back in view.
const inView = new IntersectionObserver(entries => {
  for (const entry of entries) mounted.get(entry.target.id).watch(entry.isIntersecting && !document.hidden)
})

document.addEventListener('visibilitychange', () => {
  for (const simulation of mounted.values()) {
    const box = simulation.figure.getBoundingClientRect()
    simulation.watch(!document.hidden && box.bottom > 0 && box.top < innerHeight)
  }
})
document.addEventListener('knob', ({detail: {id, name, value}}) => mounted.get(id)?.set(name, value))
document.addEventListener('themechange', () => {
  for (const simulation of mounted.values()) if (simulation.document) fit(simulation)
})

ahead()
for (const figure of document.querySelectorAll('figure.simulation')) {
  mounted.set(figure.id, new Simulation(figure))
  near.observe(figure)
  inView.observe(figure)
  for (const reach of ['pointerenter', 'focusin', 'touchstart'])
    figure.addEventListener(reach, () => mounted.get(figure.id).approached(), {passive: true})
}
