// The text around a simulation: description, results in the prose, notes, disclosure, table, downloads, sharing.
import * as address from '../shared/address.js'
import {shown} from '../shared/numbers.js'
import {picture} from './picture.js'
import {makeScrollable} from '../shared/reachable.js'
import {copyText, licensed, saveFile} from '../shared/copy-and-save.js'
import {elsewhere, pageLink} from '../shared/static-copy.js'
import {reserveHeight} from './layout/reserve-height.js'

const SPEAK_EVERY = 5_000
const SETTLED = 700 // milliseconds that a dragged picture has to stay unchanged
const TIMES_TEN = '\u00a0×\u00a010' // non-breaking, so that it stays on one line with its number

export class Panel {
  /** @param {import('./simulation.js').Simulation} simulation */
  constructor(simulation) {
    this.simulation = simulation
    this.figure = simulation.figure
    /** @type {<S extends string>(selector: S) => Selected<S>} */
    this.find = selector => this.figure.querySelector(selector)
    this.live = /** @type {Late<Live>} */ (/** @type {any} */ (null))
    /** @type {ReturnType<typeof setTimeout> | null | undefined} */
    this.renewing = undefined
    this.spoken = 0
    this.fetching = false
    this.serverless = Object.assign(document.createElement('p'), {className: 'no-server'})
    reserveHeight(this.find('.live'))
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (this.figure.querySelectorAll('[data-do]')))
      button.addEventListener('click', () => this.act(button.dataset.do, button))
    for (const fold of ['.quiet > details.more', 'details.table'])
      this.find(fold).addEventListener('toggle', () => this.table())
    this.figure.addEventListener('mounted', () => this.table())
    this.find('details.embedding')?.addEventListener('toggle', () => this.embedding())
    this.find('details.source')?.addEventListener('toggle', () => this.source())
  }

  /** @param {Live} now */
  show(now) {
    const same = this.live && JSON.stringify(this.live.values) === JSON.stringify(now.values)
    const live = (this.live = same ? {...this.live, ...now} : now)
    this.figure.dataset.status = live.status
    if (live.description) {
      this.say(live.description)
      this.speak(live)
    }
    this.progress(live)
    const {unable} = this.simulation.session
    this.note([...address.notes(this.figure.id), ...(unable ? [unable] : []), ...live.notes])
    this.diverged(live.diverged ?? [])
    for (const [name, text] of Object.entries(live.disclosure)) {
      const place = this.find(`[data-disclosure="${name}"]`)
      if (place) place.textContent = text
    }
    this.command(live.values)
    this.embedding()
    if (live.nextLink) {
      const {address: link, words} = live.nextLink
      Object.assign(this.find('.next-link a'), {href: pageLink(link), textContent: words})
    }
    const configuration = this.find('[data-do="configuration"]')
    if (configuration) configuration.hidden = !live.configuration
    // Until there is a picture, keep the address, which still says what should be shown.
    if (live.description !== undefined) address.write(this.figure.id, this.changed())
    for (const [name, value] of Object.entries(live.results ?? {}))
      for (const place of document.querySelectorAll(`[data-value="${this.figure.id}.${name}"]`))
        place.textContent = shown(value)
    this.renew()
    document.dispatchEvent(
      new CustomEvent('simulation', {detail: {id: this.figure.id, live, simulation: this.simulation}}),
    )
  }

  /** @param {string} sentence */
  say(sentence) {
    const place = this.find('.live')
    const text = sentence.replaceAll(' × 10', TIMES_TEN)
    if (place.textContent !== text) place.textContent = text
  }

  // In a static copy: one line below the picture, which it must not cover. It is spoken only as the answer to a reader.
  /** @param {'status' | null} role */
  tellWithoutServer(role) {
    const line = this.serverless
    line.role = role
    if (!line.isConnected) this.simulation.stage.after(line)
    line.replaceChildren(...elsewhere(this.figure.id))
  }

  /** @param {string} html */
  listing(html) {
    const place = this.find('.listing code')
    if (!place) return
    place.innerHTML = html
    this.find('.listing').hidden = !html
  }

  /** @returns {Values} */
  changed() {
    const {defaults, values} = this.live
    const {initial} = this.simulation
    return Object.fromEntries(
      Object.entries(values).filter(([name, value]) => value !== (initial[name] ?? defaults[name])),
    )
  }

  /** @param {Live} live */
  speak(live) {
    clearTimeout(this.speaking)
    const say = () => {
      this.spoken = performance.now()
      const line = this.find('.live + .spoken')
      line.textContent = live.description ?? ''
      // Readers who go on would find the sentence twice, and later an old one.
      clearTimeout(this.silencing)
      this.silencing = setTimeout(() => {
        line.textContent = ''
      }, SPEAK_EVERY)
    }
    if (!this.moving) this.speaking = setTimeout(say, SETTLED)
    else if (performance.now() - this.spoken >= SPEAK_EVERY) say()
  }

  get moving() {
    const {status, step = NaN, steps = NaN} = this.live
    return status === 'running' && step < steps
  }

  /** @param {Live} live */
  progress(live) {
    const {bar, film} = this.simulation
    if (!bar) return this.simulation.note(live.message ?? '')
    const place =
      live.status === 'waiting' && !live.message ? ` Waiting for a free worker; place ${live.place} in the queue.` : ''
    bar.show(live, film, (live.message ?? '') + place)
  }

  // A screen reader reads what is put in, so what is there already stays.
  /** @param {string[]} texts */
  note(texts) {
    if (JSON.stringify(texts) === this.noted) return
    this.noted = JSON.stringify(texts)
    const items = texts.map(text => Object.assign(document.createElement('li'), {textContent: text}))
    this.find('.notes').replaceChildren(...items)
  }

  /** @param {Divergence[]} events */
  diverged(events) {
    const card = this.find('.diverged')
    card.hidden = !events.length
    card.querySelector('ul').replaceChildren(
      ...events.map(event => {
        const item = document.createElement('li')
        item.textContent = `Step ${event.step}: the ${event.quantity} overflowed. ${event.cause} ${event.what_to_try}`
        return item
      }),
    )
  }

  /** @param {Values} values */
  command(values) {
    const place = this.find('.command code')
    if (!place) return
    const words = Object.entries(values).filter(([name, value]) => value !== this.live.defaults[name])
    place.textContent = [
      'python -m sims',
      this.simulation.name,
      ...words.map(([name, value]) => `--${name.replaceAll('_', '-')} ${value}`),
    ].join(' ')
  }

  // The code has a page of its own, which is fetched when a reader opens the fold. Until then, and where that fails, the
  // fold has a link to it.
  async source() {
    const link = this.find('details.source > .file > a')
    if (!link || this.fetching) return
    this.fetching = true
    const answer = await fetch(link.href).catch(() => null)
    this.fetching = false
    if (!answer?.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const [line, code] = page.querySelector('.listing.source').children
    link.replaceWith(...line.childNodes)
    this.find('details.source').append(code)
    makeScrollable(this.find('details.source'))
  }

  // Update the code for other sites while it is open.
  async embedding() {
    if (!this.find('details.embedding')?.open) return
    const code = await import('./embed-code.js')
    code.show(this.figure, this.live ? this.changed() : {}, (text, button) => this.copy(text, button))
  }

  /** @param {string} action @param {HTMLButtonElement} button */
  async act(action, button) {
    if (action === 'share') {
      const link = address.url(this.figure.id, this.live ? this.changed() : {})
      link.hash = this.figure.id
      await this.copy(String(link), button, 'Link copied')
    } else if (action === 'copy') {
      await this.copy(this.find('.listing code').textContent, button)
    } else if (action === 'unfold') {
      button.ariaExpanded = String(button.ariaExpanded !== 'true')
    } else if (action === 'configuration') {
      const text = licensed(this.live.configuration ?? '')
      saveFile(new Blob([text], {type: 'text/x-python'}), `train_${this.simulation.name}.py`)
    } else if (action === 'present') {
      document.dispatchEvent(new CustomEvent('present', {detail: this.figure.id}))
    } else if (!this.simulation.alive) {
      this.flash(button, 'Not ready yet')
    } else if (action === 'reset') {
      this.simulation.reset()
    } else if (action === 'download') {
      this.flash(button, 'Preparing …')
      this.simulation.numbers(button.dataset.format)
    } else if (action === 'png' || action === 'svg') {
      this.flash(button, 'Preparing …')
      saveFile(...(await picture(this.simulation, action)))
    }
  }

  /** @param {string} text @param {HTMLButtonElement} button @param {string} [done] */
  async copy(text, button, done = 'Copied') {
    this.flash(button, (await copyText(text)) ? done : 'Press again')
  }

  /** @param {HTMLButtonElement} button @param {string} text */
  flash(button, text) {
    const was = (button.dataset.text ??= button.textContent)
    button.textContent = text
    setTimeout(() => {
      button.textContent = was
    }, 1500)
  }

  // Whether a table is visible.
  get tabular() {
    return this.find('.quiet > details.more').open && this.find('details.table').open
  }

  table() {
    clearTimeout(this.renewing)
    this.renewing = null
    if (!this.tabular || !this.simulation.alive || this.simulation.film.shown) return
    if (this.numbered() === this.tabled && this.find('.table .rows').hasChildNodes()) return
    this.tabled = this.numbered()
    this.simulation.numbers('table')
  }

  // An open table follows the picture above it: once that has settled, and from time to time during a run.
  renew() {
    if (!this.tabular || this.simulation.film.shown || this.numbered() === this.tabled) return
    if (!this.moving) clearTimeout(this.renewing)
    else if (this.renewing) return
    this.renewing = setTimeout(() => this.table(), this.moving ? SPEAK_EVERY : SETTLED)
  }

  // The reply belonged to another picture: ask again.
  again() {
    this.tabled = null
    this.renew()
  }

  numbered() {
    return JSON.stringify([this.live?.values, this.live?.step, this.live?.description])
  }

  /** @param {Reply} reply */
  answer(reply) {
    if ('tables' in reply) this.fill(reply.tables)
    else saveFile(new Blob([reply.content], {type: reply.type}), reply.file)
  }

  /** @param {Table[]} tables */
  fill(tables) {
    const element = (/** @type {string} */ tag, /** @type {string | undefined} */ text = undefined) =>
      Object.assign(document.createElement(tag), text === undefined ? {} : {textContent: text})
    const row = (/** @type {string} */ tag, /** @type {string[]} */ cells) => {
      const row = element('tr')
      row.append(...cells.map(cell => element(tag, cell)))
      return row
    }
    this.find('.table .rows').replaceChildren(
      ...tables.flatMap(({header, rows, left_out}) => {
        const table = element('table'),
          head = element('thead'),
          body = element('tbody')
        head.append(row('th', header))
        body.append(...rows.map(cells => row('td', cells.map(shown))))
        table.append(head, body)
        return left_out ? [table, element('p', `${left_out} more rows are in the download.`)] : [table]
      }),
    )
    makeScrollable(this.find('details.table'))
  }
}
