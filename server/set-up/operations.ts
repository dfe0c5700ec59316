import { timingSafeEqual } from 'node:crypto'
import { setUp } from '../../contract/set-up.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Caller, Context } from '../kernel/context.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import { sha256 } from '../kernel/secrets.ts'
import { hashPassword, refuseWeakPassword } from '../sessions/passwords.ts'
import { enter, findUserByEmail, signedIn } from '../sessions/queries.ts'
import { countAttempt, network, tooMany } from '../sessions/throttle.ts'
import { createCompany, hasUsers, lockUsers, type NewCompany } from './queries.ts'

type House = { setUpToken: string | null; openSignup: boolean }

/** The token is the one in the link that the start printed; null once there is a user. */
export const setUpOperations = ({ setUpToken, openSignup }: House): Handlers<typeof setUp> => ({
  setUp: prepared(
    setUp.setUp,
    async (context, input) => {
      await refuseSecond(context)
      refuseStranger(context, input.token, setUpToken)
      refuseWeakPassword(input.password, input)
      return hashPassword(input.password)
    },
    async (context, { token: _, ...company }, password_hash) => {
      await lockUsers(context.db)
      await refuseSecond(context)
      return found(context, { ...company, password_hash })
    },
  ),

  signUp: prepared(
    setUp.signUp,
    async ({ db, ip, now }, input) => {
      if (!openSignup)
        throw new AppError('forbidden', 'Companies are not created here by everybody. Ask for an invitation.')
      const attempt = await countAttempt(db, { email: 'sign-up', ip: `sign-up ${network(ip)}`, now })
      if (attempt.refusal) throw tooMany(attempt.refusal.retryAfter)
      refuseWeakPassword(input.password, input)
      return hashPassword(input.password)
    },
    async (context, company, password_hash) => {
      const taken = await findUserByEmail(context.db, company.email)
      if (taken)
        throw new AppError('conflict', 'This e-mail address signs in to Kith already. Sign in, or use another one.')
      return found(context, { ...company, password_hash })
    },
  ),
})

async function found(context: Context, company: NewCompany & { password?: string }) {
  const { password: _, ...values } = company
  await createCompany(context, values)
  const user = await findUserByEmail(context.db, values.email)
  await enter(context, user!)
  return signedIn(context.db, user!)
}

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
