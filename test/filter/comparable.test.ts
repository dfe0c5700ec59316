import { expect, test } from 'vitest'
import { comparable, type FieldType, type FilterField } from '../../contract/filter/index.ts'

const rates = { currency: 'EUR', rates: { USD: 1.1, JPY: 0.006 } }
const form = (type: FieldType, value: unknown, more: Partial<FilterField> = {}) =>
  comparable({ key: 'x', label: 'X', type, ...more }, value, rates)

test.each<[FieldType, unknown, unknown]>([
  ['text', 'Ärger & Söhne', 'arger & sohne'],
  ['long_text', 'A\nB', 'a\nb'],
  ['url', 'https://Acme.com/Ä', 'https://acme.com/a'],
  ['email', 'Ada@ACME.com', 'ada@acme.com'],
  ['phone', '+49 (30) 123-456', '+4930123456'],
  ['country', 'DE', 'de'],
  ['country', 'Deutschland', 'de'],
  ['country', 'Österreich-Ungarn', 'osterreich-ungarn'],
  ['number', 12.5, 12.5],
  ['boolean', false, false],
  ['date', '2026-06-15', '2026-06-15'],
  ['datetime', '2026-06-15T12:00:00Z', '2026-06-15T12:00:00.000Z'],
  ['datetime', '2026-06-15T12:00:00.5+02:00', '2026-06-15T10:00:00.500Z'],
  ['select', 'open', 'open'],
  ['multi_select', ['vip', 'press', 'vip'], ['press', 'vip']],
  ['user', 'u1', 'u1'],
  ['relation', 'r1', ['r1']],
  ['relation', ['r2', 'r1'], ['r2', 'r1']],
  ['relation', null, []],
])('%s: %j is compared as %j', (type, value, expected) => expect(form(type, value)).toEqual(expected))

test('money is compared in the company’s currency', () => {
  expect(form('money', { amount: '99.90', currency: 'EUR' })).toBe(99.9)
  expect(form('money', { amount: '100', currency: 'USD' })).toBe(110)
  expect(form('money', { amount: '1000', currency: 'JPY' })).toBe(6)
})

test('money without a rate is not empty, but matches no comparison', () => {
  expect(form('money', { amount: '5', currency: 'GBP' })).toBeNull()
  expect(form('money', { amount: '5', currency: 'constructor' })).toBeNull()
})

test('empty is undefined for every type', () => {
  for (const type of [
    'text',
    'email',
    'number',
    'money',
    'date',
    'datetime',
    'select',
    'multi_select',
    'user',
  ] as const)
    for (const nothing of [null, undefined, '', []]) expect(form(type, nothing), type).toBeUndefined()
})

test('a field of several values keeps each', () => {
  expect(form('email', ['A@x.com', 'b@X.com'], { multi: true })).toEqual(['a@x.com', 'b@x.com'])
  expect(form('email', ['A@x.com', ''], { multi: true })).toEqual(['a@x.com'])
})
