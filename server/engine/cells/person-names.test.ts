import { expect, test } from 'vitest'
import { personNames, uninverted } from './person-names.ts'

test.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Ada', 'Ada', undefined],
  ['Smith, John', 'John', 'Smith'],
  ['García López, María José', 'María José', 'García López'],
  ['Anna Berg, MBA', 'Anna', 'Berg, MBA'],
])('%j is the name %j %j', (text, first, last) => {
  expect(personNames(text)).toEqual([first, last])
})

test('a name before a comma is said last', () => {
  expect(uninverted('Smith, John')).toBe('John Smith')
  expect(uninverted('Anna Berg, MBA')).toBeUndefined()
  expect(uninverted('A, B, C')).toBeUndefined()
})
