// What the tests of notifications share.
import { randomUUIDv7 } from 'node:crypto'
import { testWeb } from '../browser.ts'
import type { GivenUser } from '../given.ts'

export async function testNotifications() {
  const web = await testWeb()
  const { kith } = web

  const tell = ({ company_id, user_id }: GivenUser, count = 1) =>
    kith.db
      .insertInto('notifications')
      .values(
        Array.from({ length: count }, () => ({
          company_id,
          id: randomUUIDv7(),
          user_id,
          kind: 'account_changed',
          data: JSON.stringify({ what: 'password' }),
          at: kith.time.now,
        })),
      )
      .execute()
  return { ...web, tell }
}
