// A list that the reader sorts: by dragging its grips, or with the buttons of each line.
const words = (/** @type {HTMLElement} */ item) => item.querySelector('.words').textContent.trim()

export class Ranking {
  /** @param {HTMLElement} section @param {() => void} changed */
  constructor(section, changed) {
    this.list = section.querySelector('.order')
    this.spoken = section.querySelector('.spoken')
    this.changed = changed
    for (const item of this.items) {
      for (const button of item.querySelectorAll('button[data-move]')) {
        button.ariaLabel = `${words(item)}: ${button.ariaLabel?.toLowerCase()}`
        button.addEventListener('click', () => this.step(item, button))
      }
      item.addEventListener('pointerdown', event => this.grab(event, item))
    }
    this.mark()
  }

  get items() {
    return /** @type {HTMLElement[]} */ ([...this.list.children])
  }
  get order() {
    return this.items.map(item => Number(item.dataset.option))
  }
  set order(options) {
    const places = new Map(this.items.map(item => [Number(item.dataset.option), item]))
    this.list.append(...options.map(option => /** @type {HTMLElement} */ (places.get(option))))
    this.mark()
  }

  mark() {
    this.items.forEach((item, index, {length}) => {
      const [up, down] = item.querySelectorAll('button[data-move]')
      up.disabled = index === 0
      down.disabled = index === length - 1
    })
  }

  /** @param {HTMLElement} item @param {HTMLButtonElement} button */
  step(item, button) {
    if (button.dataset.move === '-1') item.previousElementSibling?.before(item)
    else item.nextElementSibling?.after(item)
    this.mark()
    const [up, down] = item.querySelectorAll('button[data-move]')
    ;(button.disabled ? (button === up ? down : up) : button).focus()
    this.tell(item)
  }

  /** @param {HTMLElement} item */
  tell(item) {
    this.spoken.textContent = `${words(item)} is now number ${this.items.indexOf(item) + 1} of ${this.items.length}.`
    this.changed()
  }

  // A finger that is not on the grip scrolls the page; a mouse may drag a line anywhere.
  /** @param {PointerEvent} down @param {HTMLElement} item */
  grab(down, item) {
    const target = /** @type {Element} */ (down.target)
    if (down.button || this.fixed || target.closest('button')) return
    if (down.pointerType === 'touch' && !target.closest('.grip')) return
    down.preventDefault()
    let from = down.clientY
    item.classList.add('dragged')
    const drag = (/** @type {PointerEvent} */ event) => {
      const before = item.previousElementSibling,
        after = item.nextElementSibling
      const middle = (/** @type {Element} */ element) => {
        const box = element.getBoundingClientRect()
        return box.top + box.height / 2
      }
      const top = item.offsetTop
      if (before && event.clientY < middle(before)) before.before(item)
      else if (after && event.clientY > middle(after)) after.after(item)
      from += item.offsetTop - top
      item.style.transform = `translateY(${event.clientY - from}px)`
    }
    const drop = () => {
      item.classList.remove('dragged')
      item.style.transform = ''
      removeEventListener('pointermove', drag)
      removeEventListener('pointerup', drop)
      removeEventListener('pointercancel', drop)
      this.mark()
      this.tell(item)
    }
    addEventListener('pointermove', drag)
    addEventListener('pointerup', drop)
    addEventListener('pointercancel', drop)
  }

  // Locks the list; every line shows its true rank.
  /** @param {number[]} truth */
  fix(truth) {
    this.fixed = true
    this.items.forEach((item, index) => {
      const place = truth.indexOf(Number(item.dataset.option))
      item.querySelector('.true-place').textContent = place === index ? '✓' : `true place: ${place + 1}`
      item.dataset.right = String(place === index)
    })
  }
}
