// Who has which address: within a company at once, for signing in when its owner follows a link to it.
import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import { type Db, isUniqueViolation } from '../../platform/db.ts'
import { toUser, usersOf } from './queries.ts'

/** Within the company nobody has this address. Whether it signs in elsewhere is not for the company to know. */
export async function refuseOwn(context: Context, email: string) {
  const own = await usersOf(context).where('users.email', '=', email).executeTakeFirst()
  if (!own) return
  if (toUser(own).state === 'invited') {
    throw new AppError('conflict', `${own.name} is invited already. Open their page to make a new invitation link.`, {
      errors: [{ path: 'email', message: 'Invited already: make a new link on their page' }],
    })
  }
  throw new AppError('conflict', `${own.name} has this e-mail address already. Use another one.`, {
    errors: [{ path: 'email', message: 'This address is used by a member' }],
  })
}

/** For two at once: the second finds the address used when it is written. */
export const explainTaken = (error: unknown): never => {
  if (!isUniqueViolation(error, 'users_by_email')) throw error
  throw new AppError('conflict', 'A member of this company has this e-mail address already. Use another one.', {
    errors: [{ path: 'email', message: 'This address is used by a member' }],
  })
}

/** One address signs in to one company, across all companies: that whose link its owner followed first. */
export async function claimEmail(
  db: Db,
  { company_id, user_id }: Pick<Actor, 'company_id' | 'user_id'>,
  email: string,
) {
  const own = db.deleteFrom('sign_in_emails').where('company_id', '=', company_id).where('user_id', '=', user_id)
  await own.execute()
  const claimed = await db
    .insertInto('sign_in_emails')
    .values({ email, company_id, user_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows) return
  throw new AppError(
    'conflict',
    `${email} already signs in to another company here. Ask for a link to another address.`,
  )
}

/** Whether someone signs in with this address, or did and is deactivated. For the owner of the address to know. */
export const isClaimed = async (db: Db, email: string) =>
  (await db.selectFrom('sign_in_emails').select('email').where('email', '=', email).executeTakeFirst()) !== undefined

const day = 24 * 60 * 60 * 1000
/** Enough for any real company, and too few to send mail to strangers or to find out who is here. */
const addressesADay = 200

/** Counts an address that the company names and that nobody has confirmed. */
export async function countAddress({ db, now, ...context }: Context) {
  const { company_id } = actorOf(context)
  const { named } = await db
    .selectFrom('named_addresses')
    .select(({ fn }) => fn.countAll<string>().as('named'))
    .where('company_id', '=', company_id)
    .where('at', '>', new Date(now.getTime() - day))
    .executeTakeFirstOrThrow()
  if (Number(named) >= addressesADay) {
    const words = `A company can invite ${addressesADay} people a day. Try again tomorrow.`
    throw new AppError('too_many_requests', words, { retryAfter: 60 * 60 })
  }
  await db.insertInto('named_addresses').values({ company_id, id: randomUUIDv7(), at: now }).execute()
}

export const pruneNamedAddresses = (db: Db, now: Date) =>
  db
    .deleteFrom('named_addresses')
    .where('at', '<', new Date(now.getTime() - day))
    .execute()
