import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { companyOf } from '../company/queries.ts'
import type { Actor, Context } from '../kernel/context.ts'
import type { Db, Pool } from '../kernel/db.ts'
import { randomToken, sha256 } from '../kernel/secrets.ts'
import { actorColumns, actorTables, meOf } from '../members/queries.ts'

const day = 24 * 60 * 60 * 1000
export const sessionLimits = { idle: 7 * day, absolute: 30 * day, seenEvery: 60 * 1000 }

const byToken = {
  name: 'actor_by_session',
  text: `select null as api_key_id, k.last_seen_at, ${actorColumns} from sessions k ${actorTables}
    where k.token_hash = $1 and k.last_seen_at > $2 and k.created_at > $3`,
}

export async function findActorByToken(pool: Pool, token: string, now: Date): Promise<Actor | null> {
  const token_hash = sha256(token)
  const alive = [new Date(now.getTime() - sessionLimits.idle), new Date(now.getTime() - sessionLimits.absolute)]
  const { rows } = await pool.query<Actor & { last_seen_at: Date }>({ ...byToken, values: [token_hash, ...alive] })
  const [found] = rows
  if (!found) return null
  const { last_seen_at, ...actor } = found
  if (now.getTime() - last_seen_at.getTime() > sessionLimits.seenEvery) {
    await pool.query('update sessions set last_seen_at = $2 where token_hash = $1', [token_hash, now])
  }
  return actor
}

/** Who signs in with this e-mail, with the hash to check the password against. */
export async function findUserByEmail(db: Db, email: string) {
  const { rows } = await sql<Actor & { password_hash: string | null }>`
    select null as api_key_id, u.password_hash, ${sql.raw(actorColumns)}
    from sign_in_emails k ${sql.raw(actorTables)} where k.email = ${email}`.execute(db)
  return rows[0]
}

/** Starts a session and hands its cookie to the visitor. The token is always new; one that was presented ends. */
export async function enter({ db, now, ip, client, web, audit }: Context, user: Actor) {
  if (web?.token) await endSession(db, web.token)
  const token = randomToken()
  const { company_id, user_id } = user
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
  web?.begin(token)
  audit('session.started', { target_id: user_id, by: user })
}

export const signedIn = async (db: Db, actor: Actor) => ({
  state: 'signed_in' as const,
  me: meOf(actor),
  company: await companyOf(db, actor),
})

export const endSession = (db: Db, token: string) =>
  db.deleteFrom('sessions').where('token_hash', '=', sha256(token)).execute()

export const endSessionsOf = (db: Db, { company_id, user_id }: Pick<Actor, 'company_id' | 'user_id'>) =>
  db.deleteFrom('sessions').where('company_id', '=', company_id).where('user_id', '=', user_id).execute()

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

export const pruneSessions = (db: Db, now: Date) =>
  db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('last_seen_at', '<', new Date(now.getTime() - sessionLimits.idle)),
        eb('created_at', '<', new Date(now.getTime() - sessionLimits.absolute)),
      ]),
    )
    .execute()
