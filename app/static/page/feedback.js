// “Something wrong here?”: adds the state of the page, which is its address, to the link at the moment of the press.

/** @param {HTMLAnchorElement} link */
function complete(link) {
  const bare = link.href
  return () => {
    const state = encodeURIComponent(location.href)
    link.href = bare.startsWith('mailto:') ? `${bare}State%3A%20${state}` : `${bare}&state=${state}`
  }
}

for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a.feedback'))) {
  const fill = complete(link)
  for (const type of ['click', 'auxclick', 'contextmenu']) link.addEventListener(type, fill)
}
