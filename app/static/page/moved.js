// Figures and sections that moved to another page or got another id: a link to their former address leads to them, with
// the state that it gives them.

const links = new Map(
  [...document.querySelectorAll('a[data-moved]')].map(link => [
    link.dataset.moved,
    /** @type {HTMLAnchorElement} */ (link),
  ]),
)

function lead() {
  const named = decodeURIComponent(location.hash.slice(1))
  if (document.getElementById(named)) return
  const keys = [...new URLSearchParams(location.search)].map(([key, text]) =>
    key === 'present' ? text : key.split('.')[0],
  )
  const link = [named, ...keys].map(name => links.get(name)).find(Boolean)
  if (link) location.replace(link.pathname + location.search + link.hash)
}

addEventListener('hashchange', lead)
lead()
