import type { Parsed } from '../../contract/operation.ts'
import { session } from '../../contract/session.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import { hasUsers } from '../set-up/queries.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { endSession, endSessionsOf, enter, findUserByEmail, setPassword, signedIn } from './queries.ts'
import { countAttempt, tooMany } from './throttle.ts'

export const sessionOperations: Handlers<typeof session> = {
  async getSession(context) {
    if (context.actor) return signedIn(context.db, context.actor)
    if (await hasUsers(context.db)) return { state: 'signed_out' }
    return { state: 'set_up', open: context.web?.isLocal ?? false }
  },

  signIn: prepared(session.signIn, checkSignIn, async (context, _input, { user, newHash }) => {
    if (newHash) await setPassword(context.db, user, newHash)
    await enter(context, user)
    return signedIn(context.db, user)
  }),

  async signOut(context) {
    if (context.web?.token) await endSession(context.db, context.web.token)
    context.web?.end()
    context.audit('session.ended', { target_id: actorOf(context).user_id })
    return {}
  },

  async signOutEverywhere(context) {
    const actor = actorOf(context)
    await endSessionsOf(context.db, actor)
    context.web?.end()
    context.audit('sessions.ended', { target_id: actor.user_id })
    return {}
  },

  changePassword: prepared(session.changePassword, checkCurrentPassword, async (context, _input, newHash) => {
    const actor = actorOf(context)
    await setPassword(context.db, actor, newHash)
    await endSessionsOf(context.db, actor)
    await enter(context, actor)
    context.audit('password.changed', { target_id: actor.user_id })
    return {}
  }),
}

async function checkSignIn(context: Context, { email, password }: { email: string; password: string }) {
  const user = await findUserByEmail(context.db, email)
  const { isRight, outdated } = await tryPassword(context, email, password, user)
  if (!user || !isRight) {
    const refused = user && { ...about(user), action: 'session.refused' as const }
    throw new AppError('unauthenticated', 'E-mail or password is not right. Check both and try again.', {
      ...(refused && { audit: refused }),
    })
  }
  const { password_hash: _, ...actor } = user
  return { user: actor, newHash: outdated ? await hashPassword(password) : null }
}

async function checkCurrentPassword(
  context: Context,
  { current_password, new_password }: Parsed<typeof session.changePassword>,
) {
  const { email } = actorOf(context)
  const { isRight } = await tryPassword(context, email, current_password, await findUserByEmail(context.db, email))
  if (!isRight) {
    throw new AppError('invalid_input', 'The current password is not right. Nothing was changed.', {
      errors: [{ path: 'current_password', message: 'This is not your current password' }],
    })
  }
  return hashPassword(new_password)
}

type User = NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>
const about = (user: User) => ({ company_id: user.company_id, actor_id: user.user_id, data: {} })

/** Compares a password, unless there were too many wrong ones of late. */
async function tryPassword({ db, ip, now }: Context, email: string, password: string, user: User | undefined) {
  const attempt = await countAttempt(db, { email, ip, now })
  if (attempt.refusal) {
    const { retryAfter, isFirst } = attempt.refusal
    throw tooMany(retryAfter, isFirst && user ? { audit: { ...about(user), action: 'session.throttled' } } : {})
  }
  const verdict = await verifyPassword(password, user?.password_hash ?? null)
  if (verdict.isRight) await attempt.undo()
  return verdict
}
