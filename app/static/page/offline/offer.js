// In a static copy that was made for it: the offer to keep the whole site in this browser.
const DONE = 'The site is kept in this browser: it opens without a network.'
const FAILED = 'The site could not be kept: perhaps this browser lacks the space. Reading with a network goes on.'

export async function begin() {
  const place = /** @type {HTMLElement} */ (document.querySelector('footer .offline'))
  // Browsers keep sites only from secure addresses and from their own computer.
  if (!navigator.serviceWorker) return
  const registration = await navigator.serviceWorker.getRegistration(document.baseURI)
  if (registration?.active) {
    place.textContent = DONE
    return
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = `Keep this site in this browser (${document.documentElement.dataset.offline} MB)`
  button.addEventListener('click', () => keep(place, button))
  place.replaceChildren(button)
}

/** @param {HTMLElement} place @param {HTMLButtonElement} button */
async function keep(place, button) {
  button.disabled = true
  place.role = 'status'
  place.textContent = 'The site is being kept …'
  try {
    const {installing, active} = await navigator.serviceWorker.register(new URL('offline.js', document.baseURI))
    const worker = installing ?? active
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'activated') place.textContent = DONE
      else if (worker.state === 'redundant') place.textContent = FAILED
    })
    if (worker?.state === 'activated') place.textContent = DONE
  } catch {
    place.textContent = FAILED
  }
}
