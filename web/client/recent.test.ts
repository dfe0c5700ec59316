import { expect, test } from 'vitest'
import { recent } from './recent.ts'

test('what a page remembers does not grow for as long as it is open', () => {
  const kept = recent<number>(2)
  for (const [key, value] of Object.entries({ a: 1, b: 2 })) kept.set(key, value)
  kept.set('a', 3)
  kept.set('c', 4)
  expect(['a', 'b', 'c'].map(kept.get)).toEqual([3, undefined, 4])
  kept.delete('a')
  expect(kept.get('a')).toBeUndefined()
})
