import { randomUUIDv7 } from 'node:crypto'
import type { Output } from '../../../contract/operation.ts'
import type { session } from '../../../contract/session.ts'
import { companyOf } from '../../company/queries.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { createDb, type Db, type Pool } from '../../platform/db.ts'
import { randomToken, sha256 } from '../../platform/secrets.ts'
import { dayMs } from '../../platform/times.ts'
import { companyOfSecret, forgetSecret, noteSecret } from '../credentials/company-of-secret.ts'
import { forgetDevicesOf, rememberDevice } from '../credentials/devices.ts'
import { forgetFailures } from '../credentials/throttle.ts'
import { isTwoFactorOn } from '../credentials/two-factor.ts'
import { actorColumns, actorTables, meOf } from '../users/queries.ts'
import { noteVisits } from '../users/visits.ts'
import { endStepsOf, startStep } from './steps.ts'

export { pruneSignInSteps } from './steps.ts'

export const sessionLimits = { idle: 7 * dayMs, absolute: 30 * dayMs, seenEvery: 60 * 1000 }

/** The earliest times at which a valid session can have been used last and started. */
export const aliveSince = (now: Date) => ({
  last_seen_at: new Date(now.getTime() - sessionLimits.idle),
  created_at: new Date(now.getTime() - sessionLimits.absolute),
})

const byToken = {
  name: 'actor_by_session',
  text: `select null as api_key_id, k.last_seen_at, ${actorColumns} from sessions k ${actorTables}
    where k.company_id = $1 and k.token_hash = $2 and k.last_seen_at > $3 and k.created_at > $4`,
}

export async function findActorByToken(pool: Pool, token: string, now: Date): Promise<Actor | null> {
  const session = await findSession(pool, token, now)
  if (!session) return null
  if (now.getTime() - session.last_seen_at.getTime() > sessionLimits.seenEvery) {
    const { company_id, user_id } = session.actor
    await pool.query(updateLastSeen, [company_id, sha256(token), now])
    await noteVisits(createDb(pool), company_id, [user_id], now)
  }
  return session.actor
}

const updateLastSeen = 'update sessions set last_seen_at = $3 where company_id = $1 and token_hash = $2'

/** The same without counting as activity: what an open page does in the background must not keep a session alive. */
export async function peekActorByToken(pool: Pool, token: string, now: Date): Promise<Actor | null> {
  return (await findSession(pool, token, now))?.actor ?? null
}

async function findSession(pool: Pool, token: string, now: Date) {
  const { last_seen_at: seenSince, created_at: startedSince } = aliveSince(now)
  const hash = sha256(token)
  const values = [await companyOfSecret(pool, hash), hash, seenSince, startedSince]
  const { rows } = await pool.query<Actor & { last_seen_at: Date }>({ ...byToken, values })
  const [row] = rows
  if (!row) {
    forgetSecret(pool, hash)
    return null
  }
  const { last_seen_at, ...actor } = row
  return { actor, last_seen_at }
}

/** After a correct password: starts a session, or asks for the second factor. */
export async function answerSignIn(context: Context, user: Actor): Promise<Output<typeof session.signIn>> {
  if (await isTwoFactorOn(context.db, user)) {
    return { state: 'second_step', step_token: await startStep(context, user) }
  }
  await enter(context, user)
  return signedIn(context.db, user)
}

/** Starts a session and sets its cookie. The token is always new, and a session that the browser had before ends. */
export async function enter(context: Context, user: Actor) {
  const { db, now, ip, client, web, audit } = context
  if (web?.token) await deleteSession(db, web.token)
  const token = randomToken()
  const { company_id, user_id } = user
  await noteSecret(db, sha256(token), company_id, new Date(now.getTime() + sessionLimits.absolute))
  await db
    .insertInto('sessions')
    .values({
      id: randomUUIDv7(),
      token_hash: sha256(token),
      company_id,
      user_id,
      created_at: now,
      last_seen_at: now,
      ip,
      user_agent: client,
    })
    .execute()
  await noteVisits(db, company_id, [user_id], now)
  await forgetFailures(db, user.email, ip)
  web?.begin(token)
  await rememberDevice(context, user)
  audit('session.started', { target_id: user_id, by: user })
}

export const signedIn = async (db: Db, actor: Actor) => ({
  state: 'signed_in' as const,
  me: meOf(actor),
  company: await companyOf(db, actor),
})

export async function deleteSession(db: Db, token: string) {
  const token_hash = sha256(token)
  const secret = await db
    .selectFrom('company_by_secret')
    .select('company_id')
    .where('hash', '=', token_hash)
    .executeTakeFirst()
  if (!secret) return
  const session = db.deleteFrom('sessions').where('company_id', '=', secret.company_id)
  await session.where('token_hash', '=', token_hash).execute()
}

/** Also ends sign-ins that wait for their second step, because they may have used the old password. */
export async function endSessionsOf(db: Db, user: Pick<Actor, 'company_id' | 'user_id'>) {
  await endStepsOf(db, user)
  const sessions = db.deleteFrom('sessions').where('company_id', '=', user.company_id)
  await sessions.where('user_id', '=', user.user_id).execute()
}

/** Ends all sessions and forgets all known browsers, because someone else may have known the old password. */
export async function replacePassword(db: Db, user: Pick<Actor, 'company_id' | 'user_id'>, password_hash: string) {
  await setPassword(db, user, password_hash)
  await forgetDevicesOf(db, user)
  await endSessionsOf(db, user)
}

/** Ends all sessions of the caller and starts a new one in this browser. */
export async function startAfresh(context: Context, actor: Actor) {
  await endSessionsOf(context.db, actor)
  await enter(context, actor)
  context.emit('user.access_changed', { user_id: actor.user_id })
}

export const setPassword = (
  db: Db,
  { company_id, user_id }: Pick<Actor, 'company_id' | 'user_id'>,
  password_hash: string,
) =>
  db
    .updateTable('users')
    .set({ password_hash })
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .execute()

export function pruneSessions(db: Db, now: Date) {
  const { last_seen_at, created_at } = aliveSince(now)
  return db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('last_seen_at', '<', last_seen_at), eb('created_at', '<', created_at)]))
    .execute()
}
