// → whether the browser has taken a text for its clipboard, as it does for who has just pressed something
/** @param {string} text @returns {Promise<boolean>} */
export async function clipped(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = Object.assign(document.createElement('textarea'), {value: text})
    document.body.append(area)
    area.select()
    const taken = document.execCommand('copy')
    area.remove()
    return taken
  }
}
