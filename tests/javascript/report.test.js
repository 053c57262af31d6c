import assert from 'node:assert/strict'
import {test} from 'node:test'
import {LARGEST, MOST_ADDITIONS, NotAReport, read} from '../../app/static/page/xray/report.js'

const addition = (number, changes = {}) => ({
  ...{number, module: `h.${number}`, call: 0, place: 0, made_by: '', kind: 'identity', on_skip: [], trunk: []},
  ...{stream_number: 0, shape: [8, 4], factor: 1, pre_norm: true, ends_in: 'linear', drops: false, read_by: ['sum']},
  ...{stream: 1, branch: 0.5, sum: 1.1, ratio: 0.5, cosine: 0, identity_share: 0.8, angle: 0.1, largest: 3},
  ...{alike: null, gradient: 1e-3, flat: null, weight_gradient: 1e-2, lesion: null},
  ...changes,
})

const report = (changes = {}, count = 2) => ({
  ...{schema: 1, additions: Array.from({length: count}, (_, at) => addition(at)), weights: [], opaque: {}, blocks: {}},
  ...{remarks: [], model: 'Net', torch: '2.13.0', passes: 1, whole: null, streams: []},
  findings: [
    {grade: 'note', name: 'idle', words: 'Two branches.', link: 'costs?plateau.depth=8&v=2#plateau', additions: [0]},
  ],
  ...changes,
})

const refused = (value, words) =>
  assert.throws(
    () => read(typeof value === 'string' ? value : JSON.stringify(value), 1),
    error => error instanceof NotAReport && words.test(error.message),
  )

test('a report is read', () => {
  const {model, names, values, findings} = read(JSON.stringify(report()), 1)
  assert.equal(model, 'Net')
  assert.deepEqual(names, ['h.0', 'h.1'])
  assert.deepEqual(values.branch, [0.5, 0.5])
  assert.deepEqual(values.lesion, [null, null])
  assert.equal(findings[0].link, 'costs?plateau.depth=8&v=2#plateau')
})

test('numbers that are not finite are read from their names', () => {
  const {values} = read(JSON.stringify(report({additions: [addition(0, {stream: 'inf', branch: 'nan'})]})), 1)
  assert.equal(values.stream[0], Infinity)
  assert.ok(Number.isNaN(values.branch[0]))
})

test('each kind of wrong file has a sentence', () => {
  refused('hello', /not JSON/)
  refused('[1, 2]', /no “schema”/)
  refused('null', /no “schema”/)
  refused(report({schema: 2}), /version “2”.*version 1/)
  refused(report({schema: '1'}), /version/)
  refused(report({schema: true}), /version/)
  refused(report({extra: 1}), /“extra” is unknown/)
  const {model: _, ...without} = report()
  refused(without, /“model” is missing/)
  refused(report({additions: {}}), /not a list/)
  refused(report({additions: []}), /no residual addition/)
  refused(report({}, MOST_ADDITIONS + 1), /at most 2000/)
  refused(' '.repeat(LARGEST + 1), /too large/)
})

test('each field has its type', () => {
  const one = changes => report({additions: [addition(0, changes)]})
  refused(one({stream: 'many'}), /stream is not a number/)
  refused(one({stream: []}), /stream is not a number/)
  refused(one({module: 7}), /module is not a text/)
  refused(one({module: 'x'.repeat(401)}), /at most 400/)
  refused(one({kind: 'magic'}), /“magic”, which is unknown/)
  refused(one({number: 1}), /not numbered from 0/)
  refused(one({call: -1}), /whole number/)
  refused(one({drops: 'no'}), /neither true nor false/)
  refused(one({on_skip: 'gain'}), /not a list/)
  refused(one({onload: 1}), /“onload” is unknown/)
  refused(report({additions: [7]}), /not a table/)
  refused(report({findings: [{grade: 'doom', name: '', words: '', link: ''}]}), /“doom”, which is unknown/)
})

test('a hostile link is left out, and hostile names are only text', () => {
  for (const link of ['javascript:alert(1)', 'https://evil.example', '//evil.example', '../app', 'a"onclick=x'])
    assert.equal(
      read(JSON.stringify(report({findings: [{grade: 'note', name: 'x', words: 'y', link}]})), 1).findings[0].link,
      '',
    )
  refused(`{"schema": 1, "__proto__": {"additions": []}}`, /missing|unknown/)
})
