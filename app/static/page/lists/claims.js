// Filters the claims by words, verdict, topic and page.
import {filtering} from './filtering.js'

const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.claim')])
const topics = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('h2[id^=topic-]')])

// The verdicts that links of version 1 name, where one of today's says the same.
/** @type {Record<string, string>} */
const former = {true: 'holds', conditional: 'depends', wrong: 'fails', contested: 'open'}

filtering({
  items: cards,
  noun: 'claims',
  text: card => `${card.id} ${card.textContent}`,
  fits: {
    verdict: (card, value) => card.dataset.agrees === value,
    topic: (card, value) => card.dataset.topic === value,
    page: (card, value) => card.dataset.pages.split(' ').includes(value),
  },
  renewed: (field, value) => (field.name === 'verdict' && former[value]) || value,
  shown() {
    for (const topic of topics)
      topic.hidden = !cards.some(card => !card.hidden && `topic-${card.dataset.topic}` === topic.id)
  },
})
