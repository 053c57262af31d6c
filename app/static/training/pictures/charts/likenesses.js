// How alike different inputs become from layer to layer: what app/pictures/charts/likenesses.py does when it is shown.

/** @typedef {import('../picture.js').Picture} Picture */
/** @typedef {import('./diagnoses.js').Network} Network */

const WIDTH = 1.8,
  CHOSEN_WIDTH = 3.6

/**
 * `Likenesses.show`: the line of the chosen network is thicker.
 * @param {Picture} picture @param {string} path @param {Record<string, Network>} networks @param {string} chosen
 * @param {string[]} cases the names of networks that are plain @param {string} other the one that may be any
 */
export function showLikenesses(picture, path, networks, chosen, cases, other) {
  const lines = [...cases.map(name => ({name, skip: false})), {name: other, skip: false}, {name: other, skip: true}]
  let layers = 2
  for (const [index, {name, skip}] of lines.entries()) {
    const frame = networks[name]?.skip === skip ? networks[name].frame : null
    const y = frame ? Array.from(frame.quantities['likeness at start'].values) : []
    const key = `${name}.${skip ? 'True' : 'False'}`
    picture.set(`${path}._sources.${key}`, {data: {x: y.map((_, layer) => layer + 1), y}})
    picture.set(`${path}._lines.${key}.glyph`, {line_width: name === chosen ? CHOSEN_WIDTH : WIDTH})
    picture.set(`${path}.figure.legend.0.items.${index}`, {visible: frame !== null})
    layers = Math.max(layers, y.length)
  }
  picture.set(`${path}.figure.x_range`, {end: layers})
}
