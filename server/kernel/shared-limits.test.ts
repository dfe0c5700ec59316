import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { createBuckets } from '../platform/token-buckets.ts'
import { createListener } from './live-channel.ts'
import { createSharedLimits } from './shared-limits.ts'

const { connection, db } = await testDatabase()
const within = { timeout: 60_000, interval: 10 }

/** What a server process has of it: its limits, and the connection on which it hears of others. */
async function startProcess() {
  const shared = createSharedLimits(db)
  const parts = { connection, log: pino({ level: 'silent' }), heard: () => {}, listening: () => {} }
  const listener = createListener({ ...parts, also: shared.listening })
  await listener.start()
  onTestFinished(async () => {
    shared.stop()
    await listener.stop()
  })
  return shared.share('key', createBuckets({ perSecond: 0.001, burst: 4 }))
}

test('a limit used up in one process is used up in the others, and theirs in it', async () => {
  const [first, second] = [await startProcess(), await startProcess()]
  for (let i = 0; i < 4; i++) expect(second.take('busy')).toBe(0)
  await vi.waitFor(() => expect(first.waitOf('busy')).toBeGreaterThan(0), within)
  expect(first.waitOf('idle')).toBe(0)
  // The first has now heard that it is not alone.
  for (let i = 0; i < 2; i++) expect(first.take('both')).toBe(0)
  for (let i = 0; i < 2; i++) expect(second.take('both')).toBe(0)
  await vi.waitFor(() => expect(first.waitOf('both')).toBeGreaterThan(0), within)
  await vi.waitFor(() => expect(second.waitOf('both')).toBeGreaterThan(0), within)
})

test('several processes that each give out a whole burst owe no more than one', () => {
  const time = { now: 0 }
  const limit = createBuckets({ perSecond: 1, burst: 4 }, () => time.now)
  for (let i = 0; i < 4; i++) limit.take('busy')
  limit.takenElsewhere('busy', 400)
  expect(limit.waitOf('busy')).toBe(5)
  time.now = 5000
  expect(limit.take('busy')).toBe(0)
})
