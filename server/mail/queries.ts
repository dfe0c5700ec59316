import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { sealMark, type Vault } from '../platform/vault.ts'
import type { Reach } from './mail-server.ts'

export const ownSettings = (db: Db, company_id: string) =>
  db.selectFrom('mail_settings').selectAll().where('company_id', '=', company_id).executeTakeFirst()

export async function hasOwnSettings(db: Db, company_id?: string) {
  let rows = db.selectFrom('mail_settings').select('company_id').limit(1)
  if (company_id !== undefined) rows = rows.where('company_id', '=', company_id)
  return (await rows.executeTakeFirst()) !== undefined
}

/** The only company of an installation is its operator's own, and may use a mail server inside. */
export async function reachOfCompany(db: Db, openSignup: boolean): Promise<Reach> {
  if (openSignup) return 'public'
  const some = await db.selectFrom('companies').select('id').limit(2).execute()
  return some.length > 1 ? 'public' : 'anywhere'
}

export const placeOfPassword = (company_id: string) => `mail_settings.password ${company_id}`

/** Binds passwords sealed by version 0.1 to their row. */
export async function resealMailPasswords(db: Db, vault: Vault) {
  const rows = await db
    .selectFrom('mail_settings')
    .select(['company_id', 'password'])
    .where((eb) => eb(sql`substring(password from 1 for ${sealMark.length})`, '<>', sealMark))
    .execute()
  for (const { company_id, password } of rows) {
    const place = placeOfPassword(company_id)
    await db
      .updateTable('mail_settings')
      .set({ password: vault.seal(vault.open(password!, place), place) })
      .where('company_id', '=', company_id)
      .where('password', '=', password)
      .execute()
  }
}

export const forgetMailPasswords = (db: Db) => db.updateTable('mail_settings').set({ password: null }).execute()
