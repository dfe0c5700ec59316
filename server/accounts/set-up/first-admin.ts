import { randomUUID } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import { noNotes, taking, writeNotes } from '../../kernel/pending-writes.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { createCompany, hasUsers, lockUsers, type NewRegion } from './queries.ts'

type NewAdmin = { email: string; password: string; region?: NewRegion }

/** Unattended setup: creates the first Admin from ADMIN_EMAIL and ADMIN_PASSWORD if there are no users. */
export async function createFirstAdmin(db: Db, admin: NewAdmin, now = new Date()) {
  if (await hasUsers(db)) return false
  const password_hash = await hashPassword(admin.password)
  const name = admin.email.split('@')[0]!
  const caller = {
    door: 'automation' as const,
    request_id: randomUUID(),
    ip: '127.0.0.1',
    client: 'npm start',
    actor: null,
    web: null,
  }
  return transaction(db, async (tx) => {
    await lockUsers(tx)
    if (await hasUsers(tx)) return false
    const notes = noNotes()
    const context: Context = { ...caller, ...taking(notes, caller), db: tx, now }
    const company = { ...admin.region, company_name: 'My company', name, email: admin.email, password_hash }
    await createCompany(context, company)
    await writeNotes(tx, notes, caller, 'setUp', now)
    return true
  })
}
