// For an author (`make write`): reloads the page as soon as it is rebuilt, and shows the progress of its numbers.

const EVERY = 500
const place = `writing?page=${document.body.dataset.page}`
/** @type {string | null} */
let lastMark = null

const box = document.createElement('output')
box.className = 'writing'
box.hidden = true
document.body.append(box)

async function look() {
  try {
    const now = await (await fetch(place)).json()
    if (lastMark && lastMark !== now.mark) location.reload()
    lastMark = now.mark
    box.hidden = !now.missing
    box.textContent = `${now.numbers - now.missing} of ${now.numbers} long numbers of this page are computed`
  } catch {
    // The server restarts after a change of Python code; the next poll finds it.
  }
  setTimeout(look, EVERY)
}

look()
