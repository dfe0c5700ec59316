import { expect, test } from 'vitest'
import { pageIn } from './page.ts'

const ids = (text: string) => [...text].map((id) => ({ id }))
const read = ({ items, next_cursor }: ReturnType<typeof pageIn>) =>
  [items.map(({ id }) => id).join(''), next_cursor] as const

test('a list that is read whole is paged by its last item, also if it moved or was deleted', () => {
  const [first, cursor] = read(pageIn(ids('abcde'), { limit: 2 }))
  expect(first).toBe('ab')
  const next = (all: string) => read(pageIn(ids(all), { limit: 2, cursor: cursor! }))[0]
  expect(['abcde', 'xabcde', 'acde', 'ab'].map(next)).toEqual(['cd', 'cd', 'cd', ''])
  expect(pageIn(ids('ab'), { limit: 2 }).next_cursor).toBe(null)
  expect(() => pageIn(ids('ab'), { limit: 2, cursor: 'made up' })).toThrow('This cursor is invalid')
})
