import type { Actor } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { findActiveUser } from '../users/queries.ts'
import { challengeMs } from './relying-party.ts'

const expiry = (now: Date) => new Date(now.getTime() - challengeMs)

/** A user has one challenge at a time. */
export async function keepChallenge(db: Db, challenge: string, user_id: string | null, now: Date) {
  if (user_id) await db.deleteFrom('passkey_challenges').where('user_id', '=', user_id).execute()
  await db.insertInto('passkey_challenges').values({ challenge, user_id, created_at: now }).execute()
}

/** A challenge is deleted with the first response, valid or not. */
export async function takeChallenge(db: Db, challenge: string | null, user_id: string | null, now: Date) {
  if (!challenge) return false
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('user_id', 'is not distinct from', user_id)
    .where('created_at', '>', expiry(now))
    .executeTakeFirst()
  return taken.numDeletedRows > 0n
}

type PasskeyUser = { passkey_id: string; public_key: Buffer; counter: string; actor: Actor }

/** A passkey with the active user it belongs to. */
export async function findPasskey(db: Db, credential_id: string): Promise<PasskeyUser | undefined> {
  const found = db.selectFrom('passkeys').select(['company_id', 'user_id', 'id as passkey_id', 'public_key', 'counter'])
  const passkey = await found.where('credential_id', '=', credential_id).executeTakeFirst()
  const actor = passkey && (await findActiveUser(db, passkey))
  if (!passkey || !actor) return
  const { passkey_id, public_key, counter } = passkey
  return { passkey_id, public_key, counter, actor }
}

export const prunePasskeyChallenges = (db: Db, now: Date) =>
  db.deleteFrom('passkey_challenges').where('created_at', '<', expiry(now)).execute()
