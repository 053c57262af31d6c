// What the reader chose, predicted, answered and judged. It stays in this browser.
const ANSWERS = 'answers'

export function get(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function set(name, value) {
  try {
    localStorage.setItem(name, value)
  } catch {
    return
  }
}

// An invented name of this tab, for as long as it is open: a frame may have to do without a place to keep it.
export const reader = (() => {
  const invented = crypto.randomUUID?.() ?? String(Math.random()).slice(2)
  try {
    return sessionStorage.reader ??= invented
  } catch {
    return invented
  }
})()

// {page: {exercise: answer}}
export function answers() {
  try {
    const found = JSON.parse(get(ANSWERS) ?? '{}')
    return found && typeof found === 'object' ? found : {}
  } catch {
    return {}
  }
}

export const page = document.body.dataset.page

export function answer(exercise) {
  return answers()[page]?.[exercise]
}

export function keep(exercise, value, onPage = page) {
  const all = answers()
  all[onPage] = {...all[onPage], [exercise]: value}
  set(ANSWERS, JSON.stringify(all))
  document.dispatchEvent(new Event('answered'))
}

export function erase() {
  try {
    localStorage.removeItem(ANSWERS)
  } catch {
    return
  }
}
