import { session } from '../../contract/session.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import { hasUsers } from '../set-up/queries.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { endSession, enter, findUserByEmail, signedIn } from './queries.ts'
import { countAttempt, tooMany } from './throttle.ts'

export const sessionOperations: Handlers<typeof session> = {
  async getSession(context) {
    if (context.actor) return signedIn(context.actor)
    if (await hasUsers(context.db)) return { state: 'signed_out' }
    return { state: 'set_up', open: context.web?.isLocal ?? false }
  },

  signIn: prepared(session.signIn, checkPassword, async (context, _input, { user, newHash }) => {
    const { company_id, user_id } = user
    if (newHash) {
      await context.db
        .updateTable('users')
        .set({ password_hash: newHash })
        .where('company_id', '=', company_id)
        .where('id', '=', user_id)
        .execute()
    }
    await enter(context, user)
    return signedIn(user)
  }),

  async signOut(context) {
    if (context.web?.token) await endSession(context.db, context.web.token)
    context.web?.end()
    context.audit('session.ended', { target_id: actorOf(context).user_id })
    return {}
  },
}

async function checkPassword(context: Context, { email, password }: { email: string; password: string }) {
  const { db, ip, now } = context
  const user = await findUserByEmail(db, email)
  const about = user && { company_id: user.company_id, actor_id: user.user_id, data: {} }
  const attempt = await countAttempt(db, { email, ip, now })
  if (attempt.refusal) {
    const { retryAfter, isFirst } = attempt.refusal
    throw tooMany(retryAfter, isFirst && about ? { audit: { ...about, action: 'session.throttled' } } : {})
  }
  const { isRight, outdated } = await verifyPassword(password, user?.password_hash ?? null)
  if (!user || !isRight) {
    throw new AppError('unauthenticated', 'E-mail or password is not right. Check both and try again.', {
      ...(about && { audit: { ...about, action: 'session.refused' } }),
    })
  }
  await attempt.undo()
  const { password_hash: _, ...actor } = user
  return { user: actor, newHash: outdated ? await hashPassword(password) : null }
}
