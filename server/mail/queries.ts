import type { mailSecurities } from '../../contract/mail.ts'
import type { Db } from '../kernel/db.ts'

export type MailServer = {
  host: string
  port: number
  security: (typeof mailSecurities)[number]
  username: string | null
  password: string | null
  from: { name: string; address: string }
}

export const ownSettings = (db: Db, company_id: string) =>
  db.selectFrom('mail_settings').selectAll().where('company_id', '=', company_id).executeTakeFirst()

export async function hasOwnSettings(db: Db, company_id?: string) {
  let rows = db.selectFrom('mail_settings').select('company_id').limit(1)
  if (company_id !== undefined) rows = rows.where('company_id', '=', company_id)
  return (await rows.executeTakeFirst()) !== undefined
}

export const forgetMailPasswords = (db: Db) => db.updateTable('mail_settings').set({ password: null }).execute()
