// Downloads a listing: as a file, or as a notebook of its parts.
import {license, licensed, saveFile} from '../../shared/copy-and-save.js'

// nbformat 4.5: the module's docstring and the line about the license as Markdown, then a cell for each part between two
// pairs of blank lines.
/** @param {string} source */
export function notebook(source, words = license()) {
  const [, docstring, rest] = source.match(/^"""([\s\S]*?)"""\n([\s\S]*)$/) ?? [null, '', source]
  const cells = parts(rest).map(part => cell('code', part))
  const about = [docstring.trim(), words].filter(Boolean).join('\n\n')
  if (about) cells.unshift(cell('markdown', about))
  cells.forEach((block, place) => {
    block.id = `part-${place + 1}`
  })
  const metadata = {
    kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'},
    language_info: {name: 'python'},
  }
  return `${JSON.stringify({cells, metadata, nbformat: 4, nbformat_minor: 5}, null, 1)}\n`
}

/** @param {'code' | 'markdown'} kind @param {string} text */
function cell(kind, text) {
  const own = kind === 'code' ? {execution_count: null, outputs: []} : {}
  return {cell_type: kind, id: '', metadata: {}, ...own, source: text.split(/(?<=\n)/)}
}

// No part starts inside another: its first line is not indented, and no triple-quoted string is open before it.
/** @param {string} source @returns {string[]} */
function parts(source) {
  /** @type {string[]} */
  const result = []
  for (const part of source.split(/\n{3,}/)) {
    const open = result.length && (result[result.length - 1].match(/"""/g) ?? []).length % 2
    if (open || (/^\s/.test(part) && result.length)) result.push(`${result.pop()}\n\n\n${part}`)
    else result.push(part)
  }
  return result.map(part => part.trim()).filter(Boolean)
}

/** @type {Record<string, string>} */
const TYPES = {py: 'text/x-python', ipynb: 'application/x-ipynb+json'}

/** @param {string} source @param {string} name @param {string} kind */
function take(source, name, kind) {
  const text = kind === 'ipynb' ? notebook(source) : licensed(`${source}\n`)
  saveFile(new Blob([text], {type: TYPES[kind]}), `${name}.${kind}`)
}

// Some listings come later, when they are asked for.
document.addEventListener('click', event => {
  const button = /** @type {HTMLElement} */ (event.target).closest?.('button[data-take]')
  if (!button) return
  const {take: kind, name} = button.dataset
  take(button.closest('figure.code, details, .listing').querySelector('pre code').textContent, name, kind)
})
