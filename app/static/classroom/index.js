// The classroom on this page: the bar, the boxes of its predictions, and the updates for both.
import {Bar} from './bar.js'
import {boxes} from './boxes.js'
import {desks, join, seat} from './desk.js'
import {inventoryPart} from './inventory.js'
import {forget, invited, member} from '../shared/room-member.js'
import {button, make} from './parts.js'
import {Line} from './talk.js'

/** @type {Bar | null} */
let bar = null

function begin() {
  const me = member()
  if (!me) return
  const {page} = document.body.dataset
  const line = new Line(me, page, {
    news: news => {
      roomBar.update(news)
      updateBoxes(news)
      updateInventory?.(news)
    },
    lost: whether => roomBar.lost(whether),
    ended: why => roomBar.end(`${why} Your answers stay in this browser.`),
  })
  const roomBar = new Bar(me, line)
  bar = roomBar
  const updateBoxes = boxes(line, me.teacher, id => roomBar.call(id))
  const updateInventory = page === 'inventory' ? inventoryPart(line, me.teacher) : null
  seat(me)
  line.listen()
}

// A student who enters by a link with a code is taken to where the class is.
async function comeIn() {
  const url = new URL(location.href)
  url.searchParams.delete('room')
  if (member()?.code !== invited) {
    try {
      await join(/** @type {string} */ (invited))
    } catch (error) {
      forget()
      history.replaceState(null, '', url)
      const notice = make(
        'aside',
        {className: 'room-bar', ariaLabel: 'Room'},
        make('span', {role: 'status', textContent: /** @type {Error} */ (error).message}),
      )
      notice.append(button('OK', () => location.reload()))
      document.querySelector('.skip').after(notice)
      return
    }
  }
  history.replaceState(null, '', url)
  begin()
}

document.addEventListener('room-ended', () => {
  bar = null
})
desks(() => {
  if (!bar) begin()
  bar?.showCode()
})
if (invited) comeIn()
else begin()
