// Makes scrollable boxes reachable by keyboard.
const BOXES = '.table, .rows, .formula, pre'

const LOW = '.rows, pre' // boxes with a maximum height

/** @param {HTMLElement} box */
const scrolls = box => box.scrollWidth > box.clientWidth || (box.matches(LOW) && box.scrollHeight > box.clientHeight)

// Folded content has no size without a layout of its own, so it is checked when it opens.
/** @param {ParentNode} [within] */
export function makeScrollable(within = document) {
  const boxes = [...within.querySelectorAll(BOXES)].filter(box => !box.closest('details:not([open])'))
  const scrollable = boxes.map(scrolls) // measured before any box is changed: one layout for all
  for (const [place, box] of boxes.entries())
    if (scrollable[place]) box.tabIndex = 0
    else box.removeAttribute('tabindex')
}
