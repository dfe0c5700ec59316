import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { fullRegion } from '../../../contract/regions/regions.ts'
import { memberGrants, memberRights } from '../../../contract/shared/access.ts'
import { updateBuiltIn } from '../../engine/objects/built-in.ts'
import { addBuiltInViews } from '../../engine/views/built-in.ts'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'

/** Setup is open only while there are no users. */
export const hasUsers = async (db: Db) =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

/** Of two concurrent setups, the second waits here and then finds that a user exists. */
export const lockUsers = (tx: Db) => sql`lock table users in share row exclusive mode`.execute(tx)

export type NewRegion = Parameters<typeof fullRegion>[0]
export type NewCompany = {
  company_name: string
  name: string
  email: string
  password_hash: string | null
} & NewRegion

/** A company with its two built-in roles and its first Admin. */
export async function createCompany(
  context: Context,
  { company_name, name, email, password_hash, ...given }: NewCompany,
) {
  const { db, now } = context
  const { country, currency, time_zone, language } = fullRegion(given)
  const company_id = randomUUIDv7()
  const user_id = randomUUIDv7()
  const admin = {
    company_id,
    id: randomUUIDv7(),
    name: 'Admin',
    is_admin: true,
    is_built_in: true,
    grants: [] as string[],
  }
  const member = { ...admin, id: randomUUIDv7(), name: 'Member', is_admin: false, grants: memberGrants }
  const records = JSON.stringify(memberRights)
  await db
    .insertInto('companies')
    .values({
      id: company_id,
      name: company_name,
      created_at: now,
      currency,
      ...(country && { country }),
      ...(time_zone && { time_zone }),
      ...(language && { language }),
    })
    .execute()
  await db
    .insertInto('roles')
    .values([admin, member].map((role) => ({ ...role, records })))
    .execute()
  await db
    .insertInto('users')
    .values({ company_id, id: user_id, role_id: admin.id, name, email, password_hash, created_at: now })
    .execute()
  await updateBuiltIn(db, company_id)
  await addBuiltInViews(db, company_id, now)
  // Someone without a password has yet to join, and claims the address then.
  if (password_hash) await db.insertInto('sign_in_emails').values({ email, company_id, user_id }).execute()
  const by = { company_id, user_id }
  context.emit('company.created', { name: company_name }, company_id)
  context.emit('user.created', { user_id }, company_id)
  context.audit('company.created', { target_id: company_id, by, data: { name: company_name } })
  context.audit('user.created', { target_id: user_id, by })
  return by
}
