import { timingSafeEqual } from 'node:crypto'
import { setUp } from '../../../contract/set-up.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { noCompany } from '../../kernel/outbox.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Db } from '../../platform/db.ts'
import { sha256 } from '../../platform/secrets.ts'
import { isProvenByMail } from '../links/queries.ts'
import { hashPassword, refuseWeakPassword } from '../sessions/passwords.ts'
import { enter, findUserByEmail, signedIn } from '../sessions/queries.ts'
import { countAttempt, network, tooMany } from '../sessions/throttle.ts'
import { isClaimed } from '../users/addresses.ts'
import { findSignUpLink, takeSignUpLink } from './links.ts'
import { createCompany, hasUsers, lockUsers, type NewCompany } from './queries.ts'

type Services = { setUpToken: string | null; openSignup: boolean; mailer: Mailer }

/** The token is the one in the link that the start printed; null once there is a user. */
export const setUpOperations = ({ setUpToken, ...services }: Services): Handlers<typeof setUp> => ({
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
    async (context, input) => {
      const { db, now } = context
      refuseClosed(services)
      if (isProvenByMail(services)) await refuseUnproven(db, input, now)
      else await refuseFlood(context, 'sign-up')
      refuseWeakPassword(input.password, input)
      return hashPassword(input.password)
    },
    async (context, { token, ...company }, password_hash) => {
      if (isProvenByMail(services)) await takeSignUpLink(context.db, token ?? '')
      if (await isClaimed(context.db, company.email))
        throw new AppError('conflict', 'This e-mail address signs in to Kith already. Sign in, or use another one.')
      return found(context, { ...company, password_hash })
    },
  ),

  requestSignUp: prepared(
    setUp.requestSignUp,
    async (context, { email }) => {
      refuseClosed(services)
      if (!isProvenByMail(services))
        throw new AppError('conflict', 'This server sends no mail. Create the company without a link.')
      await refuseFlood(context, `sign-up ${email}`)
    },
    async (context, { email }) => {
      context.emit('sign_up.requested', { email }, noCompany)
      return {}
    },
  ),

  readSignUpLink: ({ db, now }, { token }) => findSignUpLink(db, token, now),
})

async function found(context: Context, company: NewCompany & { password?: string }) {
  const { password: _, ...values } = company
  await createCompany(context, values)
  const user = await findUserByEmail(context.db, values.email)
  await enter(context, user!)
  return signedIn(context.db, user!)
}

function refuseClosed({ openSignup }: Pick<Services, 'openSignup'>) {
  if (!openSignup) throw new AppError('forbidden', 'Sign-up is closed on this server. Ask for an invitation.')
}

/** Nothing is created for an address before its owner has followed the link to it. */
async function refuseUnproven(db: Db, { token, email }: { token?: string | undefined; email: string }, now: Date) {
  const proven = token && (await findSignUpLink(db, token, now))
  if (!proven || proven.email !== email)
    throw new AppError('forbidden', 'Confirm your e-mail address first: open the link that was sent to it.')
}

async function refuseFlood({ db, ip, now }: Context, email: string) {
  const attempt = await countAttempt(db, { email, ip: `sign-up ${network(ip)}`, now })
  if (attempt.refusal) throw tooMany(attempt.refusal.retryAfter)
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
