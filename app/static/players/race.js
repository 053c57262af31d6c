// Replays a finished race, from its records, when it comes into view; a touch stops or restarts it. Python lays
// everything out (app/pictures/charts/race_track.py). Nothing of this goes back to the server.
import {PlayButton} from './play-button.js'

const LASTS = 8000 // milliseconds
const SEEN = 0.6 // share of the picture that must be in view for it to start by itself

/**
 * @param {BokehDocument} document
 * @param {(step: number | null) => void} follow called with the step that is shown; null is the end again
 */
export function races(document, follow) {
  return [...document._all_models.values()].flatMap(model => {
    const match = model.tags?.find(tag => tag?.race)
    return match ? [new Race(model, match.race, follow)] : []
  })
}

/**
 * @typedef {object} Tag what Python says of a race (app/pictures/charts/race_track.py)
 * @property {BokehSource} course
 * @property {Record<string, BokehSource>} markers
 * @property {BokehSource} maps
 * @property {BokehSource} shares
 * @property {BokehModel} places
 * @property {BokehSource[]} podium rows that arrive at the step `when`
 */

class Race {
  /** @param {BokehModel} figure @param {Tag} tag @param {(step: number | null) => void} follow */
  constructor(figure, {course, markers, maps, shares, places, podium}, follow) {
    this.figure = figure
    this.follow = follow
    /** @type {Map<BokehSource, object> | null} what is shown when the race is over, while it is run again */
    this.end = null
    /** @type {number | null} */
    this.begun = null
    this.course = course
    this.markers = markers
    this.maps = maps
    this.shares = shares
    this.places = places
    this.podium = podium
    this.still = matchMedia('(prefers-reduced-motion: reduce)')
    this.fresh = null
    this.renew = () => this.renewed()
    this.finish = () => this.finished()
    this.touch = (/** @type {Event} */ event) => {
      if (!this.button.pressedBy(event)) this.touched()
    }
    this.button = new PlayButton(figure, 'Run the race again', () => (this.end ? this.stop() : this.play()))
    course.properties.data.change.connect(this.renew)
    for (const source of Object.values(markers)) source.properties.data.change.connect(this.finish)
    this.watched = new IntersectionObserver(
      ([entry]) => {
        this.seen = entry.isIntersecting
        this.begin()
      },
      {threshold: SEEN},
    )
    this.attach()
    if (Object.values(markers).some(source => source.get_length())) this.finished()
  }

  get over() {
    return Boolean(this.course.get_length())
  }

  // Wait until Bokeh has created its element.
  /** @returns {void} */
  attach() {
    this.box = Bokeh.index.find_one_by_id(this.figure.id)?.el
    if (!this.box) return void (this.planned = requestAnimationFrame(() => this.attach()))
    this.box.addEventListener('pointerdown', this.touch)
    this.sized = new ResizeObserver(() => this.offer())
    for (const observer of [this.sized, this.watched]) observer.observe(this.box)
  }

  remove() {
    this.seen = false
    cancelAnimationFrame(this.planned)
    for (const observer of [this.sized, this.watched]) observer?.disconnect()
    this.button.remove()
    this.course.properties.data.change.disconnect(this.renew)
    for (const source of Object.values(this.markers)) source.properties.data.change.disconnect(this.finish)
    this.box?.removeEventListener('pointerdown', this.touch)
  }

  // A race plays by itself if it was over when the page first got it; one that was watched live is not repeated. It
  // starts when everything sent together has arrived, because it ends with the data present at its start.
  finished() {
    this.fresh ??= this.over
    this.offer()
    queueMicrotask(() => this.begin())
  }

  begin() {
    if (this.fresh && this.seen && this.over && !this.still.matches) this.play()
  }

  // Only a finished race can be replayed.
  offer() {
    if (this.over) this.button.attach()
    else this.button.remove()
  }

  // The server sends the course first, and then whatever else has changed.
  renewed() {
    if (this.end) this.stop()
    else this.button.say(false)
    this.offer()
  }

  touched() {
    if (this.end) this.stop()
    else if (this.over && !this.still.matches) this.play()
  }

  play() {
    this.fresh = false
    this.button.say(true)
    const moved = [...Object.values(this.markers), this.maps, this.shares, ...this.podium]
    this.end = new Map(moved.map(source => [source, columns(source)]))
    this.words = this.places.major_label_overrides
    /** @type {string | null} */
    this.said = null
    this.begun = null
    this.planned = requestAnimationFrame(now => this.draw(now))
  }

  stop() {
    cancelAnimationFrame(this.planned)
    for (const [source, data] of this.end ?? []) show(source, data)
    this.places.setv({major_label_overrides: this.words}, {sync: false})
    this.end = null
    this.button.say(false)
    this.follow(null)
  }

  /** @param {number} now */
  draw(now) {
    this.begun ??= now
    const column = (/** @type {string} */ name) => [...this.course.get_column(name)]
    const [steps] = column('steps')
    const step = ((now - this.begun) / LASTS) * steps.at(-1)
    if (step >= steps.at(-1)) return this.stop()
    this.follow(Math.floor(step))
    let at = 0
    while (steps[at + 1] <= step) at += 1
    const part = (step - steps[at]) / (steps[at + 1] - steps[at])
    const along = (/** @type {string} */ name) => column(name).map(way => way[at] + part * (way[at + 1] - way[at]))
    const x = along('middle'),
      low = along('low'),
      high = along('high')
    const color = column('color'),
      maps = column('maps'),
      everybody = [...color.keys()]
    for (const [name, source] of Object.entries(this.markers)) {
      const mine = everybody.filter(runner => color[runner] === name)
      const of = (/** @type {unknown[]} */ values) => mine.map(runner => values[runner])
      if (mine.length) show(source, {...columns(source), x: of(x), low: of(low), high: of(high)})
    }
    const mapped = everybody.filter(runner => maps[runner].length),
      bare = everybody.filter(runner => !maps[runner].length)
    show(this.maps, {
      ...columns(this.maps),
      x: mapped.map(runner => x[runner]),
      image: mapped.map(runner => maps[runner][at]),
    })
    const shares = bare.map(runner => x[runner])
    show(this.shares, {...columns(this.shares), x: shares, text: shares.map(share => String(Math.round(100 * share)))})
    this.say(step)
    this.planned = requestAnimationFrame(now => this.draw(now))
  }

  // Shows the ranks of those who have finished, and their pillars.
  /** @param {number} step */
  say(step) {
    const [y, when, texts] = ['y', 'when', 'said'].map(name => [...this.course.get_column(name)])
    const words = new Map(y.map((position, at) => [position, when[at] <= step ? texts[at] : '']))
    const joined = [...words.values()].join()
    if (joined === this.said) return
    this.said = joined
    for (const source of this.podium) {
      const alpha = [...source.get_column('when')].map(arrival => Number(arrival <= step))
      show(source, {...columns(source), alpha})
    }
    this.places.setv({major_label_overrides: words}, {sync: false})
  }
}

/** @param {BokehSource} source */
function columns(source) {
  return Object.fromEntries(source.columns().map(name => [name, source.get_column(name)]))
}

/** @param {BokehSource} source @param {object} data */
function show(source, data) {
  source.setv({data}, {sync: false})
}
