// A picture on the page: a prerendered Bokeh document. It is kept for as long as the page is open; a prerendered state
// or the frames of a live session are applied as changes to it.
const SHEET = 'widgets.css'

/** @param {BokehModel} model @param {string} attribute */
const key = (model, attribute) => `${model.id} ${attribute}`

/** @typedef {{attributes: {css: string}}} Sheet */

export class Kept {
  // `before` gets the document before it is drawn, so that whatever it changes costs no second drawing.
  /** @param {BokehDocumentJson} json @param {HTMLElement} host @param {string} css @param {(kept: Kept) => void} before */
  static async embed(json, host, css, before) {
    const widgets = /** @type {Sheet} */ (sheet(json.roots))
    widgets.attributes.css = css
    const kept = new Kept(Bokeh.require('document').Document.from_json(json))
    before(kept)
    await Bokeh.embed.add_document_standalone(kept.document, host)
    if (!host.hasChildNodes()) throw new Error('its figures could not be drawn')
    wipe(kept.models.find(model => model.type === 'Figure'))
    return kept
  }

  /** @param {BokehDocument} document */
  constructor(document) {
    this.document = document
    this.drawn = new Map() // whatever has been changed so far → its value in the original drawing
  }

  get models() {
    return [...this.document._all_models.values()]
  }

  /** @param {string} name */
  tagged(name) {
    return this.models.flatMap(model => model.tags.filter(tag => tag?.[name] !== undefined).map(tag => ({model, tag})))
  }

  // Applies changes and messages as a Bokeh server would send them. With `whole` they are relative to the document as
  // it was first drawn.
  /** @param {PatchEvent[]} events @param {{buffers?: Map<string, ArrayBuffer>, whole?: boolean}} [how] */
  apply(events, {buffers, whole = false} = {}) {
    const changed = new Set()
    for (const {model: reference, attr} of events) {
      const model = reference && this.document.get_model_by_id(reference.id)
      if (!model || attr === undefined) continue
      changed.add(key(model, attr))
      if (!this.drawn.has(key(model, attr)))
        this.drawn.set(key(model, attr), {model, attr, value: model.properties[attr].get_value()})
    }
    if (whole)
      for (const [name, {model, attr, value}] of this.drawn)
        if (!changed.has(name)) model.setv({[attr]: value}, {sync: false})
    this.document.apply_json_patch({events}, buffers)
  }

  // The values of everything that was changed so far.
  /** @returns {Map<string, unknown>} */
  snapshot() {
    return new Map([...this.drawn].map(([name, {model, attr}]) => [name, model.properties[attr].get_value()]))
  }

  // Shows what was shown at a snapshot of this picture.
  /** @param {Map<string, unknown>} values */
  restore(values) {
    /** @type {Map<BokehModel, Record<string, unknown>>} */
    const changes = new Map()
    for (const [name, {model, attr, value}] of this.drawn) {
      const then = values.has(name) ? values.get(name) : value
      if (model.properties[attr].get_value() === then) continue
      changes.set(model, {...changes.get(model), [attr]: then})
    }
    for (const [model, values] of changes) model.setv(values, {sync: false, check_eq: false})
  }

  // Remove it from the page, and free the ids of its models: another one may be embedded under the same ids.
  remove() {
    this.document.clear()
    Bokeh.documents.splice(Bokeh.documents.indexOf(this.document), 1)
  }
}

// Whether any of these events changes the picture; messages do not.
/** @param {PatchEvent[]} events */
export const draws = events => events.some(({model}) => model)

// Bokeh clears a picture half a pixel off: a sliver of every earlier drawing would stay at its left edge.
/** @param {BokehModel | undefined} figure */
function wipe(figure) {
  const layer = figure && Bokeh.index.find_one(figure)?.canvas_view?.primary
  if (layer)
    Object.getPrototypeOf(layer).clear = function () {
      const {x, y, width, height} = this.bbox
      this.ctx.clearRect(x - 1, y - 1, width + 2, height + 2)
    }
}

// The one style sheet of the widgets, as defined in the document.
/** @param {any} json @returns {Sheet | null} */
function sheet(json) {
  if (json === null || typeof json !== 'object') return null
  if (json.id === SHEET && json.attributes) return json
  for (const value of Object.values(json)) {
    const css = sheet(value)
    if (css) return css
  }
  return null
}
