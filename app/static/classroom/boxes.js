// Predictions in a classroom: a student's answer goes to the room and is locked; the teacher reveals the room's answers
// and then the result.
import {predictions} from '../exercises/predictions.js'
import {distribution} from './distribution.js'
import {become, member} from '../shared/room-member.js'
import {button, make} from './parts.js'

const [ASKED, SHOWN, SOLVED] = [0, 1, 2]
const {page} = document.body.dataset

/** @typedef {import('../exercises/predictions.js').Prediction} Prediction */
/** @typedef {import('./talk.js').Line} Line */
class Box {
  /** @param {Prediction} prediction @param {Line} line */
  constructor(prediction, line) {
    this.prediction = prediction
    this.line = line
    this.stage = ASKED
    this.people = 0
    this.answered = 0
    this.over = false
    const {section} = prediction
    this.said = make('span', {className: 'said', role: 'status', tabIndex: -1})
    this.counts = make('span', {className: 'counts'}) // not announced: it changes with every student
    this.answers = make('div', {className: 'distribution'})
    this.tools = make('p', {className: 'tools'})
    this.element = make(
      'div',
      {className: 'room-box'},
      make('p', {className: 'line'}, this.said, ' ', this.counts),
      this.answers,
      this.tools,
    )
    section.querySelector('.commit').after(this.element)
    section.querySelector('.commit button').textContent = 'This is my prediction'
  }

  get id() {
    return this.prediction.section.id
  }

  /** @param {Partial<RoomQuestion> | undefined} question @param {number} people */
  update({count: answered = 0, stage = ASKED, answers = null, mine = null} = {}, people) {
    this.answered = answered
    this.stage = stage
    this.people = Math.max(people, answered)
    if (answers) distribution(this.answers, this.prediction, answers, stage === SOLVED)
    this.show(mine)
  }

  // Shows the state of the question; each kind of box overrides this.
  /** @param {Answer | null} _mine */
  show(_mine) {}

  // Called when the room ends.
  release() {}

  /** @param {string} words @param {string} [counts] */
  tell(words, counts = '') {
    if (this.said.textContent !== words) this.said.textContent = words
    this.counts.textContent = counts
  }

  get tally() {
    return `${this.answered} of ${this.people} have answered.`
  }

  // The button that was pressed is now disabled or hidden.
  focus() {
    this.said.focus({preventScroll: true})
  }

  /** @param {RoomRequest} request */
  async try(request) {
    try {
      await this.line.say({page, exercise: this.id, ...request})
      return true
    } catch (error) {
      this.tell(/** @type {Error} */ (error).message)
      return false
    }
  }
}

class TeachersBox extends Box {
  /** @param {Prediction} prediction @param {Line} line @param {(id: string) => void} call */
  constructor(prediction, line, call) {
    super(prediction, line)
    this.high = 0 // pixels
    const show = (/** @type {string} */ words, /** @type {string} */ stage) =>
      button(words, () => this.try({do: 'show', stage}))
    this.answersButton = show('Show the answers', 'answers')
    this.solve = show('Show the result', 'result')
    this.present = button(
      'Fill the screen',
      () => document.dispatchEvent(new CustomEvent('present', {detail: this.id})),
      'fills',
    )
    this.bring = button('Bring the class here', () => call(this.id))
    this.tools.append(this.answersButton, this.solve, this.bring, this.present)
  }

  show() {
    const seen = ['', 'The room sees the answers.', 'The room sees the result.'][this.stage]
    this.tell(seen, this.people ? this.tally : 'Nobody is in the room yet.')
    const at = document.activeElement
    this.answersButton.disabled = this.stage >= SHOWN
    this.solve.disabled = this.stage === SOLVED
    if (at instanceof HTMLButtonElement && at.disabled && this.tools.contains(at)) this.focus()
    // The options are in the table of the answers, too.
    const {section} = this.prediction
    section.toggleAttribute('data-tallied', this.answers.querySelector('table, .tally') !== null)
    this.element.classList.toggle('solved', this.stage === SOLVED)
    const high = this.element.offsetHeight
    if (high !== this.high) section.dispatchEvent(new Event('counted', {bubbles: true})) // the figure has to fit again
    this.high = high
    if (this.stage === SOLVED) this.prediction.skip()
  }

  release() {
    delete this.prediction.section.dataset.tallied
    this.element.remove()
  }
}

class StudentsBox extends Box {
  /** @param {Prediction} prediction @param {Line} line */
  constructor(prediction, line) {
    super(prediction, line)
    this.element.hidden = true
    /** @type {Answer | undefined} */
    this.held = undefined
    this.alone = button('Go on alone', () => {
      become({alone: [...(member()?.alone ?? []), `${page}#${this.id}`]})
      this.release()
    })
    prediction.withhold = answer => this.hold(answer)
  }

  // Whether the room takes the answer: then the result has to wait.
  /** @param {Answer} answer */
  hold(answer) {
    if (this.stage === SOLVED || this.over) return false
    this.held = answer
    this.prediction.lock(true)
    this.element.hidden = false
    this.prediction.section.dataset.held = ''
    this.tools.replaceChildren(this.alone)
    this.tell('Your answer is on its way.')
    this.focus()
    this.try({do: 'answer', answer}).then(sent => {
      if (sent) this.show(answer)
      else this.free()
    })
    return true
  }

  // Unlock an answer that could not be sent, so that it can be sent again.
  free() {
    this.held = undefined
    this.prediction.lock(false)
    delete this.prediction.section.dataset.held
    this.tools.replaceChildren()
  }

  /** @param {Answer | null} mine */
  show(mine) {
    const {prediction, stage} = this
    if (this.done) return
    if (mine !== null && this.held === undefined && prediction.fits(mine)) {
      prediction.show(mine)
      this.held = mine
      prediction.lock(true)
      prediction.section.dataset.held = ''
      this.tools.replaceChildren(this.alone)
    }
    if (mine !== null && (stage === SOLVED || member()?.alone.includes(`${page}#${this.id}`))) return this.release()
    this.element.hidden = stage === ASKED && this.held === undefined
    if (mine !== null && this.held !== undefined) {
      this.tell(
        stage === ASKED
          ? 'Your answer is in. Your teacher will show everybody’s answers.'
          : 'These are the room’s answers. Your teacher will show the result.',
        this.tally,
      )
    } else if (stage === SHOWN) this.tell('These are the room’s answers.', this.tally)
    else if (stage === SOLVED) this.tell('The result is out. Answer for yourself, or look.')
  }

  // Reveal the result.
  release() {
    this.prediction.lock(false)
    delete this.prediction.section.dataset.held
    const focused = this.element.contains(document.activeElement)
    this.tools.replaceChildren()
    this.tell('')
    if (this.held !== undefined && !this.done) this.prediction.solve(this.held)
    this.done = true
    if (focused) this.prediction.focus()
  }
}

// Creates boxes for all predictions of the page and returns a function that updates them. `call(id)` invites the class
// to one.
/** @param {Line} line @param {boolean} teacher @param {(id: string) => void} call @returns {(news: RoomNews) => void} */
export function boxes(line, teacher, call) {
  const roomBoxes = [...predictions.values()].map(
    prediction => new (teacher ? TeachersBox : StudentsBox)(prediction, line, call),
  )
  document.addEventListener('room-ended', () => {
    for (const box of roomBoxes) {
      box.over = true
      if (box instanceof StudentsBox && box.held === undefined) box.element.hidden = true
      else box.release()
    }
  })
  return ({questions, people}) => {
    for (const box of roomBoxes) box.update(questions[box.id], people)
  }
}
