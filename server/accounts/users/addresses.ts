// Email addresses of users. A company assigns an address freely; it signs in once its owner has opened a link sent to it.

import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '../../kernel/app-error.ts'
import { forEachCompany } from '../../kernel/companies.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import { type Db, isUniqueViolation } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { toUser, usersOf } from './queries.ts'

/** Refuses an address used in this company. Must not reveal whether another company uses it. */
export async function refuseUsedEmail(context: Context, email: string) {
  const user = await usersOf(context).where('users.email', '=', email).executeTakeFirst()
  if (!user) return
  if (toUser(user).state === 'invited') {
    const words = `${user.name} is already invited. Open their page to create a new invitation link.`
    throw new AppError('conflict', words, {
      errors: [{ path: 'email', message: 'Already invited. Create a new link on their page' }],
    })
  }
  throw new AppError('conflict', `${user.name} already has this email address. Use another one.`, {
    errors: [{ path: 'email', message: 'This address is used by a member' }],
  })
}

/** Of two concurrent requests, the second fails with a unique violation when it writes. */
export const explainTaken = (error: unknown): never => {
  if (!isUniqueViolation(error, 'users_by_email')) throw error
  throw new AppError('conflict', 'A member of this company already has this email address. Use another one.', {
    errors: [{ path: 'email', message: 'This address is used by a member' }],
  })
}

/** An address signs in to one company only: the first whose link its owner opened. */
export async function claimEmail(
  db: Db,
  { company_id, user_id }: Pick<Actor, 'company_id' | 'user_id'>,
  email: string,
) {
  const previous = db.deleteFrom('sign_in_emails').where('company_id', '=', company_id).where('user_id', '=', user_id)
  await previous.execute()
  const claimed = await db
    .insertInto('sign_in_emails')
    .values({ email, company_id, user_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows) return
  throw new AppError(
    'conflict',
    `${email} already signs in to another company on this server. Ask for a link to another address.`,
  )
}

/** Whether an account has this address, even a deactivated one. Reveal it only to the owner of the address. */
export const isClaimed = async (db: Db, email: string) =>
  (await db.selectFrom('sign_in_emails').select('email').where('email', '=', email).executeTakeFirst()) !== undefined

/** Enough for any real company, but too few to send spam or to probe which addresses have accounts. */
const addressesADay = 200

/** Counts an unconfirmed address that the company entered. */
export async function countAddress({ db, now, ...context }: Context) {
  const { company_id } = actorOf(context)
  const { named } = await db
    .selectFrom('named_addresses')
    .select(({ fn }) => fn.countAll<string>().as('named'))
    .where('company_id', '=', company_id)
    .where('at', '>', new Date(now.getTime() - dayMs))
    .executeTakeFirstOrThrow()
  if (Number(named) >= addressesADay) {
    const words = `A company can invite ${addressesADay} people a day. Try again tomorrow.`
    throw new AppError('too_many_requests', words, { retryAfter: 60 * 60 })
  }
  await db.insertInto('named_addresses').values({ company_id, id: randomUUIDv7(), at: now }).execute()
}

export const pruneNamedAddresses = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) =>
    db
      .deleteFrom('named_addresses')
      .where('company_id', '=', id)
      .where('at', '<', new Date(now.getTime() - dayMs))
      .execute(),
  )
