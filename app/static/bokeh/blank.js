// A picture without its results: axes, units and what is tagged as known (app/pictures/base/questions.py) stay, and
// everything that was measured is hidden, until the reader has answered the question that it decides. What is tagged as
// unanswered is visible only until then.
const RESULTS = ['GlyphRenderer', 'Label', 'LabelSet', 'Span', 'BoxAnnotation', 'Arrow', 'ColorBar']

/** @param {BokehDocument} document @returns {() => void} shows the results again */
export function blank(document) {
  const models = [...document._all_models.values()]
  const results = models.filter(
    model =>
      model.tags.includes('result') || (RESULTS.includes(model.type) && model.visible && !model.tags.includes('known')),
  )
  const unanswered = models.filter(model => model.tags.includes('unanswered'))
  const set = (/** @type {boolean} */ visible) => {
    for (const model of results) model.setv({visible}, {sync: false})
    for (const model of unanswered) model.setv({visible: !visible}, {sync: false})
  }
  set(false)
  return () => set(true)
}
