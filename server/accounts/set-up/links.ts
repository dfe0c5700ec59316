// Sign-up by email: links that prove that an address belongs to the person who creates a company with it.

import { sql } from 'kysely'
import { pages } from '../../../contract/shared/pages.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Db } from '../../platform/db.ts'
import { randomToken, sha256 } from '../../platform/secrets.ts'
import { hourMs } from '../../platform/times.ts'

const linksAnHour = 3

/** Returns null if the address got too many emails within the hour. Locked per address, so that the limit holds. */
export async function createSignUpLink(tx: Db, email: string, now: Date) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-up ${email}`}, 0))`.execute(tx)
  const made = await tx
    .selectFrom('sign_up_links')
    .select('token_hash')
    .where('email', '=', email)
    .where('created_at', '>', new Date(now.getTime() - hourMs))
    .execute()
  if (made.length >= linksAnHour) return null
  const token = randomToken()
  const expires_at = new Date(now.getTime() + hourMs)
  const link = { token_hash: sha256(token), email, created_at: now, expires_at }
  await tx.insertInto('sign_up_links').values(link).execute()
  return token
}

export const forgetSignUpLink = (db: Db, token: string) =>
  db.deleteFrom('sign_up_links').where('token_hash', '=', sha256(token)).execute()

export const signUpUrl = (baseUrl: URL, token: string) => `${baseUrl.origin}${pages.signUp}#token=${token}`

export async function findSignUpLink(db: Db, token: string, now: Date) {
  const found = await db
    .selectFrom('sign_up_links')
    .select('email')
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!found) throw invalidLink()
  return found
}

/** Works once, even for two concurrent requests. Also deletes the other links of the address. */
export async function takeSignUpLink(db: Db, token: string) {
  const used = await db
    .deleteFrom('sign_up_links')
    .where('token_hash', '=', sha256(token))
    .returning('email')
    .executeTakeFirst()
  if (!used) throw invalidLink()
  await db.deleteFrom('sign_up_links').where('email', '=', used.email).execute()
}

const invalidLink = () => new AppError('not_found', 'This link is no longer valid. Request a new one.')

export const pruneSignUpLinks = (db: Db, now: Date) =>
  db.deleteFrom('sign_up_links').where('expires_at', '<', now).execute()
