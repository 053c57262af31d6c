// Bokeh's views without what no picture of ours needs. They are patched once, before anything is drawn; pictures stay as
// they are to the pixel.
export function sparing() {
  unstyled(Bokeh.require('core/visuals/visual').VisualProperties, Bokeh.require('models/plots/plot_canvas').PlotView)
  unchanged(Bokeh.require('core/dom').InlineStyleSheet)
  unselected(Bokeh.require('models/renderers/glyph_renderer').GlyphRendererView)
}

// Bokeh would look into our style sheets for a variable in front of every property of everything that it paints, each time,
// and for the size of the words around each plot, and have the page styled anew for that. There are none: colors and sizes
// in pixels are pushed into the models (paint.js).
function unstyled(VisualProperties, PlotView) {
  VisualProperties.prototype._get_css_value = () => ''
  Object.defineProperty(PlotView.prototype, 'base_font_size', {value: null})
}

// When an axis becomes wider, every plot of the figure writes its style sheets again and then asks how large it is: all of
// the page would be styled and laid out anew for each, though most say what they have said before.
function unchanged(InlineStyleSheet) {
  const update = InlineStyleSheet.prototype._update
  InlineStyleSheet.prototype._update = function (css) {
    if (css !== this.css) update.call(this, css)
  }
}

// What a glyph looks like when it is selected, not selected, muted or thinned out is kept in four more views of it, which
// take in all data that it takes in. Nothing of ours is painted so; what is told apart by selection (a point of a surface)
// is drawn by other means.
function unselected(GlyphRendererView) {
  const above = Object.getPrototypeOf(GlyphRendererView.prototype)
  const {build_view} = Bokeh.require('core/build_views')
  const absent = glyph => ({
    model: glyph.model, paint: (...all) => glyph.paint(...all),
    set_data() {}, set_visuals() {}, after_visuals() {}, after_lazy_visuals() {}, map_data() {}, remove() {},
  })
  Object.assign(GlyphRendererView.prototype, {
    async lazy_initialize() {
      await above.lazy_initialize.call(this)
      this.cds_view = await build_view(this.model.view, {parent: this})
      this.glyph = await this.build_glyph_view(this.model.glyph)
      const {hover_glyph} = this.model
      if (hover_glyph) {
        this.hover_glyph = await this.build_glyph_view(hover_glyph)
        this.hover_glyph.set_base(this.glyph)
      }
      for (const name of ['selection_glyph', 'nonselection_glyph', 'muted_glyph', 'decimated_glyph']) this[name] = absent(this.glyph)
      await this.set_data()
    },

    children_views() {
      return [...above.children_views.call(this), this.cds_view, this.glyph, ...this.hover_glyph ? [this.hover_glyph] : []]
    },

    // The columns of one message, its number of rows and the looks of its glyph would each have all of it taken in anew.
    update_data() {
      return this.due ??= Promise.resolve().then(async () => {
        this.due = null
        await this.set_data()
        this.request_paint()
      })
    },
  })
}
