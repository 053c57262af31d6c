// Filters the claims by words, verdict, topic and page. The choice is in the address, so that it can be shared.
const filter = document.querySelector('.filter')
const fields = /** @type {(HTMLInputElement & HTMLSelectElement)[]} */ ([...filter.querySelectorAll('[name]')])
const statusLine = filter.querySelector('.shown')
const cards = [...document.querySelectorAll('.claim')]
const topics = [...document.querySelectorAll('h2[id^=topic-]')]
const fold = (/** @type {string} */ text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const texts = new Map(cards.map(card => [card, fold(`${card.id} ${card.textContent}`)]))

/** @type {Record<string, (card: HTMLElement, value: string) => boolean>} */
const fits = {
  words: (card, value) =>
    fold(value)
      .split(/\s+/)
      .every(word => texts.get(card)?.includes(word)),
  verdict: (card, value) => card.dataset.agrees === value,
  topic: (card, value) => card.dataset.topic === value,
  page: (card, value) => card.dataset.pages.split(' ').includes(value),
}

function show() {
  const active = fields.filter(field => field.value)
  for (const card of cards) card.hidden = !active.every(field => fits[field.name](card, field.value))
  for (const topic of topics)
    topic.hidden = !cards.some(card => !card.hidden && `topic-${card.dataset.topic}` === topic.id)
  const count = cards.filter(card => !card.hidden).length
  statusLine.textContent = active.length ? `${count} of ${cards.length} claims` : ''
}

function changed() {
  const address = new URL(location.href)
  for (const {name, value} of fields)
    if (value) address.searchParams.set(name, value)
    else address.searchParams.delete(name)
  history.replaceState(null, '', address)
  show()
}

function all() {
  for (const field of fields) field.value = ''
  changed()
}

// A card that a link leads to is shown, whatever the filter was.
function arrive() {
  const card = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!card?.hidden) return
  all()
  card.scrollIntoView()
}

// The verdicts that links of version 1 name, where one of today's says the same.
/** @type {Record<string, string>} */
const former = {true: 'holds', conditional: 'depends', wrong: 'fails', contested: 'open'}

const query = new URLSearchParams(location.search)
for (const field of fields) {
  const value = query.get(field.name)
  if (value !== null) field.value = (field.name === 'verdict' && former[value]) || value
  if (field.selectedIndex === -1) field.value = '' // an option that does not exist
}
filter.addEventListener('input', changed)
filter.querySelector('button').addEventListener('click', all)
addEventListener('hashchange', arrive)
show()
arrive()
