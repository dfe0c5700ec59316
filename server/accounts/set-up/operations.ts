import { timingSafeEqual } from 'node:crypto'
import { setUp } from '../../../contract/set-up.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { noCompany } from '../../kernel/outbox.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Db } from '../../platform/db.ts'
import { sha256 } from '../../platform/secrets.ts'
import { hashPassword, refuseWeakPassword } from '../credentials/passwords.ts'
import { countAttempt, network, tooMany } from '../credentials/throttle.ts'
import { isProvenByMail } from '../links/queries.ts'
import { enter, signedIn } from '../sessions/queries.ts'
import { isClaimed } from '../users/addresses.ts'
import { findUserByEmail } from '../users/queries.ts'
import { findSignUpLink, takeSignUpLink } from './links.ts'
import { createCompany, hasUsers, lockUsers, type NewCompany } from './queries.ts'

type Services = {
  setUpToken: string | null
  openSignup: boolean
  mailer: Mailer
  /** What the first page of a new company waits for. */
  whenReady?: ((db: Db, company_id: string) => Promise<void>) | undefined
}

/** `setUpToken`: from the one-time link that the server printed at startup; null once there is a user. */
export const setUpOperations = ({ setUpToken, whenReady, ...services }: Services): Handlers<typeof setUp> => ({
  setUp: {
    ...prepared(
      setUp.setUp,
      async (context, input) => {
        await refuseSetUpTwice(context)
        refuseStranger(context, input.token, setUpToken)
        refuseWeakPassword(input.password, input)
        return hashPassword(input.password)
      },
      async (context, { token: _, ...company }, password_hash) => {
        await lockUsers(context.db)
        await refuseSetUpTwice(context)
        return startCompany(context, { ...company, password_hash })
      },
    ),
    after: async (db, { company }) => whenReady?.(db, company.id),
  },

  signUp: {
    ...prepared(
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
          throw new AppError('conflict', 'This email address already has an account. Sign in or use another address.')
        return startCompany(context, { ...company, password_hash })
      },
    ),
    after: async (db, { company }) => whenReady?.(db, company.id),
  },

  requestSignUp: prepared(
    setUp.requestSignUp,
    async (context, { email }) => {
      refuseClosed(services)
      if (!isProvenByMail(services))
        throw new AppError('conflict', 'This server cannot send emails. Create the company without a link.')
      await refuseFlood(context, `sign-up ${email}`)
    },
    async (context, { email }) => {
      context.emit('sign_up.requested', { email }, noCompany)
      return {}
    },
  ),

  getSignUpLink: ({ db, now }, { token }) => findSignUpLink(db, token, now),
})

async function startCompany(context: Context, company: NewCompany & { password?: string }) {
  const { password: _, ...values } = company
  await createCompany(context, values)
  const user = await findUserByEmail(context.db, values.email)
  await enter(context, user!)
  return signedIn(context.db, user!)
}

function refuseClosed({ openSignup }: Pick<Services, 'openSignup'>) {
  if (!openSignup) throw new AppError('forbidden', 'Sign-up is closed on this server. Ask for an invitation.')
}

/** A company is created only after the owner of the address has opened the link sent to it. */
async function refuseUnproven(db: Db, { token, email }: { token?: string | undefined; email: string }, now: Date) {
  const proven = token && (await findSignUpLink(db, token, now))
  if (!proven || proven.email !== email)
    throw new AppError('forbidden', 'Confirm your email address first: open the link we sent to it.')
}

async function refuseFlood({ db, ip, now }: Context, email: string) {
  const attempt = await countAttempt(db, { email, ip: `sign-up ${network(ip)}`, now })
  if (attempt.refusal) throw tooMany(attempt.refusal.retryAfter)
}

async function refuseSetUpTwice({ db }: Context) {
  if (await hasUsers(db))
    throw new AppError('conflict', 'Kith is already set up. Sign in, or ask your Admin for an invitation.')
}

function refuseStranger({ web }: Caller, given: string | undefined, token: string | null) {
  if (web?.isLocal) return
  if (given && token && timingSafeEqual(sha256(given), sha256(token))) return
  throw new AppError(
    'forbidden',
    given
      ? 'This one-time link is no longer valid. Use the latest one printed in the terminal when the server started.'
      : 'Open the one-time link printed in the terminal when the server started.',
  )
}
