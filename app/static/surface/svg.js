// Exports a painted canvas as an SVG element, with its texts as text.
const SPACE = 'http://www.w3.org/2000/svg'
/** @type {Record<string, string>} */
const ANCHORS = {left: 'start', center: 'middle', right: 'end'}

/** @param {HTMLCanvasElement} canvas @param {Iterable<import('./words.js').Words>} texts @param {number} width @param {number} height */
export function svg(canvas, texts, width, height) {
  const svgDocument = document.implementation.createDocument(SPACE, 'svg')
  const fill = (
    /** @type {Element} */ element,
    /** @type {Record<string, string | number>} */ attributes,
    text = '',
  ) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
    element.textContent = text
    return element
  }
  const element = (/** @type {string} */ name, /** @type {Record<string, string | number>} */ attributes, text = '') =>
    fill(svgDocument.createElementNS(SPACE, name), attributes, text)
  fill(svgDocument.documentElement, {width, height, viewBox: `0 0 ${width} ${height}`})
  svgDocument.documentElement.append(element('image', {width, height, href: canvas.toDataURL()}))
  for (const {text, x, y, align, fill: color, font} of texts)
    svgDocument.documentElement.append(
      element(
        'text',
        {
          x,
          y,
          fill: color,
          style: `font: ${font}`,
          'text-anchor': ANCHORS[align],
          'dominant-baseline': 'central',
        },
        text,
      ),
    )
  return svgDocument.documentElement
}
