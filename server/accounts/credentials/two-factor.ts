import { sql } from 'kysely'
import type { Actor, Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { sha256 } from '../../platform/secrets.ts'
import { sealMark, type Vault } from '../../platform/vault.ts'
import { readRecoveryCode, timeStepOf } from './codes.ts'

type Account = Pick<Actor, 'company_id' | 'user_id'>

export async function isTwoFactorOn(db: Db, { company_id, user_id }: Account) {
  const users = db.selectFrom('users').select('totp_on_since').where('company_id', '=', company_id)
  const { totp_on_since } = await users.where('id', '=', user_id).executeTakeFirstOrThrow()
  return totp_on_since !== null
}

/** Accepts a code of the app or a recovery code. Either works once, even if it is sent twice at the same time. */
export async function takeCode({ db, now }: Context, vault: Vault, user: Account, typed: string) {
  const digits = typed.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) return (await takeAppCode(db, vault, user, digits, now)) ? 'app_code' : null
  return (await takeRecoveryCode(db, user, typed)) ? 'recovery_code' : null
}

async function takeAppCode(db: Db, vault: Vault, { company_id, user_id }: Account, code: string, now: Date) {
  const { totp_secret } = await db
    .selectFrom('users')
    .select('totp_secret')
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  const step = totp_secret
    ? timeStepOf(vault.open(totp_secret, placeOfSecret({ company_id, user_id })), code, now)
    : null
  if (step === null) return false
  const taken = await db
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .where('totp_on_since', 'is not', null)
    .where((eb) => eb.or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', String(step))]))
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

async function takeRecoveryCode(db: Db, { company_id, user_id }: Account, typed: string) {
  const taken = await db
    .deleteFrom('recovery_codes')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .where('code_hash', '=', sha256(readRecoveryCode(typed)))
    .executeTakeFirst()
  return taken.numDeletedRows > 0n
}

const off = { totp_secret: null, totp_on_since: null, totp_last_step: null }

/** Deletes everything about a user's two-factor sign-in, including sign-ins that wait for a code. */
export async function forgetTwoFactorOf(db: Db, { company_id, user_id }: Account) {
  for (const table of ['recovery_codes', 'sign_in_steps'] as const)
    await db.deleteFrom(table).where('company_id', '=', company_id).where('user_id', '=', user_id).execute()
  await db.updateTable('users').set(off).where('company_id', '=', company_id).where('id', '=', user_id).execute()
}

/** Used when the key that encrypted the secrets is lost. */
export async function forgetTwoFactor(db: Db) {
  for (const table of ['recovery_codes', 'sign_in_steps'] as const) await db.deleteFrom(table).execute()
  await db.updateTable('users').set(off).execute()
}

export const placeOfSecret = ({ company_id, user_id }: Account) => `users.totp_secret ${company_id} ${user_id}`

/** Encrypts secrets of version 0.1 again, bound to their row. */
export async function resealTwoFactor(db: Db, vault: Vault) {
  const rows = await db
    .selectFrom('users')
    .select(['company_id', 'id as user_id', 'totp_secret'])
    .where((eb) => eb(sql`substring(totp_secret from 1 for ${sealMark.length})`, '<>', sealMark))
    .execute()
  for (const { totp_secret, ...account } of rows) {
    const place = placeOfSecret(account)
    await db
      .updateTable('users')
      .set({ totp_secret: vault.seal(vault.open(totp_secret!, place), place) })
      .where('company_id', '=', account.company_id)
      .where('id', '=', account.user_id)
      .where('totp_secret', '=', totp_secret)
      .execute()
  }
}
