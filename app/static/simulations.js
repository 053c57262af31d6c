// Gives every simulation on the page a session of its own when it comes near the viewport, and keeps it alive:
// its state is in the URL, so a lost session is mounted again into the same state.
import {paint} from './paint.js'
import {label, takeTurns} from './labels.js'
import {Panel} from './panel.js'
import * as address from './address.js'

const NEAR = '500px'
const SLOWEST_RETRY = 15_000
const reader = sessionStorage.reader ??= crypto.randomUUID?.() ?? String(Math.random()).slice(2)

const mounted = window.simulations = new Map()

// Bokeh and Panel are fetched with the page, and run when its words are there to be read.
let running = null

function bundles() {
  return running ??= run().catch(error => { running = null; throw error })
}

async function run() {
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  for (const link of document.querySelectorAll('link[data-bundle]')) {
    await new Promise((resolve, reject) => {
      const failed = () => reject(new Error('its scripts did not load'))
      document.head.append(Object.assign(document.createElement('script'), {src: link.href, onload: resolve, onerror: failed}))
    })
    link.removeAttribute('data-bundle')
  }
}

class Simulation {
  constructor(figure) {
    this.figure = figure
    this.name = figure.dataset.simulation
    this.initial = JSON.parse(figure.dataset.initial || '{}')
    this.stage = figure.querySelector('.stage')
    this.panel = new Panel(this)
    this.document = null
    this.surfaces = []
    this.attempt = 0
    this.wanted = {}
  }

  async mount() {
    this.state('loading', 'The simulation is waking up …')
    const query = new URLSearchParams({simulation: this.name, reader, v: address.version(this.figure.id)})
    const sent = {...this.initial, ...address.read(this.figure.id), ...this.wanted}
    for (const [key, value] of Object.entries(sent)) query.set('p.' + key, value)
    let manifest
    try {
      const answer = await fetch('app?' + query)
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
      manifest = await answer.json()
      if (manifest.refused) return this.refused(manifest.refused)
      await bundles()
      await this.embed(manifest)
    } catch (error) {
      return this.lost(`The simulation cannot be reached (${error.message}).`)
    }
    this.attempt = 0
    this.state('ready', '')
    for (const [name, value] of Object.entries(this.wanted))
      if (sent[name] !== value) this.ask('set', {name, value})
    this.wanted = {}
    this.figure.dispatchEvent(new CustomEvent('mounted', {bubbles: true}))
  }

  async embed(manifest) {
    const host = document.createElement('div')
    host.id = 'host-' + this.figure.id
    for (const surface of this.surfaces.splice(0)) surface.remove()
    this.stage.querySelector('.host')?.remove()
    host.className = 'host'
    this.stage.append(host)
    const path = new URL('app', document.baseURI).pathname
    await Bokeh.embed.embed_items({}, [{token: manifest.token, roots: {[manifest.root]: host.id}, root_ids: [manifest.root]}], path)
    if (!host.hasChildNodes()) throw new Error('its figures could not be drawn')
    this.document = Bokeh.documents.find(each => each.get_model_by_id(manifest.root))
    this.models = {}
    for (const each of this.document._all_models.values())
      if (each.name) this.models[each.name] = each
    paint(this.document)
    label(host)
    takeTurns([...this.document._all_models.values()].filter(each => each.tags?.includes('takes turns')))
    await this.draw()
    const {live, listing, reply} = this.models
    listing.properties.value.change.connect(() => this.panel.listing(listing.value))
    this.panel.listing(listing.value)
    live.properties.value.change.connect(() => this.panel.show(JSON.parse(live.value)))
    reply.properties.value.change.connect(() => this.panel.answer(JSON.parse(reply.value)))
    if (live.value) this.panel.show(JSON.parse(live.value))
    const old = this.document
    old.on_event('connection_lost', () => {
      if (this.document === old) this.lost('The connection was lost.')
    })
  }

  // Surfaces are drawn by code of ours, which only pages that have some load.
  async draw() {
    if (![...this.document._all_models.values()].some(model => model.tags?.some(tag => tag?.surface))) return
    const {surfaces} = await import('./surface/index.js')
    this.surfaces = surfaces(this.document, () => this.alive)
  }

  ask(action, more = {}) {
    this.asked = (this.asked ?? 0) + 1
    if (this.models?.request) this.models.request.value = JSON.stringify({n: this.asked, do: action, ...more})
    return this.asked
  }

  // A parameter set in the text; before the simulation lives, it is what it will begin with.
  set(name, value) {
    if (this.alive) return void this.ask('set', {name, value})
    this.wanted[name] = value
    address.write(this.figure.id, {...address.read(this.figure.id), ...this.wanted})
  }

  get alive() { return this.stage.dataset.state === 'ready' }

  // What has been drawn keeps its height while it is away, and no more than its height while it is there.
  state(name, message) {
    if (name === 'ready') this.stage.style.minHeight = ''
    else if (this.alive) this.stage.style.minHeight = `${this.stage.offsetHeight}px`
    this.stage.dataset.state = name
    this.stage.querySelector('.stage-message').textContent = message
  }

  refused(message) {
    this.state('refused', message)
    this.retry(SLOWEST_RETRY)
  }

  lost(message) {
    if (this.waiting) return
    const at = Bokeh.documents.indexOf(this.document)
    if (at >= 0) Bokeh.documents.splice(at, 1)
    this.document = null
    this.state('lost', `${message} Trying again; the settings are kept.`)
    this.attempt += 1
    this.retry(Math.min(250 * 2 ** this.attempt, SLOWEST_RETRY) * (0.7 + 0.6 * Math.random()))
  }

  retry(milliseconds) {
    this.waiting = setTimeout(() => { this.waiting = null; this.mount() }, milliseconds)
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
  for (const entry of entries) watch(mounted.get(entry.target.id), entry.isIntersecting && !document.hidden)
})

function watch(simulation, seen) {
  if (simulation.seen === seen) return
  simulation.seen = seen
  if (simulation.alive) simulation.ask(seen ? 'seen' : 'unseen')
}

document.addEventListener('visibilitychange', () => {
  for (const simulation of mounted.values()) {
    const box = simulation.figure.getBoundingClientRect()
    watch(simulation, !document.hidden && box.bottom > 0 && box.top < innerHeight)
  }
})
document.addEventListener('knob', ({detail: {id, name, value}}) => mounted.get(id)?.set(name, value))
document.addEventListener('themechange', () => window.Bokeh?.documents.forEach(paint))

bundles().catch(() => {})
for (const figure of document.querySelectorAll('figure.simulation')) {
  mounted.set(figure.id, new Simulation(figure))
  near.observe(figure)
  inView.observe(figure)
}

// The projector's view: one simulation fills the window.
function present(id) {
  const figure = document.getElementById(id)
  const off = figure.classList.contains('presented')
  document.querySelector('.presented')?.classList.remove('presented')
  document.documentElement.toggleAttribute('data-present', !off)
  figure.classList.toggle('presented', !off)
  const address = new URL(location)
  if (off) address.searchParams.delete('present')
  else address.searchParams.set('present', id)
  history.replaceState(null, '', address)
  figure.scrollIntoView()
}

document.addEventListener('present', ({detail}) => present(detail))
document.addEventListener('keydown', event => {
  const presented = document.querySelector('.presented')
  if (event.key === 'Escape' && presented) present(presented.id)
})
const asked = new URLSearchParams(location.search).get('present')
const shown = mounted.has(asked) ? asked : asked && [...mounted.keys()][0]
if (shown) present(shown)
