// Patches Bokeh's views to skip work that our pictures do not need. Applied once, before anything is drawn; pictures
// stay the same to the pixel.
export function patchBokeh() {
  skipStyleVariables(
    Bokeh.require('core/visuals/visual').VisualProperties,
    Bokeh.require('models/plots/plot_canvas').PlotView,
  )
  skipEqualStyleSheets(Bokeh.require('core/dom').InlineStyleSheet)
  skipSelectionGlyphs(Bokeh.require('models/renderers/glyph_renderer').GlyphRendererView)
}

// For everything it paints, Bokeh looks up a CSS variable for every property, and the font size around each plot, each
// time, and that makes the browser recompute the page's styles. We define no such variables: colors and sizes in pixels
// are set in the models (paint.js).
/** @param {any} VisualProperties @param {any} PlotView */
function skipStyleVariables(VisualProperties, PlotView) {
  VisualProperties.prototype._get_css_value = () => ''
  Object.defineProperty(PlotView.prototype, 'base_font_size', {value: null})
}

// When an axis becomes wider, every plot of the figure rewrites its style sheets and then measures itself. That would
// restyle and lay out the whole page for each plot, though most write what they had already.
/** @param {any} InlineStyleSheet */
function skipEqualStyleSheets(InlineStyleSheet) {
  const update = InlineStyleSheet.prototype._update
  InlineStyleSheet.prototype._update = function (/** @type {unknown} */ css) {
    if (css !== this.css) update.call(this, css)
  }
}

// Bokeh keeps four more views of each glyph for when it is selected, not selected, muted or thinned out, and each
// processes all data. We never paint these states; selections (a point of a surface) are drawn by other means.
/** @param {any} GlyphRendererView */
function skipSelectionGlyphs(GlyphRendererView) {
  const above = Object.getPrototypeOf(GlyphRendererView.prototype)
  const {build_view} = Bokeh.require('core/build_views')
  const absent = (/** @type {any} */ glyph) => ({
    model: glyph.model,
    paint: (/** @type {any[]} */ ...all) => glyph.paint(...all),
    set_data() {},
    set_visuals() {},
    after_visuals() {},
    after_lazy_visuals() {},
    map_data() {},
    remove() {},
  })
  /** @type {any} */
  const patches = {
    /** @this {any} */
    async lazy_initialize() {
      await above.lazy_initialize.call(this)
      this.cds_view = await build_view(this.model.view, {parent: this})
      this.glyph = await this.build_glyph_view(this.model.glyph)
      const {hover_glyph} = this.model
      if (hover_glyph) {
        this.hover_glyph = await this.build_glyph_view(hover_glyph)
        this.hover_glyph.set_base(this.glyph)
      }
      for (const name of ['selection_glyph', 'nonselection_glyph', 'muted_glyph', 'decimated_glyph'])
        this[name] = absent(this.glyph)
      await this.set_data()
    },

    /** @this {any} @returns {any[]} */
    children_views() {
      return [
        ...above.children_views.call(this),
        this.cds_view,
        this.glyph,
        ...(this.hover_glyph ? [this.hover_glyph] : []),
      ]
    },

    // Bokeh would process all data again for each column of a message, for the number of its rows and for its visuals.
    /** @this {any} */
    update_data() {
      return (this.due ??= Promise.resolve().then(async () => {
        this.due = null
        await this.set_data()
        this.request_paint()
      }))
    },
  }
  Object.assign(GlyphRendererView.prototype, patches)
}
