// What the classes of app/pictures/base/direct.py and figures.py do when they are shown: here they make the changes of
// their models. A picture has no memory: every change is made each time, whether or not it changes anything.
import {ENDINGS} from '../frame.js'

/** @typedef {ArrayLike<number>} Numbers */
/** @typedef {[x: number, y: number]} Point */

const PER_UNIT = 20 // values per unit that a drag can reach
const TICKS = 6 // largest number of labels of a logarithmic axis, about
const GROUP = 0.8 // width of all bars of a place
const AROUND = 76, // pixels of a figure's height that its title and its axis take, about
  LABEL = 17 // pixels from one label at the end of a line to the next

/** Collects changes of models, which have names in Python's view. */
export class Picture {
  /** @param {Record<string, string>} names the ids of the models by their paths in the view */
  constructor(names) {
    this.names = names
    /** @type {ModelChange[]} */
    this.changes = []
  }

  /** @param {string} path @param {Record<string, unknown>} values */
  set(path, values) {
    const id = this.names[path]
    if (id === undefined) throw new Error(`the picture has no model named ${path}`)
    for (const [attr, value] of Object.entries(values))
      this.changes.push({kind: 'ModelChanged', model: {id}, attr, new: value})
  }

  /** @param {string} axis its path @param {number[]} places */
  ticks(axis, places) {
    this.set(`${axis}.0.ticker`, {ticks: places})
  }

  /** Ticks with words. @param {string} axis its path @param {[place: number, words: string][]} labels */
  namedTicks(axis, labels) {
    this.set(`${axis}.ticker`, {ticks: labels.map(([place]) => place)})
    // As pairs, as Bokeh writes a mapping from numbers.
    this.set(axis, {major_label_overrides: {type: 'map', entries: labels}})
  }

  /**
   * `Bands.show`: a name without a band disappears.
   * @param {string} path
   * @param {string[]} names
   * @param {Numbers} x
   * @param {Record<string, Numbers[]>} bands
   */
  bands(path, names, x, bands) {
    this.set(`${path}.source`, {data: {x: Array.from(x), ...columns(names, x.length, bands)}})
  }

  /**
   * `Dots.show`: a name without a place has no dot.
   * @param {string} path
   * @param {string[]} names
   * @param {Record<string, Point>} places
   */
  dots(path, names, places) {
    for (const name of names) {
      const points = name in places ? [places[name]] : []
      this.set(`${path}._sources.${name}`, {data: {x: points.map(([x]) => x), y: points.map(([, y]) => y)}})
    }
  }

  /**
   * `Words.show` on a linear axis: a name without a place has no words.
   * @param {string} path
   * @param {string[]} names
   * @param {number} apart the smallest distance of two words, in units of the axis
   * @param {Record<string, [x: number, y: number, text: string]>} words
   */
  words(path, names, apart, words) {
    const heights = spreadOut(
      Object.values(words).map(([, y]) => y),
      apart,
    )
    const moved = Object.entries(words).map(([name, [x, , text]], index) => ({name, x, y: heights[index], text}))
    for (const name of names) {
      const rows = moved.filter(row => row.name === name)
      const data = {x: rows.map(row => row.x), y: rows.map(row => row.y), text: rows.map(row => row.text)}
      this.set(`${path}._sources.${name}`, {data})
    }
  }

  /**
   * `Timed.show`: rows that are visible from one moment to another; `bright`, if it is there, is their opacity then.
   * @param {string} path
   * @param {Record<string, unknown[]> & {bright?: number[]}} columns
   * @param {number[][]} times the first and the last moment of every row
   * @param {number} moment
   * @param {number} [faint] the share of their opacity at other moments
   */
  timed(path, columns, times, moment, faint = 0) {
    const [first, until] = [0, 1].map(end => times.map(time => time[end]))
    const opacity = (/** @type {number} */ row) => columns.bright?.[row] ?? 1
    const alpha = times.map(([from, to], row) => (from <= moment && moment <= to ? opacity(row) : faint * opacity(row)))
    this.set(`${path}.source`, {
      data: {...columns, first, until, faint: times.map((_, row) => faint * opacity(row)), alpha},
    })
  }

  /**
   * `EndLabels.show` on a linear axis.
   * @param {string} path
   * @param {string[]} names
   * @param {number} x where the lines end
   * @param {{low: number, high: number, height: number}} axis its ends, and the pixels of the whole figure
   * @param {Record<string, [y: number, text: string]>} ends a name without an end has no label
   */
  endLabels(path, names, x, {low, high, height}, ends) {
    const share = (/** @type {number} */ value) =>
      Number.isFinite(value) ? Math.min(Math.max((value - low) / (high - low), 0), 1) : 0
    const shares = Object.values(ends).map(([y]) => share(y))
    const inside = height - AROUND
    const places = apart(shares, LABEL / inside)
    const order = Object.keys(ends)
    for (const name of names) {
      const rows = order.includes(name) ? [order.indexOf(name)] : []
      const data = {
        x: rows.map(() => x),
        y: rows.map(at => low + shares[at] * (high - low)),
        text: rows.map(() => ends[name][1]),
        offset: rows.map(at => (shares[at] - places[at]) * inside),
      }
      this.set(`${path}._sources.${name}`, {data})
    }
  }

  /**
   * `Curves.show`; `end` is the last step of the run.
   * @param {string} path
   * @param {string[]} names
   * @param {Numbers} x
   * @param {number} end
   * @param {Record<string, Numbers[]>} bands
   * @param {boolean} logarithmic whether the vertical axis is
   * @param {number} ticks its largest number of labels, about
   */
  curves(path, names, x, end, bands, logarithmic = true, ticks = TICKS) {
    this.set(`${path}._plot.x_range`, {end})
    if (logarithmic) this.fit(`${path}._plot`, Object.values(bands).flat(), ticks)
    /** @type {Record<string, number[]>} */
    const data = {x: Array.from(x), ...columns(names, x.length, bands)}
    this.set(`${path}.source`, {data})
    this.set(`${path}._tips`, {data: Object.fromEntries(['x', ...names].map(name => [name, data[name].slice(-1)]))})
  }

  /**
   * `LogBars.show`: a value of 0 or more per place for each name; a name without values has no bars.
   * @param {string} path
   * @param {string[]} names
   * @param {Record<string, Numbers>} groups
   * @param {boolean} dots whether dots are in place of the bars
   */
  logBars(path, names, groups, dots = false) {
    const foot = this.fit(`${path}._plot`, Object.values(groups))
    const places = Object.values(groups).map(values => values.length)
    this.set(`${path}._plot.x_range`, {start: 0.3, end: (places.length ? Math.max(...places) : 1) + 0.7})
    const shown = names.filter(name => name in groups)
    const width = GROUP / shown.length
    for (const [index, name] of names.entries()) {
      if (shown.length && !dots) this.set(`${path}._bars.${index}.glyph`, {width})
      this.set(`${path}._plot.legend.0.items.${index}`, {visible: shown.includes(name)})
      const values = Array.from(groups[name] ?? [])
      const beside = shown.indexOf(name) - (shown.length - 1) / 2
      const x = values.map((_, place) => 1 + place + beside * width)
      const data = {
        x,
        top: values.map(value => (isPositive(value) ? value : NaN)),
        bottom: values.map(value => (isPositive(value) ? foot : NaN)),
        zero_x: x,
        zero_y: values.map(value => (value === 0 ? foot * 1.3 : NaN)),
      }
      this.set(`${path}._sources.${name}`, {data})
    }
  }

  /**
   * Fits a logarithmic axis to powers of ten around all positive finite values, and returns its lower end.
   * @param {string} plot its path
   * @param {Numbers[]} values
   * @param {number} ticks its largest number of labels, about
   */
  fit(plot, values, ticks = TICKS) {
    let low = Infinity,
      high = 0
    for (const array of values)
      for (const value of Array.from(array).filter(isPositive)) {
        low = Math.min(low, value)
        high = Math.max(high, value)
      }
    if (!high) [low, high] = [0.1, 1]
    const head = Math.ceil(Math.log10(high)),
      foot = Math.min(Math.floor(Math.log10(low)), head - 2),
      step = Math.ceil((head - foot) / ticks)
    this.set(`${plot}.y_range`, {start: power(foot), end: power(head)})
    const first = step * Math.ceil(foot / step)
    const count = Math.floor((head - first) / step) + 1
    this.ticks(
      `${plot}.yaxis`,
      Array.from({length: count}, (_, index) => power(first + index * step)),
    )
    return power(foot)
  }
}

/** Bytes as an array of Bokeh. @param {Uint8Array} bytes @param {number[]} shape */
export const image = (bytes, shape) => ({
  type: 'ndarray',
  array: {type: 'bytes', data: bytes.slice()},
  dtype: 'uint8',
  shape,
  order: 'little',
})

/** A multiple of a twentieth between two bounds; halves are rounded to even ones. @param {number} value @param {number} low @param {number} high */
export function snapped(value, low, high) {
  const wanted = value * PER_UNIT,
    below = Math.floor(wanted)
  const isHalf = wanted - below === 0.5
  const whole = isHalf ? 2 * Math.round(wanted / 2) : Math.round(wanted)
  return Math.min(Math.max(whole / PER_UNIT, low), high) + 0 // no −0
}

/** The data of a source from its rows. @param {string[]} names @param {unknown[][]} rows */
export const sourceOf = (names, rows) =>
  Object.fromEntries(names.map((name, index) => [name, rows.map(row => row[index])]))

/** @param {number} value */
const isPositive = value => Number.isFinite(value) && value > 0

// Python's own powers are not rounded correctly in two cases, 10²³ and 10²¹⁰.
/** @param {number} exponent */
export const power = exponent => Number(`1e${exponent}`)

/**
 * @param {string[]} names
 * @param {number} length
 * @param {Record<string, Numbers[]>} bands
 * @returns {Record<string, number[]>}
 */
function columns(names, length, bands) {
  const entries = names.flatMap(name =>
    ENDINGS.map((ending, index) => {
      const values = bands[name]?.[index]
      return [name + ending, values ? Array.from(values) : new Array(length).fill(NaN)]
    }),
  )
  return Object.fromEntries(entries)
}

/**
 * Heights at least `apart` from each other, in the same order and as close to the given ones as possible.
 * @param {number[]} heights
 * @param {number} apart
 */
export function spreadOut(heights, apart) {
  /** @param {number[]} group */
  const low = group =>
    group.reduce((sum, index) => sum + heights[index], 0) / group.length - (apart * (group.length - 1)) / 2
  /** @param {number[]} group */
  const high = group => low(group) + apart * (group.length - 1)
  /** @type {number[][]} */
  const groups = []
  for (const index of ascending(heights)) {
    groups.push([index])
    while (groups.length > 1 && low(groups[groups.length - 1]) - high(groups[groups.length - 2]) < apart) {
      const upper = /** @type {number[]} */ (groups.pop())
      groups[groups.length - 1].push(...upper)
    }
  }
  const moved = [...heights]
  for (const group of groups) for (const [place, index] of group.entries()) moved[index] = low(group) + place * apart
  return moved
}

/** Places from 0 to 1, `gap` apart and in the same order. @param {number[]} places @param {number} gap */
function apart(places, gap) {
  const order = ascending(places),
    moved = spreadOut(places, gap)
  let [floor, ceiling] = [0, 1]
  for (const place of order) {
    moved[place] = Math.max(moved[place], floor)
    floor = moved[place] + gap
  }
  for (const place of order.toReversed()) {
    moved[place] = Math.min(moved[place], ceiling)
    ceiling = moved[place] - gap
  }
  return moved
}

/** The indices of values in ascending order, with NaN at the end. @param {number[]} values */
export function ascending(values) {
  /** @param {number} one @param {number} other */
  const compare = (one, other) =>
    Number.isNaN(one) || Number.isNaN(other) ? Number(Number.isNaN(one)) - Number(Number.isNaN(other)) : one - other
  return values.map((_, index) => index).sort((one, other) => compare(values[one], values[other]))
}
