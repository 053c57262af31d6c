// A painted canvas with its texts as text: an SVG element.
const SPACE = 'http://www.w3.org/2000/svg'
const ANCHORS = {left: 'start', center: 'middle', right: 'end'}

export function svg(canvas, texts, width, height) {
  const made = document.implementation.createDocument(SPACE, 'svg')
  const fill = (element, attributes, text = '') => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    element.textContent = text
    return element
  }
  const element = (name, ...rest) => fill(made.createElementNS(SPACE, name), ...rest)
  fill(made.documentElement, {width, height, viewBox: `0 0 ${width} ${height}`})
  made.documentElement.append(element('image', {width, height, href: canvas.toDataURL()}))
  for (const {text, x, y, align, fill: color, font} of texts)
    made.documentElement.append(
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
  return made.documentElement
}
