// Pages of text that a model writes, word by word: what `words_of` and `Page` in app/views/language_models/language.py make,
// with lines as Python's textwrap breaks them.

/** @typedef {{column: number, row: number, text: string, given: boolean, learned: boolean, surprises: number[]}} Word */
/** @typedef {{columns: number, lines: number, size: number, line: number}} Paper letters per line, lines, pixels of a letter's height and of a line */

/** @type {Record<string, Paper>} */
export const PAPERS = {
  wide: {columns: 62, lines: 3, size: 24, line: 36},
  tablet: {columns: 44, lines: 4, size: 18, line: 25},
  narrow: {columns: 28, lines: 6, size: 18, line: 25},
}

const LONG = 999 // a moment after the last word
const STRONGEST = 0.5 // opacity behind a letter that was no better than a guess
const TIGHT = 0.3 // letters by which a line ends before the next column
const NO_NUMBER = '\u200b' // without width, at the end of every word: a lone “e” is no number

/** Where a line may break: at white space, after a dash, and after a hyphen between letters. */
const BREAKS =
  /(\s+|(?<=[\w!"'&.,?])-{2,}(?=\w)|[^\s]+?(?:-(?:(?<=[^\d\W]{2}-)|(?<=[^\d\W]-[^\d\W]-))(?=[^\d\W]-?[^\d\W])|(?=\s|$)|(?<=[\w!"'&.,?])(?=-{2,}\w)))/

/** The lines of a text whose words are apart by single spaces. @param {string} text @param {number} width letters of a line */
export function wrapped(text, width) {
  const chunks = text.split(BREAKS).filter(Boolean)
  const lines = []
  while (chunks.length) {
    const line = []
    let room = width
    if (lines.length && isBlank(chunks[0])) chunks.shift()
    while (chunks.length && chunks[0].length <= room) {
      room -= chunks[0].length
      line.push(/** @type {string} */ (chunks.shift()))
    }
    if (chunks.length && chunks[0].length > width) {
      const end = endOf(chunks[0], room)
      line.push(chunks[0].slice(0, end))
      chunks[0] = chunks[0].slice(end)
    }
    if (line.length && isBlank(line[line.length - 1])) line.pop()
    if (line.length) lines.push(line.join(''))
  }
  return lines
}

/** @param {string} chunk */
const isBlank = chunk => !chunk.trim()

/** Where to cut a word that is longer than a line: after its last hyphen, if something else is before that. @param {string} chunk @param {number} room */
function endOf(chunk, room) {
  const hyphen = room > 0 ? chunk.lastIndexOf('-', room - 1) : -1
  return hyphen > 0 && /[^-]/.test(chunk.slice(0, hyphen)) ? hyphen + 1 : room
}

/** @param {string} text */
const spaced = text => text.trim().split(/\s+/).join(' ')

/**
 * The pieces of a prompt and its continuation; a piece that is cut off is no word.
 * @param {string} prompt @param {string} text @param {number[]} surprises the loss of each symbol of the text, in nats
 * @param {Paper} paper @param {(word: string) => boolean} isLearned
 */
export function wordsOf(prompt, text, surprises, {columns, lines}, isLearned) {
  const whole = spaced(prompt + text),
    end = spaced(prompt).length
  const /** @type {Word[]} */ words = []
  const ofLetters = surprises.filter((_, at) => !isBlank(text[at]))
  let place = 0,
    seen = 0
  for (const [row, line] of wrapped(whole, columns).slice(0, lines).entries()) {
    place = whole.indexOf(line, place)
    for (const match of line.matchAll(/\S+/g)) {
      const first = place + match.index,
        last = first + match[0].length
      const cut = Math.max(first, Math.min(end, last))
      const isWhole = cut === first && whole[last] === ' ' && (first === 0 || whole[first - 1] === ' ')
      if (first < cut)
        words.push({
          column: first - place,
          row,
          text: whole.slice(first, cut),
          given: true,
          learned: false,
          surprises: [],
        })
      const piece = whole.slice(cut, last)
      const learned = isWhole && isLearned(piece)
      const own = ofLetters.slice(seen, (seen += piece.length))
      if (piece) words.push({column: cut - place, row, text: piece, given: false, learned, surprises: own})
    }
    place += line.length
  }
  return words
}

/**
 * Writes a page, and returns the number of pieces, which is the last moment.
 * @param {import('../pictures/picture.js').Picture} picture @param {string} path of the page @param {Paper} paper @param {Word[]} words
 * @param {number} symbols among which a guess would choose
 */
export function showPage(picture, path, paper, words, symbols) {
  const prompt = words.filter(({given}) => given),
    written = words.filter(({given}) => !given)
  picture.set(`${path}.prompt`, {data: letters(prompt)})
  const moments = written.map((word, at) => ({word, first: at + 1}))
  const guessing = Math.log(symbols)
  const shade = (/** @type {number} */ surprise) => STRONGEST * Math.min(surprise / guessing, 1)
  const bright = written.flatMap(({surprises}) => surprises.map(shade))
  const since = moments.flatMap(({word, first}) => Array.from(word.text, () => first))
  const {x, y, text} = letters(written)
  const middle = (0.5 * paper.size) / paper.line
  const centers = {x: x.map(column => column + 0.5), y: y.map(row => row + middle)}
  picture.set(`${path}.written.source`, {data: {x, y, text, ...timed(since)}})
  picture.set(`${path}.shades.source`, {data: {...centers, bright, ...timed(since, bright)}})
  const known = moments.filter(({word}) => word.learned)
  const foot = (paper.size + 4) / paper.line
  picture.set(`${path}.lines.source`, {
    data: {
      x0: known.map(({word}) => word.column),
      x1: known.map(({word}) => word.column + word.text.length - TIGHT),
      y: known.map(({word}) => word.row + foot),
      ...timed(known.map(({first}) => first)),
    },
  })
  return written.length
}

/** Column, row and text of each letter. @param {Word[]} words */
function letters(words) {
  const all = words.flatMap(({column, row, text}) =>
    Array.from(text, (letter, at) => ({x: column + at, y: row, text: letter + NO_NUMBER})),
  )
  return {x: all.map(({x}) => x), y: all.map(({y}) => y), text: all.map(({text}) => text)}
}

/**
 * `Timed.show` for rows that are visible from these moments on, at the last moment.
 * @param {number[]} first @param {number[]} [bright] their opacity
 */
const timed = (first, bright = first.map(() => 1)) => ({
  first,
  until: first.map(() => LONG),
  faint: first.map(() => 0),
  alpha: bright,
})
