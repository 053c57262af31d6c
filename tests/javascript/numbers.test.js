import assert from 'node:assert/strict'
import {test} from 'node:test'
import {formatted, number, percent, powerOfTen, shown, tick} from '../../app/static/shared/numbers.js'

// tests/contract/test_wording.py holds these functions to Python's on many more values; here stands what each rule means.

test('a number has so many significant digits, without trailing zeros', () => {
  assert.equal(number(0.5), '0.5')
  assert.equal(number(Math.PI), '3.14')
  assert.equal(number(Math.PI, 5), '3.1416')
  assert.equal(number(0.1 + 0.2), '0.3')
})

test('whole numbers are written in full, grouped by thousands', () => {
  assert.equal(number(0), '0')
  assert.equal(number(-0), '0')
  assert.equal(number(1234567), '1,234,567')
  assert.equal(number(999), '999')
})

test('very small and very large numbers are powers of ten', () => {
  assert.equal(number(2e-6), '2 × 10⁻⁶')
  assert.equal(number(1e-4), '0.0001')
  assert.equal(number(9.9999e-5), '0.0001') // rounded first, then judged
  assert.match(number(1.5e300), /^1\.5 × 10³⁰⁰$/)
})

test('a minus is a minus sign, in the exponent too, and never stands before zero', () => {
  assert.equal(number(-1.5), '−1.5')
  assert.equal(number(-2e-7), '−2 × 10⁻⁷')
  assert.equal(formatted(-0.001, '.2f'), '0.00')
})

test('what is no number is said in words', () => {
  assert.equal(number(NaN), 'not a number')
  assert.equal(number(Infinity), 'infinity')
  assert.equal(percent(-Infinity), 'minus infinity')
})

test('a share is a percentage, with a decimal below ten percent only', () => {
  assert.equal(percent(0.5), '50%')
  assert.equal(percent(0.0123), '1.2%')
  assert.equal(percent(0.0995), '10%')
  assert.equal(percent(0), '0.0%')
})

test('forms mean what they mean in Python, ties to the even digit included', () => {
  assert.equal(formatted(2.675, '.2f'), '2.67') // it is a little less than that in binary
  assert.equal(formatted(0.125, '.2f'), '0.12')
  assert.equal(formatted(0.375, '.2f'), '0.38')
  assert.equal(formatted(1234.5, '.2g'), '1.2 × 10³')
  assert.equal(formatted(1, '.1e'), '1.0')
  assert.equal(formatted(0, '.3g'), '0')
  assert.equal(formatted(0.25, '%'), '25%')
  assert.equal(formatted(0.123456), '0.1235')
})

test('powers of ten have raised digits', () => {
  assert.equal(powerOfTen(-12), '10⁻¹²')
  assert.equal(powerOfTen(0), '10⁰')
})

test('a logarithmic axis raises powers of ten far from 1', () => {
  assert.equal(tick(1e-5, true), '10⁻⁵')
  assert.equal(tick(0.001, true), '0.001')
  assert.equal(tick(2e-5, true), number(2e-5, 6))
  assert.equal(tick(100000, false), '100,000')
})

test('a value of JSON may be a number, the name of none, or a text', () => {
  assert.equal(shown(0.123456), '0.1235')
  assert.equal(shown('nan'), 'not a number')
  assert.equal(shown('-inf'), 'minus infinity')
  assert.equal(shown('Adam'), 'Adam')
  assert.equal(shown('toString'), 'toString')
})
