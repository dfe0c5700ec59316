// How a submission becomes a lead while others do, without the jobs that usually do it.
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { holdWrites, untilWaiting } from '../../../test/hold.ts'
import { processSubmission } from './process-submission.ts'

const kith = await testApp({ own: true })
const { given } = kith
let admin: GivenUser
let api: ReturnType<typeof kith.withKey>

beforeEach(async () => {
  admin = await given.company()
  api = kith.withKey(await given.key(admin))
})

async function submitted(values: Record<string, string>, source: object = {}) {
  const { id: source_id } = await api.createLeadSource({ name: 'Website', ...source } as never)
  const { id } = await api.submitLead({ id: source_id, values })
  return () => processSubmission(kith.db, { company_id: admin.company_id, id }, kith.time.now)
}
const submissions = async () => (await api.listLeadSubmissions({})).items

test('two submissions of one person at the same time are one lead, also if only the phone number is the same', async () => {
  const phone = '+493012345678'
  const [first, second] = [
    await submitted({ email: 'ada@example.com', phone }),
    await submitted({ phone, message: 'Please call' }),
  ]
  const hold = await holdWrites(kith.owner, 'lead_submissions', `new.state = 'lead' and new.email is not null`)
  const both = [first()]
  await hold.reached()
  both.push(second())
  await untilWaiting(kith.connection, 'pg_advisory_xact_lock(hashtextextended')
  await hold.release()
  await Promise.all(both)
  expect((await submissions()).map(({ outcome }) => outcome).sort()).toEqual(['created', 'updated'])
  expect((await api.listRecords({ object: 'leads' })).records).toHaveLength(1)
})

test('a submission has failed only together with its notification', async () => {
  const owner = await given.user(admin)
  const attempt = await submitted({ email: 'ada@example.com' }, { owner_id: owner.user_id })
  await kith.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', owner.user_id).execute()
  await sql`create function refuse_failure() returns trigger language plpgsql as
    $$ begin raise exception 'killed'; end $$`.execute(kith.ownerDb)
  await sql`create trigger killed before insert on outbox for each row when (new.event = 'lead.failed')
    execute function refuse_failure()`.execute(kith.ownerDb)
  await expect(attempt()).rejects.toThrow('killed')
  expect(await submissions()).toMatchObject([{ state: 'received' }])
  await sql`drop trigger killed on outbox`.execute(kith.ownerDb)
  await attempt()
  expect(await submissions()).toMatchObject([{ state: 'failed' }])
  const { rows } =
    await sql`select from outbox where company_id = ${admin.company_id} and event = 'lead.failed'`.execute(kith.ownerDb)
  expect(rows).toHaveLength(1)
})
