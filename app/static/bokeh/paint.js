/** @typedef {[name: string, size: any]} Sized a property and its value */

// Bokeh draws on a canvas, which style sheets do not reach, so we set palette colors and font sizes in its models. This
// is done in the browser only, so that a theme change costs the server nothing.
const WORDS = 13
const HEADING = 14
const IN_PIXELS = ['text_font_size', 'size', 'line_width', 'x_offset', 'y_offset', 'dw', 'dh'] // of data glyphs
const BORDERS = ['min_border_left', 'min_border_right'] // of a figure: they contain labels
/** @type {WeakMap<BokehModel, Sized[]>} */
const drawn = new WeakMap() // glyphs and figures → their original sizes of this kind
/** @type {WeakMap<BokehModel, string[]>} */
const palettes = new WeakMap() // color mappers → their original palettes

/** @param {BokehDocument} doc @param {number} [larger] */
export function paint(doc, larger = 1) {
  const style = getComputedStyle(document.documentElement)
  /** @param {string} name */
  const color = name => style.getPropertyValue(`--${name}`).trim()
  const sans = style.getPropertyValue('--sans').trim() || 'sans-serif'
  const mono = style.getPropertyValue('--mono').trim() || 'monospace'
  /** @param {number} size */
  const pixels = size => `${size * larger}px`
  /** @type {Record<string, unknown>} */
  const text = {text_color: color('ink'), text_font: sans, text_font_size: pixels(HEADING), text_font_style: 'bold'}
  /** @type {Record<string, unknown>} */
  const axis = {
    axis_line_color: color('rule'),
    major_tick_line_color: color('rule'),
    minor_tick_line_color: null,
    major_label_text_color: color('soft'),
    axis_label_text_color: color('soft'),
    major_label_text_font: sans,
    major_label_text_font_size: pixels(WORDS),
    axis_label_text_font: sans,
    axis_label_text_font_style: 'normal',
    axis_label_text_font_size: pixels(WORDS),
  }
  /** @type {Record<string, unknown>} */
  const legend = {
    background_fill_color: color('panel'),
    background_fill_alpha: 0.85,
    border_line_color: null,
    label_text_color: color('ink'),
    label_text_font: sans,
    label_text_font_size: pixels(WORDS),
  }
  const bar = {major_label_text_font: sans, major_label_text_font_size: pixels(WORDS)}
  /** @param {BokehModel} model */
  const font = model => (/mono/.test(model.text_font?.value ?? model.text_font) ? mono : sans)
  const glyphs = new Set(
    [...doc._all_models.values()].filter(model => model.type === 'GlyphRenderer').map(model => model.glyph),
  )
  for (const model of doc._all_models.values()) {
    /** @param {string} name */
    const has = name => name in model.properties
    const byType =
      model.type === 'Title'
        ? text
        : model.type === 'Legend'
          ? legend
          : model.type === 'Grid'
            ? {grid_line_color: color('rule')}
            : model.type === 'ColorBar'
              ? bar
              : model.type === 'Text'
                ? {text_font: {value: font(model)}}
                : has('axis_line_color')
                  ? axis
                  : {}
    const inked = tagged(model, 'ink:').map(([target, name]) => [target, color(name)])
    const tints = tagged(model, 'tint:')
    const tinted = tints.length ? [['palette', repainted(original(model), tints, color)]] : []
    const sized = glyphs.has(model)
      ? grown(model, IN_PIXELS, larger).map(([name, size]) => [name, spec(size, larger)])
      : model.type === 'Figure'
        ? grown(model, BORDERS, larger).map(([name, size]) => [name, size && size * larger])
        : []
    const looks = Object.fromEntries(
      [...Object.entries(byType), ...inked, ...tinted, ...sized].filter(([name]) => has(name)),
    )
    if (Object.keys(looks).length) model.setv(looks, {sync: false})
  }
}

// The tags of a model that begin with `kind`, as pairs of the words around their equals sign.
/** @param {BokehModel} model @param {string} kind */
function tagged(model, kind) {
  const tags = (model.tags ?? []).filter(tag => typeof tag === 'string' && tag.startsWith(kind))
  return tags.map(tag => /** @type {[string, string]} */ (tag.slice(kind.length).split('=')))
}

/** @param {BokehModel} mapper */
function original(mapper) {
  const palette = palettes.get(mapper) ?? [...mapper.palette]
  palettes.set(mapper, palette)
  return palette
}

// A palette of entries #rrggbbaa in the colors of this theme: their opacities stay. `tints` are pairs of a color in it
// and the name for which `color` knows today's.
/** @param {string[]} palette @param {[string, string][]} tints @param {(name: string) => string} color */
export function repainted(palette, tints, color) {
  const now = new Map(tints.map(([former, name]) => [former, color(name)]))
  return palette.map(entry => (now.get(entry.slice(0, 7)) ?? entry.slice(0, 7)) + entry.slice(7))
}

// The original sizes of a model as [name, size], once it has to be or has been enlarged.
/** @param {BokehModel} model @param {string[]} names @param {number} larger @returns {Sized[]} */
function grown(model, names, larger) {
  if (larger !== 1 && !drawn.has(model)) {
    /** @type {Sized[]} */
    const sizes = names.filter(name => name in model.properties).map(name => [name, model[name]])
    drawn.set(
      model,
      sizes.filter(([name, size]) => !name.startsWith('d') || size.units === 'screen'),
    )
  }
  return drawn.get(model) ?? []
}

// A glyph's size times a factor: one for all, or one for each row. Bokeh cannot tell two functions apart, so that only
// one of the two sizes of a row may have one.
/** @param {any} size @param {number} larger */
function spec(size, larger) {
  if (larger === 1) return size
  /** @param {string | number} value */
  const times = value => (typeof value === 'string' ? `${parseFloat(value) * larger}px` : value * larger)
  const all = {v_compute: (/** @type {Iterable<string | number>} */ column) => Array.from(column, times)}
  return size?.field ? {...size, transform: all} : {...size, value: times(size?.value ?? size)}
}
