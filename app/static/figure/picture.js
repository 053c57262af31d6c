// Exports a whole figure as one file: its title, every plot in the layout of the page, the sentence that describes
// them, and their source. Bokeh's own code draws the plots, ours the surfaces, both in the reader's colors.
import {url} from '../shared/address.js'

/** @typedef {HTMLCanvasElement | SVGElement} Image as PNG or SVG needs it */
/** @typedef {{x: number, y: number, width: number, height: number, image: any}} Plot pixels of the sheet */
/** @typedef {{text: string, x: number, y: number, font: string, color: string}} Words a line of words */
/** @typedef {{width: number, height: number, color: string, plots: Plot[], texts: Words[]}} Sheet */

const SHARP = 2 // pixels of a PNG per CSS pixel
const MARGIN = 24
const APART = 20 // pixels between rows of plots, instead of the controls that the page has there
const SIDES = ['above', 'below', 'left', 'right', 'center'] // of a plot
const SPACE = 'http://www.w3.org/2000/svg'

// → a blob, and its file name
/** @param {import('./simulation.js').Simulation} simulation @param {'png' | 'svg'} format @returns {Promise<[Blob, string]>} */
export async function picture(simulation, format) {
  const {figure} = simulation
  const style = getComputedStyle(document.documentElement)
  /** @param {string} name */
  const look = name => style.getPropertyValue(`--${name}`).trim()
  const plots = together(drawn(simulation, format))
  const width = Math.round(simulation.stage.clientWidth)
  /** @type {Words[]} */
  const texts = []
  let y = MARGIN
  /** @type {(text: string, size: number, weight: number, color: string, between?: number) => void} */
  const say = (text, size, weight, color, between = 1.4) => {
    const font = `${weight} ${size}px ${look('sans') || 'sans-serif'}`
    for (const line of lines(text.trim(), font, width)) {
      texts.push({text: line, x: MARGIN, y: y + (between * size) / 2, font, color})
      y += between * size
    }
  }
  say(figure.querySelector('.title').textContent, 20, 650, look('ink'))
  y += 12
  for (const plot of plots) Object.assign(plot, {x: MARGIN + plot.x, y: y + plot.y})
  y = Math.max(...plots.map(plot => plot.y + plot.height)) + 12
  say(simulation.hidden ? 'Before the prediction' : figure.querySelector('.live').textContent, 15, 400, look('ink'))
  y += 6
  say(`${document.title} · ${source(simulation)}`, 12, 400, look('soft'))
  const sheet = {width: width + 2 * MARGIN, height: Math.ceil(y + MARGIN), color: look('panel'), plots, texts}
  return [await (format === 'png' ? png(sheet) : svg(sheet)), `${figure.id}.${format}`]
}

// All visible plots, at their positions in the figure.
/** @param {import('./simulation.js').Simulation} simulation @param {'png' | 'svg'} format @returns {Plot[]} */
function drawn({document: {_all_models: models}, surfaces, stage}, format) {
  const home = stage.getBoundingClientRect()
  const place = (/** @type {HTMLElement} */ element, /** @type {() => Image} */ image) => {
    const {left, top, width, height} = element.getBoundingClientRect()
    return {x: Math.round(left - home.left), y: Math.round(top - home.top), width, height, image}
  }
  const figures = [...models.values()]
    .filter(model => model.type === 'Figure')
    .map(model => /** @type {BokehView} */ (Bokeh.index.find_one(model)))
  return [
    ...figures.map(view => place(view.el, () => sharp(view, format))),
    ...surfaces.map(surface =>
      place(surface.controls.view, () => /** @type {Image} */ (surface.picture(format, SHARP))),
    ),
  ]
    .filter(({width, height}) => width && height)
    .map(plot => ({...plot, image: plot.image()}))
}

// Closes the gaps left by the rows of controls above and between plots.
/** @param {Plot[]} plots */
function together(plots) {
  let bottom = -Infinity,
    up = 0
  for (const plot of plots.sort((one, other) => one.y - other.y)) {
    const {y} = plot
    up = bottom === -Infinity ? y : up + Math.max(0, y - bottom - APART)
    bottom = Math.max(bottom, y + plot.height)
    plot.y -= up
  }
  return plots
}

// Bokeh draws at the resolution of the screen and prepares legends ahead, so pretend a sharper screen and redraw them.
/** @param {BokehView} view @param {string} format */
function sharp(view, format) {
  const own = Object.getOwnPropertyDescriptor(window, 'devicePixelRatio')
  /** @type {(BokehView | undefined)[]} */
  const legends = SIDES.flatMap(side => view.model[side])
    .filter(model => model.type === 'Legend')
    .map(model => Bokeh.index.find_one(model))
  const renew = () => {
    for (const legend of legends) legend?._paint_glyphs()
  }
  Object.defineProperty(window, 'devicePixelRatio', {value: format === 'png' ? SHARP : 1, configurable: true})
  try {
    renew()
    return view.export(format, true).canvas
  } finally {
    Object.defineProperty(window, 'devicePixelRatio', /** @type {PropertyDescriptor} */ (own))
    renew()
  }
}

// The address of the published page with these settings, if it is known.
/** @param {import('./simulation.js').Simulation} simulation */
function source({figure, panel}) {
  const link = url(figure.id, panel.changed()),
    published = document.querySelector('link[rel=canonical]')?.href
  return `${published ?? link.origin + link.pathname}${link.search}#${figure.id}`
}

/** @param {string} text @param {string} font @param {number} width */
function lines(text, font, width) {
  const context = paper(document.createElement('canvas'))
  context.font = font
  /** @param {string} words */
  const fits = words => context.measureText(words).width <= width
  const rows = ['']
  for (const word of text.split(/(?<=[\s/&?])/)) {
    if (fits(rows.at(-1) + word.trimEnd())) rows.push(rows.pop() + word)
    else rows.push(word)
  }
  return rows.map(line => line.trim()).filter(Boolean)
}

const paper = (/** @type {HTMLCanvasElement} */ canvas) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))

/** @param {Sheet} sheet @returns {Promise<Blob>} */
function png({width, height, color, plots, texts}) {
  const canvas = Object.assign(document.createElement('canvas'), {width: SHARP * width, height: SHARP * height})
  const context = paper(canvas)
  context.fillStyle = color
  context.fillRect(0, 0, canvas.width, canvas.height)
  for (const {image, x, y} of plots) context.drawImage(image, SHARP * x, SHARP * y)
  context.scale(SHARP, SHARP)
  context.textBaseline = 'middle'
  for (const {text, x, y, font, color} of texts) {
    Object.assign(context, {font, fillStyle: color})
    context.fillText(text, x, y)
  }
  return new Promise(resolve => canvas.toBlob(blob => resolve(/** @type {Blob} */ (blob))))
}

/** @param {Sheet} sheet */
async function svg({width, height, color, plots, texts}) {
  const root = element('svg', {width, height, viewBox: `0 0 ${width} ${height}`})
  root.append(element('style', {}, await face()), element('rect', {width, height, fill: color}))
  for (const {image, x, y} of plots) {
    for (const [name, value] of Object.entries({x, y, overflow: 'visible'})) image.setAttribute(name, value)
    root.append(image)
  }
  for (const {text, x, y, font, color} of texts)
    root.append(element('text', {x, y, fill: color, style: `font: ${font}`, 'dominant-baseline': 'central'}, text))
  return new Blob([new XMLSerializer().serializeToString(root)], {type: 'image/svg+xml'})
}

/** @param {string} name @param {Record<string, unknown>} attributes @param {string} [text] */
function element(name, attributes, text = '') {
  const node = document.createElementNS(SPACE, name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value))
  node.textContent = text
  return node
}

// The embedded font of the words, so that they have the same size wherever the file is opened.
async function face() {
  const file = await (await fetch(new URL('../style/fonts/source-sans-3.woff2', import.meta.url))).arrayBuffer()
  const encoded = btoa(Array.from(new Uint8Array(file), byte => String.fromCharCode(byte)).join(''))
  return `@font-face { font-family: "Source Sans 3"; font-weight: 200 900; src: url(data:font/woff2;base64,${encoded}) format("woff2") }`
}
