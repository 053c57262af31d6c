// Missions of a simulation, and the steps of its first minute. The results of a finished run say which missions it
// completes. A mission that takes two runs compares settings with the run that completed the previous one; these
// settings and the completed missions are stored in this browser.
import * as address from '../shared/address.js'
import * as store from '../shared/store.js'

const KEPT = 'missions'

class Missions {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section
    this.simulation = section.dataset.simulation
    this.list = section.dataset.list
    /** @type {Record<string, string>} */
    this.labels = JSON.parse(section.dataset.labels)
    this.items = new Map([...section.querySelectorAll('[data-mission]')].map(item => [item.dataset.mission, item]))
    this.last = ''
    for (const [name, item] of this.items) this.show(name, item, this.why(item))
  }

  /** @param {string} name @returns {string | undefined} */
  kept(name) {
    return store.answers()[KEPT]?.[`${this.simulation}.${name}`]
  }

  // A run that is reported twice, because its picture was shown again, counts once.
  /** @param {Record<string, string>} results @param {boolean} precomputed */
  judge(results, precomputed) {
    const done = results[this.list],
      {settings} = results
    const run = `${settings} ${precomputed}`
    if (!done || run === this.last) return
    this.last = run
    const able = done.split(','),
      fresh = []
    for (const [name, item] of this.items) {
      if (!able.includes(name) || (precomputed && item.hasAttribute('data-own'))) continue
      const reason = this.why(item, settings)
      if (reason) {
        if (!this.kept(name)) this.show(name, item, reason)
        continue
      }
      if (!this.kept(name)) fresh.push(this.number(item))
      store.keep(`${this.simulation}.${name}`, settings, KEPT)
    }
    for (const [name, item] of this.items) if (this.kept(name)) this.show(name, item)
    for (const [name, item] of this.items)
      if (!this.kept(name) && !able.includes(name)) this.show(name, item, this.why(item))
    if (fresh.length)
      this.section.querySelector('.spoken').textContent = `${this.section.dataset.word} ${fresh.join(' and ')} done.`
  }

  /** @param {HTMLElement} item */
  number(item) {
    return [...this.items.values()].indexOf(item) + 1
  }

  // Why a run with these settings does not count for a mission that follows another one; empty if it does.
  /** @param {HTMLElement} item @param {string} [settings] */
  why(item, settings) {
    const {after, same, most} = item.dataset
    if (!after) return ''
    const before = this.kept(after),
      number = this.number(/** @type {HTMLElement} */ (this.items.get(after)))
    if (!before) return `Do mission ${number} first.`
    if (!settings) return ''
    const [old, now] = [before, settings].map(text => new URLSearchParams(text))
    const differ = Object.keys(this.labels).filter(name => old.get(name) !== now.get(name))
    const labelsOf = (/** @type {string[]} */ names) => names.map(name => this.labels[name]).join(', ')
    const wrong = differ.filter(name => same.split(' ').includes(name))
    if (wrong.length) return `That run differs from that of mission ${number} in what must stay: ${labelsOf(wrong)}.`
    if (Number(most) && differ.length > Number(most))
      return `That run differs from that of mission ${number} in ${differ.length} controls: ${labelsOf(differ)}.`
    return ''
  }

  /** @param {string} name @param {HTMLElement} item @param {string} [reason] @returns {void} */
  show(name, item, reason = '') {
    const state = item.querySelector('.state'),
      settings = this.kept(name)
    item.toggleAttribute('data-done', Boolean(settings))
    if (this.list !== 'missions') return void (state.textContent = settings ? 'Done' : '')
    state.replaceChildren(settings ? 'Done. ' : `Not yet. ${reason}`)
    if (settings)
      state.append(
        Object.assign(document.createElement('a'), {href: this.link(settings), textContent: 'The run that did it'}),
      )
  }

  /** @param {string} settings */
  link(settings) {
    return address.link(this.simulation, Object.fromEntries(new URLSearchParams(settings)))
  }
}

for (const section of document.querySelectorAll('.missions')) {
  const missions = new Missions(section)
  document.addEventListener('simulation', ({detail: {id, live}}) => {
    if (id === missions.simulation)
      missions.judge(/** @type {Record<string, string>} */ (live.results ?? {}), live.kept)
  })
}
