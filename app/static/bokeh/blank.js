// A picture without its results: axes, units and what is tagged as known (app/pictures/base/questions.py) stay, and
// everything that was measured is hidden, until the reader has answered the question that it decides.
const RESULTS = ['GlyphRenderer', 'Label', 'LabelSet', 'Span', 'BoxAnnotation', 'Arrow', 'ColorBar']

/** @param {BokehDocument} document @returns {() => void} shows the results again */
export function blank(document) {
  const results = [...document._all_models.values()].filter(
    model =>
      model.tags.includes('result') || (RESULTS.includes(model.type) && model.visible && !model.tags.includes('known')),
  )
  const set = (/** @type {boolean} */ visible) => {
    for (const model of results) model.setv({visible}, {sync: false})
  }
  set(false)
  return () => set(true)
}
