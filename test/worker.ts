// The jobs of a test app, done as the worker does them.
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, vi } from 'vitest'
import { startBackground } from '../server/background.ts'
import { backgroundTasks } from '../server/background-tasks.ts'
import type { OutboxEvent } from '../server/kernel/outbox.ts'
import type { TestApp } from './app.ts'
import { timed } from './timed.ts'

export async function testWorker(kith: TestApp) {
  // Otherwise it would do the work of other files' companies, by this file's clock.
  if (kith.isShared) throw new Error('A worker needs an app of its own: testApp({ own: true }).')
  const { backgroundPool: pool, backgroundDb: db, log, time, services, onCommit } = kith
  const clock = () => time.now
  const all = backgroundTasks(services)
  const worker = await timed('worker: start', () => startBackground({ pool, db, log, clock }, services))
  onCommit(worker.wake)
  afterAll(() => timed('worker: stop', () => worker.stop()))
  return {
    wake: worker.wake,
    sendWebhooks: worker.sendWebhooks,
    sendLeads: worker.sendLeads,
    sendMessages: worker.sendMessages,
    /** A job by itself, for an event as a test makes it. */
    run: (job: string, event: Partial<OutboxEvent>) =>
      all[job]!.run({ db, now: clock(), log, signal: new AbortController().signal }, {
        id: randomUUIDv7(),
        request_id: 'test',
        actor_id: null,
        at: clock(),
        ...event,
      } as never),
  }
}

export const soon = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 15_000, interval: 50 })
