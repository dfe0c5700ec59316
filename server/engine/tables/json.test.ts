import { expect, test } from 'vitest'
import { readJsonTable } from './json.ts'
import type { TableRow } from './table.ts'

const read = (text: string) =>
  Buffer.from(readJsonTable(Buffer.from(text)).rows)
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TableRow)

const rows = [
  { line: 1, cells: ['name', 'address.city', 'tags', 'score'] },
  { line: 1, cells: ['Ada', 'London', '["a","1"]', null] },
  { line: 3, cells: ['Bo', null, null, 1.5] },
]

test('objects become rows, and keys of objects inside become columns', () => {
  const text =
    '{"name":"Ada","address":{"city":"London"},"tags":["a",1,null]}\n\n{"score":1.5,"name":"Bo","tags":[]}\r\n'
  expect(read(text)).toEqual(rows)
})

test('a list of objects is read alike, and errors name the object', () => {
  const text = '[{"name":"Ada","address":{"city":"London"},"tags":["a",1]},{"name":"Bo","score":1.5}]'
  expect(read(text).map(({ cells }) => cells)).toEqual(rows.map(({ cells }) => cells))
  expect(() => read('[{"a":1},7]')).toThrow('Object 2 is not a JSON object')
})

test('numbers keep their digits', () => {
  expect(read('{"id":12345678901234567890,"amount":0.10}')[1]!.cells).toEqual(['12345678901234567890', 0.1])
})

test.each([
  ['{"a":1}\n{"a":', 'Line 2 is not a JSON object'],
  ['{"a":1}\n7', 'Line 2 is not a JSON object'],
  ['{"a":1}\n\n[1]', 'Line 3 is not a JSON object'],
  ['{"a":[{"b":1}]}', 'Line 1 has a list of objects'],
  ['{"a":{"b":{"c":{"d":{"e":1}}}}}', 'Line 1 has objects in objects more than 4 deep'],
  ['[{"a":1}', 'It is not valid JSON'],
  ['{}', 'It has no objects'],
  [' ', 'It has no objects'],
  [`{"a":${'['.repeat(100_000)}`, 'Line 1 is not a JSON object'],
  [`{${Array.from({ length: 501 }, (_, i) => `"k${i}":1`)}}`, 'more than 500 different keys'],
])('%# is refused with its line', (text, problem) => {
  expect(() => read(text)).toThrow(problem)
})
