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

test.each<[string, string, unknown[]]>([
  ['with a byte order mark', '\ufeff{"a":1}', [1]],
  ['with a number that is too large for a computer', '{"a":1e400}', ['1e400']],
  ['with the same key twice', '{"a":1,"a":2}', [2]],
  ['with a list of different things', '{"a":[true,1,null]}', ['["true","1"]']],
  ['with nothing in a list', '{"a":[],"b":{}}', [null]],
  ['with keys that every object has', '{"__proto__":1,"constructor":{"x":2}}', [1, 2]],
])('an object %s is read', (_, text, cells) => {
  expect(read(text)[1]!.cells).toEqual(cells)
})

test.each([
  ['[null]', 'Object 1 is not a JSON object'],
  ['[{"a":1},]', 'It is not valid JSON'],
  ['{"a":1}{"a":2}', 'Line 1 is not a JSON object'],
  ['{"a":[[1]]}', 'Line 1 has a list of objects'],
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
