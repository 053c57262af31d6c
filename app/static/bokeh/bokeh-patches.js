// Bokeh's views without what no picture of ours needs. They are patched once, before anything is drawn; pictures stay as
// they are to the pixel.
export function patchBokeh() {
  skipStyleVariables(
    Bokeh.require('core/visuals/visual').VisualProperties,
    Bokeh.require('models/plots/plot_canvas').PlotView,
  )
  skipEqualStyleSheets(Bokeh.require('core/dom').InlineStyleSheet)
  skipSelectionGlyphs(Bokeh.require('models/renderers/glyph_renderer').GlyphRendererView)
}

// Bokeh would look into our style sheets for a variable in front of every property of everything that it paints, each time,
// and for the size of the words around each plot, and have the page styled anew for that. There are none: colors and sizes
// in pixels are pushed into the models (paint.js).
/** @param {any} VisualProperties @param {any} PlotView */
function skipStyleVariables(VisualProperties, PlotView) {
  VisualProperties.prototype._get_css_value = () => ''
  Object.defineProperty(PlotView.prototype, 'base_font_size', {value: null})
}

// When an axis becomes wider, every plot of the figure writes its style sheets again and then asks how large it is: all of
// the page would be styled and laid out anew for each, though most say what they have said before.
/** @param {any} InlineStyleSheet */
function skipEqualStyleSheets(InlineStyleSheet) {
  const update = InlineStyleSheet.prototype._update
  InlineStyleSheet.prototype._update = function (/** @type {unknown} */ css) {
    if (css !== this.css) update.call(this, css)
  }
}

// What a glyph looks like when it is selected, not selected, muted or thinned out is kept in four more views of it, which
// take in all data that it takes in. Nothing of ours is painted so; what is told apart by selection (a point of a surface)
// is drawn by other means.
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

    // The columns of one message, its number of rows and the looks of its glyph would each have all of it taken in anew.
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
