// Sign-ins with a correct password that wait for the second factor.
import { sql } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { randomToken, sha256 } from '../../platform/secrets.ts'
import { about, tooMany } from '../credentials/throttle.ts'
import { findActiveUser } from '../users/queries.ts'

type Account = Pick<Actor, 'company_id' | 'user_id'>

const minute = 60 * 1000
/**
 * Wrong codes are limited per account across all addresses, because the sender knows the password.
 * Steps are kept after they end, otherwise each new step would allow new guesses.
 */
export const stepLimits = { validMs: 10 * minute, codes: 5, accountCodes: 20, rememberedMs: 60 * minute }

const before = (now: Date, ms: number) => new Date(now.getTime() - ms)

export async function startStep({ db, now }: Context, { company_id, user_id }: Account) {
  const token = randomToken()
  const step = { token_hash: sha256(token), company_id, user_id, created_at: now }
  await db.insertInto('sign_in_steps').values(step).execute()
  return token
}

/** Unknown, used and expired steps get the same error. */
export async function findStep(db: Db, token: string, now: Date): Promise<Actor> {
  const step = await db
    .selectFrom('sign_in_steps')
    .select(['company_id', 'user_id'])
    .where('token_hash', '=', sha256(token))
    .where('created_at', '>', before(now, stepLimits.validMs))
    .where('attempts', '<', stepLimits.codes)
    .executeTakeFirst()
  const user = step && (await findActiveUser<{ totp_on_since: Date | null }>(db, step, sql`, u.totp_on_since`))
  if (!user?.totp_on_since) throw startAgain()
  const { totp_on_since: _, ...actor } = user
  return actor
}

/** Counts a code before it is checked. Locks the account, so that concurrent codes cannot exceed the limit. */
export const countCode = (db: Db, token: string, user: Account, now: Date) =>
  transaction(db, async (tx) => {
    const { company_id, user_id } = user
    await sql`select 1 from users where company_id = ${company_id} and id = ${user_id} for no key update`.execute(tx)
    const { wrong } = await tx
      .selectFrom('sign_in_steps')
      .select(({ fn }) => fn.sum<string | null>('attempts').as('wrong'))
      .where('company_id', '=', company_id)
      .where('user_id', '=', user_id)
      .where('created_at', '>', before(now, stepLimits.rememberedMs))
      .executeTakeFirstOrThrow()
    if (Number(wrong) >= stepLimits.accountCodes) {
      throw tooMany(stepLimits.rememberedMs / 1000, { audit: { ...about(user), action: 'session.throttled' } })
    }
    const counted = await tx
      .updateTable('sign_in_steps')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('token_hash', '=', sha256(token))
      .where('attempts', '<', stepLimits.codes)
      .executeTakeFirst()
    if (!counted.numUpdatedRows) throw startAgain()
  })

export async function endStep(db: Db, token: string) {
  const ended = await db.deleteFrom('sign_in_steps').where('token_hash', '=', sha256(token)).executeTakeFirst()
  if (!ended.numDeletedRows) throw startAgain()
}

export const endStepsOf = (db: Db, { company_id, user_id }: Account) =>
  db.deleteFrom('sign_in_steps').where('company_id', '=', company_id).where('user_id', '=', user_id).execute()

const startAgain = () =>
  new AppError(
    'unauthenticated',
    'This sign-in took too long or had too many wrong codes. Start again with your password.',
  )

export const pruneSignInSteps = (db: Db, now: Date) =>
  db.deleteFrom('sign_in_steps').where('created_at', '<', before(now, stepLimits.rememberedMs)).execute()
