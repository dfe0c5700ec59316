import type { Actor, Context } from '../kernel/context.ts'
import type { Db } from '../kernel/db.ts'
import { sha256 } from '../kernel/secrets.ts'
import type { Vault } from '../kernel/vault.ts'
import { readRecoveryCode, timeStepOf } from './codes.ts'

type Account = Pick<Actor, 'company_id' | 'user_id'>

export async function isTwoFactorOn(db: Db, { company_id, user_id }: Account) {
  const users = db.selectFrom('users').select('totp_on_since').where('company_id', '=', company_id)
  const { totp_on_since } = await users.where('id', '=', user_id).executeTakeFirstOrThrow()
  return totp_on_since !== null
}

/** Takes a code of the app or a recovery code. Either works once, also when it is sent twice at the same moment. */
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
  const step = totp_secret ? timeStepOf(vault.open(totp_secret), code, now) : null
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

/** For somebody who lost phone and recovery codes. */
export async function forgetTwoFactorOf(db: Db, { company_id, user_id }: Account) {
  await db.deleteFrom('recovery_codes').where('company_id', '=', company_id).where('user_id', '=', user_id).execute()
  await db.updateTable('users').set(off).where('company_id', '=', company_id).where('id', '=', user_id).execute()
}

/** For when the key that sealed the secrets is lost. */
export async function forgetTwoFactor(db: Db) {
  await db.deleteFrom('recovery_codes').execute()
  await db.updateTable('users').set(off).execute()
}
