// Fills a new company with demo data, so that people can try Kith with realistic content.

import { sql } from 'kysely'
import { countryOfLanguage } from '../../contract/regions/countries.ts'
import { type Db, transaction } from '../platform/db.ts'
import { dayMs, hourMs } from '../platform/times.ts'
import { homeOf } from './countries.ts'
import { fillHistory } from './history.ts'
import { createRandom } from './random.ts'
import { fillRecords } from './records.ts'
import type { Filling, Room } from './story.ts'
import { fillTeam } from './team.ts'
import { idAt } from './times.ts'

/** Fills a company at most once, recorded in the database. Returns whether it was filled now. */
export function fillCompany(db: Db, { company_id, now, seed }: Filling): Promise<boolean> {
  return transaction(db, async (tx) => {
    const claimed = await tx
      .insertInto('installation')
      .values({ name: `demo ${company_id}`, value: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!claimed.numInsertedOrUpdatedRows) return false
    const company = await findNewCompany(tx, company_id)
    if (!company) return false
    const { country, language, ...rest } = company
    const home = homeOf(country ?? countryOfLanguage(language) ?? 'US', language)
    const room: Room = { ...rest, home, company_id, now, seed, db: tx, random: createRandom(seed) }
    await beginEarlier(room)
    const team = await fillTeam(room)
    await fillRecords(room, team)
    await fillHistory(room, team)
    return true
  })
}

const beginning = (now: Date) => new Date(now.getTime() - 62 * dayMs)

/** The company is as old as its records say. */
async function beginEarlier({ db, company_id, admin_id, now }: Room) {
  const created_at = beginning(now)
  await db.updateTable('companies').set({ created_at }).where('id', '=', company_id).execute()
  const users = db.updateTable('users').set({ created_at }).where('company_id', '=', company_id)
  await users.where('id', '=', admin_id).execute()
}

type NewCompany = {
  company_name: string
  language: string
  country: string | null
  currency: string
  admin_id: string
}

/**
 * The audit log begins with the company, too. Only the owner of the tables can change it, and only before it is sealed
 * for the first time.
 */
export async function beginAuditEarlier(ownerDb: Db, { company_id, now }: Omit<Filling, 'seed'>) {
  const at = beginning(now)
  const events = await ownerDb
    .selectFrom('audit_events')
    .select('id')
    .where('company_id', '=', company_id)
    .where('position', 'is', null)
    .where('action', 'in', ['company.created', 'user.created'])
    .where('at', '>', new Date(now.getTime() - hourMs))
    .orderBy('id')
    .execute()
  for (const { id } of events)
    await ownerDb
      .updateTable('audit_events')
      .set({ id: idAt(at), at })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute()
}

/** A company that no one has worked in: it has only its first Admin and its two built-in roles. */
async function findNewCompany(tx: Db, company_id: string) {
  const { rows } = await sql<NewCompany>`
    select c.name as company_name, c.language, c.country, c.currency, u.id as admin_id from companies c
    join users u on u.company_id = c.id
    where c.id = ${company_id}
      and (select count(*) from users where company_id = ${company_id}) = 1
      and not exists (select from roles where company_id = ${company_id} and not is_built_in)`.execute(tx)
  return rows[0]
}
