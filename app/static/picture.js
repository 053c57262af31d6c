// PNG and SVG of the figures, made in the browser by Bokeh's own drawing code.
export async function picture(simulation, format) {
  const figures = [...simulation.document._all_models.values()].filter(model => model.type === 'Figure')
  const files = []
  for (const [index, figure] of figures.entries()) {
    const view = Bokeh.index.find_one_by_id?.(figure.id) ?? [...views(Bokeh.index)].find(each => each.model === figure)
    if (!view) continue
    const layer = view.export(format, true)
    files.push([await layer.to_blob(), `${simulation.figure.id}-${index + 1}.${format}`])
  }
  return files
}

function* views(index) {
  for (const root of index.roots ?? Object.values(index)) yield* walk(root)
}

function* walk(view) {
  yield view
  for (const child of view.children_views ?? view.child_views ?? []) yield* walk(child)
  if (view._child_views) for (const child of view._child_views.values()) yield* walk(child)
}
