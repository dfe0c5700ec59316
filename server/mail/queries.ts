import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { sealMark, type Vault } from '../platform/vault.ts'
import type { MailServer, Reach } from './mail-server.ts'

export const ownSettings = (db: Db, company_id: string) =>
  db.selectFrom('mail_settings').selectAll().where('company_id', '=', company_id).executeTakeFirst()

type Settings = NonNullable<Awaited<ReturnType<typeof ownSettings>>>

export const serverOf = (
  vault: Vault,
  { company_id, password, from_name, from_email, ...settings }: Settings,
): MailServer => ({
  host: settings.host,
  port: settings.port,
  security: settings.security as MailServer['security'],
  username: settings.username,
  password: password && vault.open(password, placeOfPassword(company_id)),
  from: { name: from_name, address: from_email },
})

export async function hasOwnSettings(db: Db, company_id?: string) {
  let rows = db.selectFrom('mail_settings').select('company_id').limit(1)
  if (company_id !== undefined) rows = rows.where('company_id', '=', company_id)
  return (await rows.executeTakeFirst()) !== undefined
}

/** The only company of an installation belongs to its operator, and may use an internal mail server. */
export async function reachOfCompany(db: Db, openSignup: boolean): Promise<Reach> {
  if (openSignup) return 'public'
  const companies = await db.selectFrom('companies').select('id').limit(2).execute()
  return companies.length > 1 ? 'public' : 'anywhere'
}

export const placeOfPassword = (company_id: string) => `mail_settings.password ${company_id}`

/** Encrypts passwords of version 0.1 again, bound to their row. */
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
