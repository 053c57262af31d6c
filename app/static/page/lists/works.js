// Filters and orders the table of works.
import {filtering} from './filtering.js'

const body = document.querySelector('.works tbody')
const filter = /** @type {HTMLElement} */ (document.querySelector('.filter'))
const works = /** @type {HTMLElement[]} */ ([...body.querySelectorAll('.work')])
const title = (/** @type {HTMLElement} */ work) => work.querySelector('cite').textContent

/** @type {Record<string, (first: HTMLElement, second: HTMLElement) => number>} */
const orders = {
  newest: (first, second) => Number(second.dataset.year) - Number(first.dataset.year),
  oldest: (first, second) => Number(first.dataset.year) - Number(second.dataset.year),
  title: (first, second) => title(first).localeCompare(title(second)),
  kind: (first, second) => first.dataset.kind.localeCompare(second.dataset.kind),
  checked: (first, second) => first.dataset.checked.localeCompare(second.dataset.checked),
}

let order = ''
filter.hidden = false // without scripts it would do nothing
filtering({
  items: works,
  noun: 'works',
  text: work => `${work.id} ${work.textContent}`,
  fits: {
    kind: (work, value) => work.dataset.kind === value,
    shipped: (work, value) => work.dataset.shipped === value,
    tried: (work, value) => work.dataset.tried.split(' ').includes(value),
    year: (work, value) => work.dataset.year === value,
  },
  shown(values) {
    if (values.order === order) return
    order = values.order
    body.append(...(orders[order] ? [...works].sort(orders[order]) : works))
  },
})
