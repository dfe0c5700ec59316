// Browsers in which someone signed in before. Their cookie gives no access, only a separate allowance of attempts.

import type { Actor, Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { randomToken, sha256 } from '../../platform/secrets.ts'
import { dayMs } from '../../platform/times.ts'

type Account = Pick<Actor, 'company_id' | 'user_id'>

/** The same time as the browser keeps the cookie. */
const rememberedMs = 180 * dayMs

/** Identifies the visitor's browser, if it is signed in or was signed in to this account before. */
export async function deviceOf({ db, now, web, actor }: Context, email: string) {
  if (actor && web?.token) return sha256(web.token)
  if (!web?.device) return null
  const token_hash = sha256(web.device)
  const known = await db
    .selectFrom('sign_in_devices as d')
    .innerJoin('sign_in_emails as e', (join) =>
      join.onRef('e.company_id', '=', 'd.company_id').onRef('e.user_id', '=', 'd.user_id'),
    )
    .select('d.token_hash')
    .where('d.token_hash', '=', token_hash)
    .where('d.last_used_at', '>', new Date(now.getTime() - rememberedMs))
    .where('e.email', '=', email)
    .executeTakeFirst()
  return known ? token_hash : null
}

/** Issues a new token each time, so that a token planted in the browser is useless. Keeps its other accounts. */
export async function rememberDevice({ db, now, web }: Context, { company_id, user_id }: Account) {
  if (!web) return
  const token = randomToken()
  const token_hash = sha256(token)
  if (web.device) {
    const known = db.updateTable('sign_in_devices').set({ token_hash })
    await known.where('token_hash', '=', sha256(web.device)).execute()
  }
  await db
    .insertInto('sign_in_devices')
    .values({ token_hash, company_id, user_id, last_used_at: now })
    .onConflict((conflict) =>
      conflict.columns(['token_hash', 'company_id', 'user_id']).doUpdateSet({ last_used_at: now }),
    )
    .execute()
  web.rememberDevice(token)
}

export const forgetDevicesOf = (db: Db, { company_id, user_id }: Account) =>
  db.deleteFrom('sign_in_devices').where('company_id', '=', company_id).where('user_id', '=', user_id).execute()

export const pruneSignInDevices = (db: Db, now: Date) =>
  db
    .deleteFrom('sign_in_devices')
    .where('last_used_at', '<', new Date(now.getTime() - rememberedMs))
    .execute()
