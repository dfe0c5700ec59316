import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { spread } from '../../test/sequencer.ts'
import { affordable, foldersOf, selectTests, touchedBy } from './selection.ts'

const folder = mkdtempSync(join(tmpdir(), 'selection-'))
function written(name: string, text: string) {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test('a long test covers its own folder, or those in its first line', () => {
  const list = written('list.long.test.ts', '// Covers: web/screens/list web/records\nimport x\n')
  const killed = written('killed.long.test.ts', "import { test } from 'vitest'\n// Covers: web\n")
  expect(foldersOf(list)).toEqual(['web/screens/list', 'web/records'])
  expect(foldersOf(killed)).toEqual([dirname(killed)])
  expect(touchedBy(['web/records/value.ts', 'README.md'], [list, killed])).toEqual([list])
  expect(touchedBy(['web/records-old/value.ts', 'web/records.ts'], [list, killed])).toEqual([])
  expect(touchedBy([], [list, killed])).toEqual([])
})

test('of many long tests that a change affects, the most affected run, for a few minutes', () => {
  const [list, all] = [
    written('a.long.test.ts', '// Covers: web/list\n'),
    written('b.long.test.ts', '// Covers: web\n'),
  ]
  expect(touchedBy(['web/list/a.ts', 'web/b.ts'], [list, all])).toEqual([all, list])
  expect(affordable([all, list], { [all]: 200_000, [list]: 30_000 })).toEqual([all, list])
  expect(affordable([all, list], { [all]: 200_000, [list]: 50_000 })).toEqual([all])
})

test('every folder that a long test names exists', () => {
  const { long } = selectTests()
  expect(long.flatMap(foldersOf).filter((path) => !existsSync(path))).toEqual([])
})

test('tests with processes of their own begin at different times', () => {
  expect(spread([...'123456789'], ['a', 'b', 'c']).join('')).toBe('a12b34c56789')
  expect(spread(['1'], ['a', 'b', 'c']).join('')).toBe('a1bc')
  expect(spread(['1', '2'], []).join('')).toBe('12')
})
