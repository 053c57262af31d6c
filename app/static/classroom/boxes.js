// Predictions in a room: what a student commits to goes to the room and is held, the teacher shows the room's answers and
// then the result.
import {predictions} from '../exercises/predictions.js'
import {distribution} from './distribution.js'
import {become, member} from '../shared/room-member.js'
import {button, count, make} from './parts.js'

const [ASKED, SHOWN, SOLVED] = [0, 1, 2]
const {page} = document.body.dataset

class Box {
  constructor(prediction, line) {
    Object.assign(this, {prediction, line, stage: ASKED, people: 0})
    const {section} = prediction
    this.said = make('p', {className: 'said', role: 'status'})
    this.answers = make('div', {className: 'distribution'})
    this.tools = make('p', {className: 'tools'})
    this.element = make('div', {className: 'room-box'}, this.said, this.answers, this.tools)
    section.querySelector('.commit').after(this.element)
    section.querySelector('.commit button').textContent = 'This is my prediction'
  }

  get id() {
    return this.prediction.section.id
  }

  told({count: answered = 0, stage = ASKED, answers = null, mine = null} = {}, people) {
    Object.assign(this, {answered, stage, people: Math.max(people, answered)})
    if (answers) distribution(this.answers, this.prediction, answers, stage === SOLVED)
    this.hear(mine)
  }

  tell(words) {
    if (this.said.textContent !== words) this.said.textContent = words
  }

  async try(what) {
    try {
      await this.line.say({page, exercise: this.id, ...what})
      return true
    } catch (error) {
      this.tell(error.message)
      return false
    }
  }
}

class TeachersBox extends Box {
  constructor(prediction, line, call) {
    super(prediction, line)
    const show = (words, stage) => button(words, () => this.try({do: 'show', stage}))
    this.show = show('Show the answers', 'answers')
    this.solve = show('Show the result', 'result')
    this.present = button(
      'Fill the screen',
      () => document.dispatchEvent(new CustomEvent('present', {detail: this.id})),
      'fills',
    )
    this.bring = button('Bring the class here', () => call(this.id))
    this.tools.append(this.show, this.solve, this.bring, this.present)
  }

  hear() {
    this.tell(this.people ? `${this.answered} of ${this.people} have answered.` : 'Nobody is in the room yet.')
    this.show.disabled = this.stage >= SHOWN
    this.solve.disabled = this.stage === SOLVED
    if (this.stage === SOLVED) this.prediction.skip()
  }

  release() {
    this.element.remove()
  }
}

class StudentsBox extends Box {
  constructor(prediction, line) {
    super(prediction, line)
    this.element.hidden = true
    this.alone = button('Go on alone', () => {
      become({alone: [...(member()?.alone ?? []), `${page}#${this.id}`]})
      this.release()
    })
    prediction.withhold = said => this.hold(said)
  }

  // Whether the room takes it: then the result waits.
  hold(said) {
    if (this.stage === SOLVED || this.over) return false
    this.held = said
    this.prediction.lock(true)
    this.element.hidden = false
    this.prediction.section.dataset.held = ''
    this.tools.replaceChildren(this.alone)
    this.tell('Your answer is on its way.')
    this.try({do: 'answer', answer: said}).then(sent => {
      if (sent) this.hear(said)
      else this.free()
    })
    return true
  }

  // What could not be sent may be sent again.
  free() {
    this.held = undefined
    this.prediction.lock(false)
    delete this.prediction.section.dataset.held
    this.tools.replaceChildren()
  }

  hear(mine) {
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
      const all = `${this.answered} of ${this.people}`
      this.tell(
        stage === ASKED
          ? `Your answer is in, ${all} have answered. The teacher shows the answers.`
          : `The room’s answers, ${all}. The teacher shows the result.`,
      )
    } else if (stage === SHOWN) this.tell(`The room’s answers, ${count(this.answered, 'student')}.`)
    else if (stage === SOLVED) this.tell('The result is out. Answer for yourself, or look.')
  }

  // The result is there to be seen.
  release() {
    this.prediction.lock(false)
    delete this.prediction.section.dataset.held
    this.tools.replaceChildren()
    this.tell('')
    if (this.held !== undefined && !this.done) this.prediction.solve(this.held)
    this.done = true
  }
}

// Boxes for all predictions of the page; what they return hears of news. `call(id)` invites the class to one of them.
export function boxes(line, teacher, call) {
  const made = [...predictions.values()].map(each => new (teacher ? TeachersBox : StudentsBox)(each, line, call))
  document.addEventListener('room-ended', () => {
    for (const each of made) {
      each.over = true
      if (!teacher && each.held === undefined) each.element.hidden = true
      else each.release()
    }
  })
  return ({questions, people}) => {
    for (const each of made) each.told(questions[each.id], people)
  }
}
