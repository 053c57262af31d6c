// Texts for the clipboard, and files to keep.

// → whether the browser has taken a text for its clipboard, as it does for who has just pressed something
/** @param {string} text @returns {Promise<boolean>} */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = Object.assign(document.createElement('textarea'), {value: text})
    document.body.append(area)
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    return copied
  }
}

// Hand over a file, as a press on a link to it would.
/** @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const link = Object.assign(document.createElement('a'), {href: URL.createObjectURL(blob), download: name})
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
