// The concept inventory in a room: a student can send both rounds, and the teacher sees the counts of the class.
import {KEPT, pair, rounds} from '../exercises/inventory/rounds.js'
import {saveFile} from '../shared/copy-and-save.js'
import {answers} from '../shared/store.js'
import {csv, row, status} from './counts.js'
import {button, make} from './parts.js'

const LATER = 'When you have answered both rounds, you can send them to the room, without a name, if you like.'
const OFFER =
  'You can send both rounds to the room. It gets the option that you chose for each question, and which twelve came first. It only adds them to the counts of the class, which your teacher sees from ten people on. It keeps neither your name nor your answers, so nobody can trace them to you. You can send them once.'
const SENT = 'Your answers are in the counts of the room.'

class Part {
  /** @param {import('./talk.js').Line} line @param {string} heading */
  constructor(line, heading) {
    this.line = line
    this.said = make('p', {className: 'said', role: 'status'})
    this.tools = make('p', {className: 'tools'})
    this.element = make('section', {className: 'inventory-room', ariaLabel: heading}, this.said, this.tools)
    document.querySelector('.inventory-start').after(this.element)
    document.addEventListener('room-ended', () => this.element.remove())
  }

  /** @param {string} words */
  tell(words) {
    if (this.said.textContent !== words) this.said.textContent = words
  }

  /** @param {RoomRequest} request */
  async try(request) {
    try {
      await this.line.say(request)
    } catch (error) {
      this.tell(/** @type {Error} */ (error).message)
    }
  }
}

class StudentsPart extends Part {
  /** @param {import('./talk.js').Line} line */
  constructor(line) {
    super(line, 'Your answers and the room')
    this.mine = false
    this.send = button('Send my answers to the room, without a name', () => this.sendPair(), 'primary')
    this.tools.append(this.send)
    document.addEventListener('answered', () => this.show())
    this.show()
  }

  kept() {
    return answers()[KEPT] ?? {}
  }

  /** @param {RoomInventory} inventory */
  update({mine}) {
    this.mine = mine
    this.show()
  }

  show() {
    const taken = rounds(this.kept()).length
    this.element.hidden = !taken && !this.mine
    this.tools.hidden = taken < 2 || this.mine
    this.tell(this.mine ? SENT : taken < 2 ? LATER : OFFER)
  }

  async sendPair() {
    const message = pair(this.kept(), options())
    if (!message) return
    this.send.disabled = true
    await this.try({do: 'count', ...message})
    this.send.disabled = false
  }
}

class TeachersPart extends Part {
  /** @param {import('./talk.js').Line} line */
  constructor(line) {
    super(line, 'The answers of the class')
    this.reveal = button('Show the table', () => this.try({do: 'table'}), 'primary')
    this.save = button('Save the table', () => this.saveTable())
    this.tools.append(this.reveal, this.save)
    const template = /** @type {HTMLTemplateElement} */ (document.querySelector('template[data-room-table]'))
    this.tables = make('div', {hidden: true}, document.importNode(template.content, true))
    this.element.append(this.tables)
  }

  /** @param {RoomInventory} inventory */
  update(inventory) {
    const {enough, words} = status(inventory)
    const {table} = inventory
    this.tell(words)
    this.reveal.hidden = !enough
    this.reveal.textContent = table ? 'Show the table with all of them' : 'Show the table'
    this.save.hidden = this.tables.hidden = !table
    if (!table) return
    for (const element of this.rows('concept')) fill(element, row(table.concepts[element.dataset.concept]))
    for (const element of this.rows('misconception'))
      fill(element, table.misconceptions[element.dataset.misconception] ?? [0, 0])
  }

  /** @param {string} part @returns {HTMLElement[]} */
  rows(part) {
    return [...this.tables.querySelectorAll(`tr[data-${part}]`)]
  }

  saveTable() {
    const [concepts, misconceptions] = ['concept', 'misconception'].map(part => this.rows(part).map(read))
    saveFile(new Blob([csv(concepts, misconceptions)], {type: 'text/csv'}), `room-${this.line.code}-inventory.csv`)
  }
}

// The number of options of each item on the page.
function options() {
  const templates = /** @type {HTMLTemplateElement[]} */ ([...document.querySelectorAll('template[data-form]')])
  const items = /** @type {HTMLElement[]} */ (templates.flatMap(({content}) => [...content.querySelectorAll('.item')]))
  return Object.fromEntries(
    items.map(item => [item.dataset.item, item.querySelectorAll('input:not([value="0"])').length]),
  )
}

/** @param {HTMLElement} element @param {number[]} numbers */
function fill(element, numbers) {
  const cells = numbers.map(number => make('td', {textContent: number}))
  element.replaceChildren(element.querySelector('th'), ...cells)
}

/** @param {HTMLElement} element */
const read = element => ({
  name: element.querySelector('th').textContent,
  numbers: [...element.querySelectorAll('td')].map(cell => Number(cell.textContent)),
})

/** @param {import('./talk.js').Line} line @param {boolean} teacher @returns {(news: RoomNews) => void} */
export function inventoryPart(line, teacher) {
  const part = new (teacher ? TeachersPart : StudentsPart)(line)
  return ({inventory}) => {
    if (inventory) part.update(inventory)
  }
}
