// Theme and reading level: the system's theme and the default level, until the reader chooses.
import * as store from '../../shared/store.js'

const root = document.documentElement
const system = matchMedia('(prefers-color-scheme: dark)')
const themeButton = document.querySelector('[data-set=theme]')
const levelButton = document.querySelector('[data-set=level]')

const dark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark'

function show() {
  themeButton.ariaPressed = String(dark())
  levelButton.textContent = root.dataset.level === 'expert' ? 'Expert' : 'New to this'
  levelButton.ariaLabel = `Words explained for: ${levelButton.textContent.toLowerCase()}`
}

function repaint() {
  show()
  document.dispatchEvent(new Event('themechange'))
}

themeButton.addEventListener('click', () => {
  const theme = dark() ? 'light' : 'dark'
  root.dataset.theme = theme
  store.set('theme', theme)
  repaint()
})
system.addEventListener('change', repaint)

levelButton.addEventListener('click', () => {
  root.dataset.level = root.dataset.level === 'expert' ? 'beginner' : 'expert'
  store.set('level', root.dataset.level)
  show()
  document.dispatchEvent(new Event('levelchange'))
})

// Another page, or this one in another tab, may have other settings since.
function renew() {
  const [theme, level] = [store.get('theme'), store.get('level')]
  if (theme && theme !== root.dataset.theme) {
    root.dataset.theme = theme
    repaint()
  }
  if (!level || level === root.dataset.level) return
  root.dataset.level = level
  show()
  document.dispatchEvent(new Event('levelchange'))
}
store.whenKeptElsewhere(renew)
show()
