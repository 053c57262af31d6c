// What exercises/review/schedule.js uses of ts-fsrs 5.4.2. The library beside this file is `dist/index.mjs` of the package
// on npm, unchanged; tests/test_static_files.py knows its hash. To update it: `npm pack ts-fsrs@<version>`, copy
// `dist/index.mjs` and `LICENSE` here, and change the version here and in README.md, and the hash in the test.

export interface Card {
  due: Date
  stability: number
  difficulty: number
  elapsed_days: number
  scheduled_days: number
  learning_steps: number
  reps: number
  lapses: number
  state: number
  last_review?: Date
}

export declare const Rating: {Again: 1; Hard: 2; Good: 3; Easy: 4}
export declare const State: {New: 0; Learning: 1; Review: 2; Relearning: 3}
export declare function createEmptyCard(now: Date): Card
export declare function fsrs(parameters: {enable_short_term: boolean; request_retention: number}): {
  next(card: Card, now: Date, grade: 1 | 2 | 3 | 4): {card: Card}
}
