// Copies texts to the clipboard, and saves files.

// → whether the browser has copied the text, which it allows just after a click
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

// Code as a file: after the line about its license, with the address of its page if that is published
/** @param {string} source @returns {string} */
export function licensed(source) {
  const line = license()
  return line ? `# ${line}\n${source}` : source
}

/** @returns {string} */
export const license = () =>
  [document.querySelector('meta[name="code-license"]')?.content, document.querySelector('link[rel=canonical]')?.href]
    .filter(Boolean)
    .join(', ')

// Saves a file, as a click on a link to it would.
/** @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const link = Object.assign(document.createElement('a'), {href: URL.createObjectURL(blob), download: name})
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
