// Explanation cards of terms and citations, by pointer, keyboard and touch. They stay while the pointer is on them, and
// Escape closes them. For experts only the rarer terms have cards; everyday terms are plain words. Without this file
// the same links lead to the glossary and to the references.
const OPEN_AFTER = 120
const CLOSE_AFTER = 200
const GAP = 8
/** @type {{link: HTMLElement, card: HTMLElement} | null} */
let open = null
/** @type {ReturnType<typeof setTimeout> | null} */
let timer = null

const expert = () => document.documentElement.dataset.level === 'expert'

/** @param {HTMLElement} link */
function cardOf(link) {
  return document.getElementById(link.dataset.card)
}

/** @param {HTMLElement} link @param {HTMLElement} card */
function place(link, card) {
  const at = [...link.getClientRects()][0]
  const width = card.offsetWidth,
    height = card.offsetHeight
  const left = Math.min(Math.max(GAP, at.left), innerWidth - width - GAP)
  const below = at.bottom + GAP + height < innerHeight || at.top < height + GAP
  card.style.left = `${left}px`
  card.style.top = `${below ? at.bottom + GAP : at.top - height - GAP}px`
}

/** @param {HTMLElement} link */
function show(link) {
  clearTimeout(timer)
  if (open?.link === link) return
  hide()
  const card = cardOf(link)
  if (!card || !link.hasAttribute('href')) return
  card.showPopover()
  place(link, card)
  open = {link, card}
}

function hide() {
  clearTimeout(timer)
  open?.card.hidePopover()
  open = null
}

/** @param {() => void} work @param {number} after */
const later = (work, after) => {
  clearTimeout(timer)
  timer = setTimeout(work, after)
}

function describe() {
  for (const link of document.querySelectorAll('a.term[data-card]')) {
    const silent = expert() && link.dataset.everyday !== undefined
    link.dataset.href ??= link.getAttribute('href') ?? ''
    if (silent) link.removeAttribute('href')
    else link.href = link.dataset.href
    link.ariaDescription = silent
      ? null
      : (cardOf(link)?.querySelector(expert() ? '.expert' : '.beginner')?.textContent ?? '')
  }
}

let touched = false
for (const link of document.querySelectorAll('a[data-card]')) {
  link.addEventListener('pointerenter', event => {
    if (event.pointerType === 'mouse') later(() => show(link), OPEN_AFTER)
  })
  link.addEventListener('pointerleave', event => {
    if (event.pointerType === 'mouse') later(hide, CLOSE_AFTER)
  })
  link.addEventListener('pointerdown', event => {
    touched = event.pointerType !== 'mouse'
  })
  link.addEventListener('focus', () => {
    if (!touched) show(link)
  })
  link.addEventListener('blur', event => {
    if (!open?.card.contains(/** @type {Node | null} */ (event.relatedTarget))) later(hide, CLOSE_AFTER)
  })
  // The first tap explains, the second follows the link.
  link.addEventListener('click', event => {
    if (!touched || open?.link === link) return
    event.preventDefault()
    show(link)
  })
}
for (const card of document.querySelectorAll('.card')) {
  card.addEventListener('pointerenter', () => clearTimeout(timer))
  card.addEventListener('pointerleave', () => later(hide, CLOSE_AFTER))
}
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') hide()
})
document.addEventListener('pointerdown', event => {
  const at = /** @type {Node} */ (event.target)
  if (open && !open.card.contains(at) && !open.link.contains(at)) hide()
})
// A term that was reached by keyboard may have to scroll into view first.
addEventListener(
  'scroll',
  () => {
    if (open?.link.matches(':focus-visible')) place(open.link, open.card)
    else hide()
  },
  {passive: true},
)
document.addEventListener('levelchange', describe)
describe()
