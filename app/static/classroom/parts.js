// Helpers to build the elements of a classroom.
/** @type {<K extends keyof HTMLElementTagNameMap>(name: K, properties?: object, ...children: (Node | string)[]) => HTMLElementTagNameMap[K]} */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

/** @param {string} words @param {() => unknown} pressed @param {string} [looks] */
export function button(words, pressed, looks = '') {
  const element = make('button', {type: 'button', className: looks, textContent: words})
  element.addEventListener('click', pressed)
  return element
}

const SVG = 'http://www.w3.org/2000/svg'

/** @type {(name: string, attributes?: Record<string, string | number>, text?: string) => SVGElement} */
export function draw(name, attributes = {}, text = undefined) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  if (text !== undefined) element.textContent = text
  return element
}

/** @param {number} number @param {string} one @param {string} [many] */
export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`
