// At the end of a chapter: whether questions of earlier pages are due. What says when is fetched only by those who have
// answered some.
import * as store from '../../shared/store.js'

const place = document.querySelector('.due')
const met = Object.keys(store.answers()[store.MET] ?? {})

if (met.length) {
  const {cards, due} = await import('./schedule.js')
  place.hidden = due(cards(met, Date.now()), Date.now()).length === 0
}
