import { timingSafeEqual } from 'node:crypto'
import { setUp } from '../../contract/set-up.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Caller, Context } from '../kernel/context.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import { sha256 } from '../kernel/secrets.ts'
import { hashPassword } from '../sessions/passwords.ts'
import { enter, findUserByEmail, signedIn } from '../sessions/queries.ts'
import { createCompany, hasUsers, lockUsers } from './queries.ts'

/** The token is the one in the link that the start printed; null once there is a user. */
export const setUpOperations = (token: string | null): Handlers<typeof setUp> => ({
  setUp: prepared(
    setUp.setUp,
    async (context, input) => {
      await refuseSecond(context)
      refuseStranger(context, input.token, token)
      return hashPassword(input.password)
    },
    async (context, { company_name, name, email }, password_hash) => {
      await lockUsers(context.db)
      await refuseSecond(context)
      await createCompany(context, { company_name, name, email, password_hash })
      const user = await findUserByEmail(context.db, email)
      await enter(context, user!)
      return signedIn(context.db, user!)
    },
  ),
})

async function refuseSecond({ db }: Context) {
  if (await hasUsers(db))
    throw new AppError('conflict', 'Kith is set up already. Sign in, or ask your Admin for an invitation.')
}

function refuseStranger({ web }: Caller, given: string | undefined, token: string | null) {
  if (web?.isLocal) return
  if (given && token && timingSafeEqual(sha256(given), sha256(token))) return
  const known = given ? 'This one-time link is not valid any more. Use the newest one' : 'Open the one-time link'
  throw new AppError('forbidden', `${known} that the start of the server printed in its terminal.`)
}
