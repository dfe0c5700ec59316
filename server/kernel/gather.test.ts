import { expect, test, vi } from 'vitest'
import { gather } from './gather.ts'

/** In which all who wait are called in. */
const moment = async () => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
}

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
    await moment()
  }
  return { ask, seen, serve }
}

test('the first call runs immediately, calls that arrive meanwhile run together, each with its own result', async () => {
  const { ask, seen, serve } = counter(1, 10_000)
  const first = ask(1)
  await moment()
  expect(seen).toEqual([[1]])
  const answers = [first, ...[2, 3].map(ask)]
  await serve()
  expect(seen).toEqual([[1], [2, 3]])
  await serve()
  expect(await Promise.all(answers)).toEqual([2, 4, 6])
})

test('no batch exceeds its maximum size, and no more batches run than allowed', async () => {
  const { ask, seen, serve } = counter(2, 10_000)
  const answers = [1, 2, 3, 4, 5, 6, 7, 8].map(ask)
  await moment()
  expect(seen).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
  await serve()
  expect(seen.at(-1)).toEqual([7, 8])
  await serve()
  await serve()
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10, 12, 14, 16])
})

test('a failed batch fails only its own calls, and the next batch runs', async () => {
  const { ask, serve } = counter(1, 10_000)
  const answers = Promise.allSettled([1, 13, 3].map(ask))
  await moment()
  await serve()
  const later = ask(4)
  await moment()
  await serve()
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await later).toBe(8)
})

test('a batch that hangs does not block later calls', async () => {
  const { ask, seen, serve } = counter(1, 20)
  const hanging = ask(1)
  await moment()
  const next = ask(2)
  await vi.waitFor(() => expect(seen).toEqual([[1], [2]]), 60_000)
  await serve()
  await serve()
  expect(await Promise.all([hanging, next])).toEqual([2, 4])
})
