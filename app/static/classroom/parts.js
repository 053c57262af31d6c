// Pieces of what a room adds to a page.
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

export function button(words, pressed, looks = '') {
  const made = make('button', {type: 'button', className: looks, textContent: words})
  made.addEventListener('click', pressed)
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

export function draw(name, attributes = {}, text) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  if (text !== undefined) element.textContent = text
  return element
}

export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`
