// A room on this page: the bar, the boxes of its predictions, and the news for both.
import {Bar} from './bar.js'
import {boxes} from './boxes.js'
import {desks, join, seat} from './desk.js'
import {forget, invited, member} from '../shared/room-member.js'
import {button, make} from './parts.js'
import {Line} from './talk.js'

/** @type {Bar | null} */
let bar = null

function begin() {
  const me = member()
  if (!me) return
  const line = new Line(me, document.body.dataset.page, {
    news: news => {
      shown.update(news)
      updateBoxes(news)
    },
    lost: whether => shown.lost(whether),
    ended: why => shown.end(`${why} Your answers stay in this browser.`),
  })
  const shown = new Bar(me, line)
  bar = shown
  const updateBoxes = boxes(line, me.teacher, id => shown.call(id))
  seat(me)
  line.listen()
}

// Whoever comes in by a code goes where the class is.
async function comeIn() {
  const here = new URL(location.href)
  here.searchParams.delete('room')
  if (member()?.code !== invited) {
    try {
      await join(/** @type {string} */ (invited))
    } catch (error) {
      forget()
      history.replaceState(null, '', here)
      const said = make(
        'aside',
        {className: 'room-bar', ariaLabel: 'Room'},
        make('span', {role: 'status', textContent: /** @type {Error} */ (error).message}),
      )
      said.append(button('OK', () => location.reload()))
      document.querySelector('.skip').after(said)
      return
    }
  }
  history.replaceState(null, '', here)
  begin()
}

desks(() => {
  if (!bar) begin()
  const {dialog} = /** @type {Bar} */ (bar)
  dialog?.showModal()
})
if (invited) comeIn()
else begin()
