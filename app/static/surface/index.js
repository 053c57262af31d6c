// Loss surfaces that a reader can turn. Python provides the data (app/pictures/maps/surface.py); this draws it, and
// reports the grid point that the reader has chosen.
import {number} from '../shared/numbers.js'
import {directions, matrix, moved, project, HOME} from './camera.js'
import {parse, toLab} from './color.js'
import {frame} from './frame.js'
import {paint as paintFlat} from './flat.js'
import {Painter, SUN} from './gl.js'
import {Lines} from './lines.js'
import {pick} from './mesh.js'
import {Scale} from './scale.js'
import {svg} from './svg.js'
import {drop, scene, way} from './scene.js'
import {Controls} from './controls.js'
import {Turning} from './turning.js'
import {texts, write, LINE} from './words.js'

const BESIDE = 560 // width in pixels from which on two surfaces are side by side
const LEAST = 200,
  MOST = 430,
  PROPORTION = 0.95 // pixels of height, and the ratio of height to width
const WIDE = 1200,
  OF_WINDOW = 0.47, // from that width on, the height may take this share of the window
  OF_WIDTH = 0.43 // and below it, this share of the width
const STACKED = 0.76 // the ratio if they are stacked
const TELL_EVERY = 90 // milliseconds between two choices reported to the server
const ROLL = 70,
  LONGEST_ROLL = 4000 // milliseconds from one point of a ball's path to the next, and in all
const SHARPEST = 3 // device pixels
const NEAR = '100% 0%' // margin of the window for drawing new data, to keep old data out of sight

// One shared painter while there is any surface on the page.
/** @type {Set<Surface>} */
const active = new Set()
/** @type {Painter | null} */
let painter = null

/** @param {Surface} surface */
function join(surface) {
  active.add(surface)
  try {
    painter ??= new Painter(() => {
      for (const other of active) other.wake()
    })
  } catch {
    // The surfaces are then painted flat.
  }
}

/** @param {Surface} surface */
function leave(surface) {
  active.delete(surface)
  if (active.size) return
  painter?.close()
  painter = null
}

// All surfaces of a document, drawn into the elements that Bokeh has created for them; with `blank` only their axes.
/** @param {BokehDocument} document @param {() => boolean} alive @param {boolean} [blank] */
export function surfaces(document, alive, blank = false) {
  return [...document._all_models.values()].flatMap(model => {
    const match = model.tags?.find(tag => tag?.surface)
    return match ? [new Surface(model, match.surface, alive, blank)] : []
  })
}

/**
 * @typedef {object} Tag what Python says of the surfaces (app/pictures/maps/surface.py)
 * @property {string} title
 * @property {[name: string, label: string, hue: string][]} names
 * @property {string[]} axes
 * @property {BokehSource} points
 * @property {BokehSource} paths
 * @property {BokehSource} scene one row that says the rest
 */
/** @typedef {{ink: number[], soft: number[], rule: number[], edge: number[], panel: number[]}} Colors shares of red, green and blue */
/**
 * @typedef {object} View one of the surfaces that are shown; the last six are set for each picture
 * @property {string} name
 * @property {string} label
 * @property {string | undefined} note
 * @property {string} hue
 * @property {{values: ArrayLike<number>}} data
 * @property {Scale} scale
 * @property {import('./scene.js').Scene} scene
 * @property {number[]} box left, top, width and height in pixels
 * @property {Late<Float32Array>} m
 * @property {number[]} sun
 * @property {number[]} ink
 * @property {import('./frame.js').Label[]} labels
 * @property {{behind: Float32Array, through: Float32Array}} moving
 */

/** @typedef {{points: number[][], at: number, speed: number}} Ball its way, and how far along it is */

const paper = (/** @type {HTMLCanvasElement} */ canvas) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))

const NOT_YET = /** @type {any} */ (null)

export class Surface {
  /** @param {BokehModel} model @param {Tag} tag @param {() => boolean} alive @param {boolean} blank */
  constructor(model, {title, names, axes, points, paths, scene: row}, alive, blank) {
    this.model = model
    this.title = title
    this.names = names
    this.axes = axes
    this.points = points
    this.paths = paths
    this.row = row
    this.alive = alive
    this.blank = blank
    /** @type {import('./camera.js').Camera} */
    this.camera = HOME
    /** @type {number | null} */
    this.chosen = null
    this.larger = 1
    /** @type {Map<string, Ball>} */
    this.balls = new Map()
    /** @type {View[]} */
    this.views = []
    this.colors = /** @type {Late<Colors>} */ (NOT_YET)
    this.grid = /** @type {Late<import('./scene.js').Grid>} */ (NOT_YET)
    /** @type {number | null} */
    this.planned = null
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.telling = null
    this.under = ''
    this.font = ''
    this.still = matchMedia('(prefers-reduced-motion: reduce)')
    join(this)
    this.controls = new Controls(this)
    this.turning = new Turning(
      () => this.wake(),
      (/** @type {boolean} */ on) => this.controls.turns(on),
    )
    this.context = paper(this.controls.canvas)
    this.renew = () => {
      this.stale = true
      this.attach()
      this.wake()
    }
    this.choose = () => {
      this.chosen = points.selected.indices[0] ?? null
      this.wake()
    }
    this.signals = [points, paths, row].map(source => source.properties.data.change)
    for (const signal of this.signals) signal.connect(this.renew)
    points.selected.properties.indices.change.connect(this.choose)
    globalThis.document.addEventListener('themechange', this.renew)
    this.sized = new ResizeObserver(() => {
      this.attach()
      this.wake()
    })
    this.watched = new IntersectionObserver(([entry]) => {
      this.seen = entry.isIntersecting
      this.wake()
    })
    this.neared = new IntersectionObserver(
      ([entry]) => {
        this.near = entry.isIntersecting
        this.wake()
      },
      {rootMargin: NEAR},
    )
    globalThis.document.fonts.ready.then(() => this.wake())
    this.stale = true
    this.attach()
    this.sized.observe(this.controls.view)
    for (const observer of [this.watched, this.neared]) observer.observe(this.controls.view)
    this.choose()
  }

  show() {
    this.blank = false
    this.renew()
  }

  // Bokeh may recreate its element.
  attach() {
    const home = Bokeh.index.find_one_by_id(this.model.id)?.shadow_el
    if (home && this.controls.root.parentNode !== home) home.append(this.controls.root)
  }

  remove() {
    for (const signal of this.signals) signal.disconnect(this.renew)
    this.points.selected.properties.indices.change.disconnect(this.choose)
    globalThis.document.removeEventListener('themechange', this.renew)
    this.sized.disconnect()
    for (const observer of [this.watched, this.neared]) observer.disconnect()
    this.turning.end()
    cancelAnimationFrame(this.planned)
    clearTimeout(this.telling)
    this.forget()
    this.controls.root.remove()
    leave(this)
  }

  forget() {
    for (const {scene} of this.views) painter?.forget(scene)
  }

  wake() {
    if (this.seen || (this.near && this.stale))
      this.planned ??= requestAnimationFrame(now => {
        this.planned = null
        this.draw(now)
      })
  }

  // -- what is shown ---------------------------------------------------------------------------------------------

  read() {
    const row = (/** @type {string} */ name) => this.row.get_column(name)?.[0]
    const visible = row('shown') ?? []
    const [low, high, notes] = [row('low') ?? [], row('high') ?? [], row('notes') ?? []]
    const grid = {
      rows: row('rows'),
      columns: row('columns'),
      a: this.points.get_column('a'),
      b: this.points.get_column('b'),
    }
    const style = getComputedStyle(document.documentElement)
    const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim()
    /** @type {any} */
    const colors = Object.fromEntries(['ink', 'soft', 'rule', 'edge', 'panel'].map(name => [name, parse(color(name))]))
    const dark = toLab(colors.panel)[0] < 0.5
    const path = (/** @type {string} */ kind, /** @type {string} */ of) => {
      const [names, kinds, ...numbers] = ['name', 'kind', 'a', 'b', 'height'].map(column => [
        ...this.paths.get_column(column),
      ])
      if (this.blank) return []
      return names.flatMap((name, at) => (name === of && kinds[at] === kind ? [numbers.map(values => values[at])] : []))
    }
    this.forget()
    this.views = this.names
      .filter(([name]) => visible.includes(name))
      .map(([name, label, hue]) => {
        const at = visible.indexOf(name),
          scale = new Scale(low[at], high[at], row('logarithmic'))
        const heights = this.points.get_column(`height_${name}`)
        const values = this.blank ? new Float64Array(heights.length).fill(NaN) : heights
        const data = {...grid, values, track: path('track', name)}
        const sceneData = scene(data, scale, {...colors, hue: color(hue)}, dark)
        this.roll(name, path('ball', name))
        return /** @type {View} */ (
          /** @type {Partial<View>} */ ({
            name,
            label,
            note: this.blank ? '' : notes[at],
            hue: color(hue),
            data,
            scale,
            scene: sceneData,
          })
        )
      })
    this.grid = grid
    this.colors = colors
    this.stale = false
    this.under = this.blank ? '' : (row('words') ?? '')
    this.font = color('sans') || 'sans-serif'
    this.controls.blank(this.blank)
    this.controls.say(
      this.blank ? '' : (row('sentence') ?? ''),
      !this.blank && this.views.some(({scene}) => scene.surface.open.length),
    )
    if (this.chosen !== null && this.blank) this.chosen = null
    if (this.chosen !== null && this.chosen >= grid.rows * grid.columns) this.chosen = null
  }

  // A ball whose path was extended rolls along the new part.
  /** @param {string} name @param {number[][]} points */
  roll(name, points) {
    const before = this.balls.get(name)
    const goesOn =
      before &&
      before.points.length <= points.length &&
      before.points.every((point, at) => point.every((value, axis) => Object.is(value, points[at][axis])))
    const from = goesOn ? Math.max(0, before.at) : 0,
      last = Math.max(0, points.length - 1)
    this.balls.set(name, {
      points,
      at: this.still.matches ? last : from,
      speed: Math.max(1 / ROLL, (last - from) / LONGEST_ROLL),
    })
  }

  /** @param {number} milliseconds */
  advance(milliseconds) {
    let moving = false
    for (const ball of this.balls.values()) {
      const last = Math.max(0, ball.points.length - 1)
      if (ball.at < last) moving = true
      ball.at = Math.min(last, ball.at + milliseconds * ball.speed)
    }
    return moving
  }

  // Lines that move: the ball's path so far, the ball, and the chosen point.
  /** @param {View} view @param {Iterable<number>} surroundings */
  moving(view, surroundings) {
    const behind = new Lines(),
      through = new Lines(),
      {place, surface} = view.scene,
      {ink, panel} = this.colors
    behind.numbers.push(...surroundings)
    const {points, at} = /** @type {Ball} */ (this.balls.get(view.name))
    if (points.length) {
      const whole = Math.floor(at),
        [from, to] = [place(points[whole]), place(points[Math.min(whole + 1, points.length - 1)])]
      const position = from.map((value, axis) => value + (at - whole) * (to[axis] - value))
      way(through, behind, [...points.slice(0, whole + 1).map(place), position], this.colors)
      drop(through, position, this.colors)
      through.dot(position, ink, 16, {lift: 0.06}).dot(position, panel, 12, {lift: 0.061})
    }
    if (this.chosen !== null) {
      const [x, y, z] = surface.positions.subarray(3 * this.chosen, 3 * this.chosen + 3)
      behind.dot([x, y, 0], ink, 6, {lift: 0.004})
      if (Number.isFinite(z)) {
        drop(through, [x, y, z], this.colors)
        through.dot([x, y, z], panel, 12, {lift: 0.065}).dot([x, y, z], ink, 8, {lift: 0.066})
      }
    }
    return {behind: behind.table, through: through.table}
  }

  // Boxes of the views in a picture of that width, and its height.
  /** @param {number} width */
  arrange(width) {
    const count = this.views.length,
      columns = width >= BESIDE ? Math.max(1, count) : 1
    const wide = width / columns
    const most = Math.max(MOST, width > WIDE ? innerHeight * OF_WINDOW : width * OF_WIDTH)
    const high = Math.round(Math.min(most, Math.max(LEAST, wide * (columns < count ? STACKED : PROPORTION))))
    const head = LINE * this.larger * (width >= BESIDE ? 1 : 2)
    this.views.forEach((view, at) => {
      view.box = [(at % columns) * wide, head + Math.floor(at / columns) * high, wide, high]
    })
    return head + high * Math.ceil(count / columns)
  }

  /** @param {number} now */
  draw(now) {
    if (this.stale) this.read()
    const width = Math.floor(this.controls.view.clientWidth)
    if (!width || !this.views.length) return
    this.larger = parseFloat(getComputedStyle(this.controls.view).getPropertyValue('--text')) || 1
    const height = this.arrange(width),
      ratio = Math.min(devicePixelRatio, SHARPEST)
    this.controls.size(width, height, ratio)
    const begun = performance.now(),
      elapsed = now - (this.last ?? now)
    const rolls = this.advance(Math.min(60, elapsed)),
      turn = this.turning.by(elapsed)
    this.last = rolls || this.turning.moves ? now : null
    if (turn) this.camera = moved(this.camera, {turn})
    this.paint(this.context, width, height, ratio)
    this.controls.tell(this.words())
    if (rolls) this.wake()
    else if (this.turning.moves) this.turning.plan(performance.now() - begun)
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {number} ratio @param {boolean} [words] */
  paint(context, width, height, ratio, words = true) {
    const {right, up, eye} = directions(this.camera)
    const sun = [0, 1, 2].map(axis => SUN[0] * right[axis] + SUN[1] * up[axis] + SUN[2] * eye[axis])
    for (const view of this.views) {
      const [, , wide, high] = view.box
      view.m = matrix(this.camera, wide, high, this.larger)
      const around = frame({
        camera: this.camera,
        m: view.m,
        width: wide,
        height: high,
        scale: view.scale,
        data: this.ends(),
        axes: this.axes,
        colors: this.colors,
        larger: this.larger,
      })
      Object.assign(view, {sun, ink: this.colors.ink, labels: around.labels, moving: this.moving(view, around.lines)})
    }
    context.clearRect(0, 0, width * ratio, height * ratio)
    const solid = painter !== null && !painter.lost
    if (painter && solid)
      painter.paint(context, this.views, Math.round(width * ratio), Math.round(height * ratio), ratio)
    else paintFlat(context, this.views, ratio)
    this.controls.view.dataset.painted = solid ? 'webgl' : 'flat'
    if (words) write(context, texts(this), ratio)
  }

  ends() {
    const {a, b} = this.grid
    return {a: [a[0], a[a.length - 1]], b: [b[0], b[b.length - 1]]}
  }

  // -- what the reader does --------------------------------------------------------------------------------------

  /** @param {Partial<import('./camera.js').Camera> | null} by */
  turn(by) {
    this.turning.set(false)
    this.camera = by ? moved(this.camera, by) : HOME
    this.wake()
  }

  // The grid point under a pixel.
  /** @param {number} px @param {number} py */
  point(px, py) {
    const view = this.views.find(({box: [x, y, wide, high]}) => px >= x && px < x + wide && py >= y && py < y + high)
    if (!view?.m) return
    const {
      box: [x, y, wide, high],
      m,
      scene: {surface},
    } = view
    const all = (/** @type {number | undefined} */ lift = undefined) =>
      Array.from(surface.shares, (_, at) => {
        const [a, b, c] = surface.positions.subarray(3 * at, 3 * at + 3)
        return project(m, [a, b, lift ?? c], wide, high)
      })
    this.select(pick(surface, all(), all(0), px - x, py - y))
  }

  /** @param {number} across @param {number} along */
  step(across, along) {
    if (!this.grid) return
    this.turning.set(false)
    const {rows, columns} = this.grid
    const at = this.chosen ?? Math.floor(rows / 2) * columns + Math.floor(columns / 2)
    const row = Math.floor(at / columns),
      column = at % columns
    if (this.chosen === null) return this.select(at)
    const clamp = (/** @type {number} */ value, /** @type {number} */ end) => Math.min(end - 1, Math.max(0, value))
    this.select(clamp(row + along, rows) * columns + clamp(column + across, columns))
  }

  /** @param {number | null | undefined} at */
  select(at) {
    if (at === null || at === undefined || at === this.chosen) return
    this.chosen = at
    this.wake()
    this.telling ??= setTimeout(() => {
      this.telling = null
      if (this.alive() && this.chosen !== null) this.points.selected.indices = [this.chosen]
    }, TELL_EVERY)
  }

  words() {
    const {chosen} = this
    if (chosen === null) return ''
    const {a, b} = this.grid,
      value = (/** @type {number} */ loss) => (Number.isFinite(loss) ? number(loss) : 'unresolved')
    const losses = this.views.map(({label, data}) => `${label} ${value(data.values[chosen])}`)
    return `${this.axes[0]} ${number(a[chosen])}, ${this.axes[1]} ${number(b[chosen])}: ${this.axes[2]} ${losses.join(', ')}`
  }

  // A canvas with this many pixels per CSS pixel, or an SVG element that keeps its texts as text.
  /** @param {'png' | 'svg'} format @param {number} ratio @returns {HTMLCanvasElement | Element} */
  picture(format, ratio) {
    if (this.stale) this.read()
    const width = this.controls.view.clientWidth,
      height = this.arrange(width)
    const canvas = Object.assign(document.createElement('canvas'), {width: width * ratio, height: height * ratio})
    this.paint(paper(canvas), width, height, ratio, format === 'png')
    if (format === 'png') return canvas
    return svg(canvas, [...texts(this)], width, height)
  }
}
