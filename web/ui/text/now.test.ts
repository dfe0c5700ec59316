import { afterEach, expect, test, vi } from 'vitest'
import { asAgo } from './moments.ts'
import { hearTime, timeNow } from './now.ts'

afterEach(() => vi.useRealTimers())

test('what says "just now" is told when that is no longer true, by one timer for the whole page', () => {
  vi.useFakeTimers()
  const at = new Date().toISOString()
  vi.advanceTimersByTime(20_000)
  const said: string[][] = [[], []]
  const stops = said.map((words) => hearTime(() => words.push(asAgo(at, timeNow()))))
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(60_000)
  for (const words of said) expect(words).toEqual(['just now', 'just now', '1 minute ago', '1 minute ago'])
  for (const stop of stops) stop()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(3_600_000)
  expect(asAgo(at, timeNow()), 'also when no one has listened for a while').toBe('1 hour ago')
})
