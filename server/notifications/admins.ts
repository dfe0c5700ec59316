import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

export async function findAdmins(db: Db, company_id: string) {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u join roles r on r.company_id = u.company_id and r.id = u.role_id
    where u.company_id = ${company_id} and r.is_admin and u.kind = 'person'`.execute(db)
  return rows.map((row) => row.id)
}
