import { expect, test } from 'vitest'
import { askAboutConflict, conflicts } from './conflict.ts'
import type { RecordShape } from './records-api.ts'

test('two conflicts of one record are two questions, each with its own answer', async () => {
  const theirs = { id: 'a', title: 'Ada' } as unknown as RecordShape
  const first = askAboutConflict('people', theirs, { score: 1 }, undefined)
  const second = askAboutConflict('people', theirs, { score: 2 }, undefined)
  const [one, two] = conflicts.get()
  expect(one!.number).not.toBe(two!.number)
  one!.answer(null)
  expect(await first).toBe(null)
  expect(conflicts.get()).toEqual([two])
  two!.answer({ score: 2 })
  expect(await second).toEqual({ score: 2 })
  expect(conflicts.get()).toEqual([])
})
