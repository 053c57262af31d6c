// What search.js uses of MiniSearch 7.2.0; the library beside this file comes as its authors have published it.

interface SearchOptions {
  fields?: string[]
  boost?: Record<string, number>
  boostDocument?: (id: number) => number
  prefix?: boolean
  fuzzy?: (term: string) => number | false
  combineWith?: 'AND' | 'OR'
}

export interface SearchResult {
  id: number
  /** The words of the index that were matched. */
  terms: string[]
}

export default class MiniSearch<Entry> {
  constructor(options: {
    fields: string[]
    idField: string
    tokenize: (text: string) => string[]
    processTerm: (term: string) => string
    extractField: (entry: Entry, field: string) => unknown
    searchOptions: SearchOptions
  })
  addAll(entries: Entry[]): void
  search(query: string, options?: SearchOptions): SearchResult[]
}
