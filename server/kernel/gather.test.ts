import { expect, test, vi } from 'vitest'
import { gather } from './gather.ts'

/** Serves when told to, and remembers who was served together. */
function counter(turns: number, patienceMs?: number) {
  const seen: number[][] = []
  const waiting: (() => void)[] = []
  const ask = gather(
    async (all: number[]) => {
      seen.push(all)
      await new Promise<void>((resolve) => waiting.push(resolve))
      if (all.includes(13)) throw new Error('thirteen')
      return all.map((one) => one * 2)
    },
    { turns, most: 3, ...(patienceMs && { patienceMs }) },
  )
  const serve = async () => {
    waiting.shift()!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ask, seen, serve }
}

test('the first is served at once, those who come meanwhile together, each with the own answer', async () => {
  const { ask, seen, serve } = counter(1, 10_000)
  const answers = [1, 2, 3].map(ask)
  expect(seen).toEqual([[1]])
  await serve()
  expect(seen).toEqual([[1], [2, 3]])
  await serve()
  expect(await Promise.all(answers)).toEqual([2, 4, 6])
})

test('no turn takes more than the most, and as many run at once as there are turns', async () => {
  const { ask, seen, serve } = counter(2, 10_000)
  const answers = [1, 2, 3, 4, 5, 6].map(ask)
  expect(seen).toEqual([[1], [2]])
  await serve()
  expect(seen).toEqual([[1], [2], [3, 4, 5]])
  await serve()
  await serve()
  await serve()
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10, 12])
})

test('a turn that fails fails for those in it, and the next goes on', async () => {
  const { ask, serve } = counter(1, 10_000)
  const answers = Promise.allSettled([1, 13, 3].map(ask))
  await serve()
  await serve()
  const later = ask(4)
  await serve()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await later).toBe(8)
})

test('a turn that hangs does not hold up those who come after it', async () => {
  const { ask, seen, serve } = counter(1, 20)
  const hanging = ask(1)
  const next = ask(2)
  await vi.waitFor(() => expect(seen).toEqual([[1], [2]]))
  await serve()
  await serve()
  expect(await Promise.all([hanging, next])).toEqual([2, 4])
})
