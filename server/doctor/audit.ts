// Checks that the audit logs are unchanged, and that Kith's database role cannot change them.

import { sql } from 'kysely'
import { verifyAuditLog } from '../audit/verify.ts'
import { forEachCompany } from '../kernel/companies.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { count } from '../platform/terminal.ts'
import { hourMs } from '../platform/times.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const check = 'Audit log'
const seconds = 6

export async function checkAudit(db: Db, isRunning: boolean): Promise<Finding> {
  const companies = await db.selectFrom('companies').select(['id', 'name']).orderBy('id').execute()
  const broken: string[] = []
  let verified = 0
  let sealed = 0
  const signal = AbortSignal.timeout(seconds * 1000)
  for (const { id, name } of companies) {
    const verification = await verifyAuditLog(db, id, signal).catch((error) => {
      if (signal.aborted) return null
      throw error
    })
    if (!verification) break
    verified++
    sealed += verification.sealed
    const [first] = verification.problems
    if (first) broken.push(`${name}: event ${first.position ?? 'without a seal'} was ${first.kind}`)
  }
  if (broken.length) {
    const advice =
      'Someone changed it directly in the database. Compare it with a backup and change the database passwords.'
    return failed(check, `Changed after it was sealed. ${broken.join('; ')}`, advice)
  }
  const waiting = isRunning ? await countOverdue(db) : 0
  if (waiting) {
    const advice = 'Events are sealed every five minutes. If this persists, look for seal_audit_logs in the log.'
    return warning(check, `${count(waiting, 'event has', 'events have')} not been sealed for over two hours`, advice)
  }
  const rest = companies.length - verified
  if (!rest && !sealed) return ok(check, 'No events have been sealed yet')
  if (!rest) return ok(check, `${count(sealed, 'sealed event is', 'sealed events are')} unchanged`)
  const advice = 'Verifying the others takes too long here. Their Admins can verify them under Company, Audit log.'
  return warning(check, `Unchanged in ${verified} of ${companies.length} companies`, advice)
}

async function countOverdue(db: Db) {
  let overdue = 0
  await forEachCompany(db, async ({ id, created_at }) => {
    if (created_at.getTime() > Date.now() - 3 * hourMs) return
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from audit_events
      where company_id = ${id} and position is null and at < now() - interval '2 hours'`.execute(db)
    overdue += rows[0]!.waiting
  })
  return overdue
}

/** Asks PostgreSQL, so that superusers, owners and members of owning roles are covered too. */
export async function checkRoles({ databaseOwnerUrl }: Config, db: Db): Promise<Finding> {
  const check = 'Roles'
  const { rows } = await sql<{ role: string; mayChange: boolean }>`select current_user::text as role,
    has_table_privilege('audit_events', 'update, delete, truncate') as "mayChange"`.execute(db)
  const { role, mayChange } = rows[0]!
  if (!mayChange) return ok(check, `${role} cannot change the audit log`)
  const found = `${role}, the database role of Kith, can change the audit log`
  if (databaseOwnerUrl)
    return warning(
      check,
      found,
      'Set DATABASE_URL to a role that owns nothing and is neither a superuser nor a member of one.',
    )
  const statements = `create role kith_app login password '...'; grant kith_app to "${role}"`
  const settings = 'Then set DATABASE_OWNER_URL to the current DATABASE_URL, and DATABASE_URL to the new role.'
  return warning(check, found, `To prevent this, create a second role: ${statements}\n${settings}`)
}
