import { actAs } from '../../kernel/act-as.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { createCompany, hasUsers, lockUsers, type NewRegion } from './queries.ts'

type NewAdmin = { email: string; password: string; region?: NewRegion }

/** Unattended setup: creates the first Admin from ADMIN_EMAIL and ADMIN_PASSWORD if there are no users. */
export async function createFirstAdmin(db: Db, admin: NewAdmin, now = new Date()) {
  if (await hasUsers(db)) return false
  const password_hash = await hashPassword(admin.password)
  const name = admin.email.split('@')[0]!
  const task = { actor: null, ip: '127.0.0.1', client: 'npm start', task: 'setUp', now }
  return transaction(db, async (tx) => {
    await lockUsers(tx)
    if (await hasUsers(tx)) return false
    const company = { ...admin.region, company_name: 'My company', name, email: admin.email, password_hash }
    await actAs(tx, task, (context) => createCompany(context, company))
    return true
  })
}
