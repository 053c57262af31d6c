// What scrolls inside itself must be reachable by keyboard.
const BOXES = '.table, .rows, .formula, pre'

const LOW = '.rows, pre' // which are no higher than their style lets them be

/** @param {HTMLElement} box */
const scrolls = box => box.scrollWidth > box.clientWidth || (box.matches(LOW) && box.scrollHeight > box.clientHeight)

// What is folded away has no size to be measured without a layout of its own, and is looked at when it opens.
/** @param {ParentNode} [within] */
export function makeScrollable(within = document) {
  const boxes = [...within.querySelectorAll(BOXES)].filter(box => !box.closest('details:not([open])'))
  const scrollable = boxes.map(scrolls) // measured before any is changed: one layout for all
  for (const [place, box] of boxes.entries())
    if (scrollable[place]) box.tabIndex = 0
    else box.removeAttribute('tabindex')
}
