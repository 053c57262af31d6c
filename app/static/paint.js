// Bokeh draws on canvas, where style sheets do not reach: push the colors of the palette into its models, and the size
// of its words. Client side only, so that changing the theme costs the server nothing.
const WORDS = 13
const HEADING = 14
const sizes = new WeakMap() // glyphs of text → their size as drawn, in pixels

export function paint(doc, larger = 1) {
  const style = getComputedStyle(document.documentElement)
  const color = name => style.getPropertyValue('--' + name).trim()
  const sans = style.getPropertyValue('--sans').trim() || 'sans-serif'
  const mono = style.getPropertyValue('--mono').trim() || 'monospace'
  const pixels = size => `${size * larger}px`
  const text = {text_color: color('ink'), text_font: sans, text_font_size: pixels(HEADING), text_font_style: 'bold'}
  const axis = {
    axis_line_color: color('rule'), major_tick_line_color: color('rule'), minor_tick_line_color: null,
    major_label_text_color: color('soft'), axis_label_text_color: color('soft'), major_label_text_font: sans,
    major_label_text_font_size: pixels(WORDS), axis_label_text_font: sans, axis_label_text_font_style: 'normal',
    axis_label_text_font_size: pixels(WORDS),
  }
  const legend = {
    background_fill_color: color('panel'), background_fill_alpha: 0.85, border_line_color: null,
    label_text_color: color('ink'), label_text_font: sans, label_text_font_size: pixels(WORDS),
  }
  const bar = {major_label_text_font: sans, major_label_text_font_size: pixels(WORDS)}
  const font = model => /mono/.test(model.text_font?.value ?? model.text_font) ? mono : sans
  const glyph = model => {
    const drawn = sizes.get(model) ?? (parseFloat(model.text_font_size?.value ?? model.text_font_size) || WORDS)
    sizes.set(model, drawn)
    return {text_font: {value: font(model)}, text_font_size: {value: pixels(drawn)}}
  }
  for (const model of doc._all_models.values()) {
    const has = name => name in model.properties
    const wanted = model.type === 'Title' ? text : model.type === 'Legend' ? legend : model.type === 'Grid'
      ? {grid_line_color: color('rule')} : model.type === 'ColorBar' ? bar : model.type === 'Text' ? glyph(model) : has('axis_line_color') ? axis : {}
    const inked = (model.tags ?? []).filter(tag => typeof tag === 'string' && tag.startsWith('ink:'))
      .map(tag => tag.slice(4).split('=')).map(([target, name]) => [target, color(name)])
    const colors = Object.fromEntries([...Object.entries(wanted), ...inked].filter(([name]) => has(name)))
    if (Object.keys(colors).length) model.setv(colors, {sync: false})
  }
}
