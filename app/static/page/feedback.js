// “Something wrong here?”: adds the state of the page, which is its address, to the link at the moment of the press.

/** @type {HTMLAnchorElement | null} */
const link = document.querySelector('a.feedback')
const bare = link?.href ?? ''

function fill() {
  const state = encodeURIComponent(location.href)
  link.href = bare.startsWith('mailto:') ? `${bare}State%3A%20${state}` : `${bare}&state=${state}`
}

for (const type of ['click', 'auxclick', 'contextmenu']) link?.addEventListener(type, fill)
