// Shows what the units of a layer compute, as small maps under the pointer, like TensorFlow Playground. Python lays out
// the maps of all layers (app/pictures/maps/network_maps.py), so that nothing here waits for the server.
const TILE = 60,
  BETWEEN = 4,
  COLUMNS = 2 // pixels, and tiles in a row
const WIDE = COLUMNS * (TILE + BETWEEN) - BETWEEN
const BELOW = 8 // pixels from the strip

/** @param {BokehDocument} document */
export function layerGlances(document) {
  return [...document._all_models.values()].flatMap(model => {
    const match = model.tags?.find(tag => tag?.inside)
    return match ? [new LayerGlance(model, match.inside)] : []
  })
}

/** @typedef {{source: BokehSource, colors: {palette: string[]}, pitch: number, foot: number}} Tag what Python says of the maps */
class LayerGlance {
  /** @param {BokehModel} figure @param {Tag} tag */
  constructor(figure, {source, colors, pitch, foot}) {
    this.figure = figure
    this.source = source
    this.pitch = pitch
    this.foot = foot
    /** @type {{network: number, layer: number} | null} */
    this.at = null
    this.mapper = colors
    /** @type {number[][]} */
    this.colors = []
    this.box = Object.assign(globalThis.document.createElement('div'), {className: 'inside', ariaHidden: 'true'})
    Object.assign(this.box.style, {
      position: 'absolute',
      zIndex: 1,
      boxSizing: 'content-box',
      width: `${WIDE}px`,
      padding: '6px 8px',
      pointerEvents: 'none',
      font: '400 13px/1.35 var(--sans)',
      color: 'var(--ink)',
      background: 'var(--panel)',
      border: '1px solid var(--edge)',
      borderRadius: '6px',
    })
    this.heading = globalThis.document.createElement('strong')
    this.canvas = globalThis.document.createElement('canvas')
    this.canvas.style.margin = '4px 0'
    this.words = globalThis.document.createElement('span')
    for (const element of [this.heading, this.canvas, this.words]) element.style.display = 'block'
    this.box.append(this.heading, this.canvas, this.words)
    this.moved = (/** @type {PointerEvent} */ event) => this.look(event)
    this.left = () => this.show(null)
    this.renew = () => this.draw()
    this.element = /** @type {Late<HTMLElement>} */ (/** @type {any} */ (null))
    source.properties.data.change.connect(this.renew)
    this.attach()
  }

  get view() {
    return /** @type {Late<BokehView>} */ (Bokeh.index.find_one_by_id(this.figure.id))
  }

  // Wait until Bokeh has created its element.
  /** @returns {void} */
  attach() {
    this.element = /** @type {Late<HTMLElement>} */ (this.view?.el)
    if (!this.element) return void (this.planned = requestAnimationFrame(() => this.attach()))
    this.element.addEventListener('pointermove', this.moved)
    this.element.addEventListener('pointerleave', this.left)
  }

  remove() {
    cancelAnimationFrame(this.planned)
    this.source.properties.data.change.disconnect(this.renew)
    this.element?.removeEventListener('pointermove', this.moved)
    this.element?.removeEventListener('pointerleave', this.left)
    this.box.remove()
  }

  // A finger that drags along the strip sees the units in place of the map.
  /** @param {PointerEvent} event */
  look({clientX, clientY, pointerType}) {
    if (pointerType === 'touch') return
    const {left, top} = this.element.getBoundingClientRect(),
      {bbox} = this.view.frame
    const {x_range, y_range} = this.figure
    const x = x_range.start + ((clientX - left - bbox.left) / bbox.width) * (x_range.end - x_range.start)
    const y = y_range.end - ((clientY - top - bbox.top) / bbox.height) * (y_range.end - y_range.start)
    const network = Math.floor(x / this.pitch),
      along = x - network * this.pitch
    const layers = this.source.get_column('gradients')[network]?.length
    if (!layers || along > 1 || y < this.foot) return this.show(null)
    this.show({network, layer: Math.min(Math.floor(along * layers), layers - 1)})
    const foot = bbox.top + ((y_range.end - this.foot) / (y_range.end - y_range.start)) * bbox.height
    const most = this.element.offsetWidth - this.box.offsetWidth
    Object.assign(this.box.style, {
      top: `${foot + BELOW}px`,
      left: `${Math.max(0, Math.min(clientX - left - this.box.offsetWidth / 2, most))}px`,
    })
  }

  /** @param {{network: number, layer: number} | null} at */
  show(at) {
    const same = at && at.network === this.at?.network && at.layer === this.at.layer
    this.at = at
    if (!at) return this.box.remove()
    if (!this.box.parentNode) this.view.shadow_el.append(this.box)
    if (!same) this.draw()
  }

  draw() {
    if (!this.at) return
    const {network, layer} = this.at
    const [gradients, maps, when] = ['gradients', 'maps', 'when'].map(name => this.source.get_column(name)[network])
    if (!(layer < gradients?.length)) return this.show(null)
    const [inner, units, side] = maps.shape
    this.heading.textContent = `Layer ${layer + 1} of ${gradients.length}`
    this.words.textContent = `gradient ${gradients[layer]}`
    this.canvas.style.display = layer < inner ? 'block' : 'none'
    if (layer >= inner) return void this.words.prepend('its answers are the map · ')
    this.words.prepend(`its first ${units} units${when} · `)
    const size = units * side * side
    this.fill(new Uint8Array(maps.buffer, maps.byteOffset + layer * size, size), units, side)
  }

  /** @param {Uint8Array} bytes @param {number} units @param {number} side */
  fill(bytes, units, side) {
    const step = TILE + BETWEEN,
      scale = devicePixelRatio
    const height = Math.ceil(units / COLUMNS) * step - BETWEEN
    Object.assign(this.canvas, {width: WIDE * scale, height: height * scale})
    Object.assign(this.canvas.style, {width: `${WIDE}px`, height: `${height}px`})
    const paper = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d')),
      style = getComputedStyle(this.box)
    paper.scale(scale, scale)
    paper.strokeStyle = style.borderColor
    // The page repaints the palette when the theme changes.
    this.colors = this.mapper.palette.map(color => [1, 3, 5, 7].map(from => parseInt(color.slice(from, from + 2), 16)))
    for (let unit = 0; unit < units; unit++) {
      const [x, y] = [(unit % COLUMNS) * step, Math.floor(unit / COLUMNS) * step]
      paper.drawImage(this.tile(bytes.subarray(unit * side * side, (unit + 1) * side * side), side), x, y, TILE, TILE)
      paper.strokeRect(x + 0.5, y + 0.5, TILE - 1, TILE - 1)
    }
  }

  // A map as a picture with one pixel per byte; its first row is the lowest.
  /** @param {Uint8Array} bytes @param {number} side */
  tile(bytes, side) {
    const picture = new ImageData(side, side)
    bytes.forEach((byte, at) => {
      picture.data.set(this.colors[byte], 4 * ((side - 1 - Math.floor(at / side)) * side + (at % side)))
    })
    const canvas = new OffscreenCanvas(side, side)
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'))
    context.putImageData(picture, 0, 0)
    return canvas
  }
}
