// What draws of Bokeh and Panel is fetched with the page, and run when its words are there to be read.
let running = null

export function bundles() {
  return running ??= run().catch(error => { running = null; throw error })
}

async function run() {
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  const link = document.querySelector('link[data-bundle]')
  await new Promise((resolve, reject) => {
    const failed = () => reject(new Error('its scripts did not load'))
    document.head.append(Object.assign(document.createElement('script'), {src: link.href, onload: resolve, onerror: failed}))
  })
  link.removeAttribute('data-bundle')
}
