// What open pages hear.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, vi } from 'vitest'
import { peekActorByToken } from '../server/accounts/sessions/queries.ts'
import { announce, createLiveHub } from '../server/kernel/live.ts'
import type { TestApp } from './app.ts'
import type { GivenUser } from './given.ts'

export async function testLive(kith: TestApp) {
  const findActor = (token: string) => peekActorByToken(kith.pool, token, kith.time.now)
  const hub = createLiveHub({ connection: kith.connection, log: kith.log, findActor })
  await hub.start()
  afterAll(hub.stop)
  return {
    /** A page of this user. Returns what it has heard so far, as `event {…}`. */
    async listen(user: GivenUser) {
      const token = await kith.given.session(user)
      const heard: string[] = []
      hub.add(token, (await findActor(token))!, {
        send: (event, data) => heard.push(`${event} ${data}`),
        end: () => {},
      })
      return heard
    },
    /** Until these pages have heard everything that was announced. */
    async settled(company_id: string, pages: string[][]) {
      const end = `end.${randomUUID()}`
      await announce(kith.db, [{ company_id, event: end }])
      for (const heard of pages) await vi.waitFor(() => expect(heard).toContain(`${end} {}`), { timeout: 60_000 })
    },
  }
}
