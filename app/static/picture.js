// PNG and SVG of the figures, made in the browser by Bokeh's own drawing code, and of surfaces by ours.
export async function picture(simulation, format) {
  const figures = [...simulation.document._all_models.values()].filter(model => model.type === 'Figure')
  const files = []
  for (const [index, figure] of figures.entries()) {
    const layer = Bokeh.index.find_one_by_id(figure.id).export(format, true)
    files.push([await layer.to_blob(), `${simulation.figure.id}-${index + 1}.${format}`])
  }
  for (const surface of simulation.surfaces)
    files.push([await surface.picture(format), `${simulation.figure.id}-${files.length + 1}.${format}`])
  return files
}
