import { session } from '../../../contract/session.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { pageIn } from '../../kernel/page.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Vault } from '../../platform/vault.ts'
import { checkPassword, tryPassword } from '../credentials/check-password.ts'
import { hashPassword, refuseWeakPassword } from '../credentials/passwords.ts'
import { about } from '../credentials/throttle.ts'
import { isProvenByMail } from '../links/queries.ts'
import {
  aliveSince,
  answerSignIn,
  deleteSession,
  endSessionsOf,
  replacePassword,
  setPassword,
  signedIn,
  startAfresh,
} from '../sessions/queries.ts'
import { hasUsers } from '../set-up/queries.ts'
import { findUserByEmail } from '../users/queries.ts'
import { completeSignIn } from './second-step.ts'

type Services = { mailer: Mailer; openSignup: boolean; vault: Vault }

export const sessionOperations = ({ mailer, openSignup, vault }: Services): Handlers<typeof session> => ({
  async getSession({ db, actor, web }) {
    if (actor) return signedIn(db, actor)
    if (!(await hasUsers(db))) return { state: 'set_up', open: web?.isLocal ?? false }
    return { state: 'signed_out', mails: await mailer.canSendAny(db), sign_up: signUpWay({ mailer, openSignup }) }
  },

  signIn: prepared(session.signIn, checkSignIn, async (context, _input, { user, newHash }) => {
    if (newHash) await setPassword(context.db, user, newHash)
    return answerSignIn(context, user)
  }),

  completeSignIn: completeSignIn(vault),

  async signOut(context) {
    const { user_id } = actorOf(context)
    if (context.web?.token) await deleteSession(context.db, context.web.token)
    context.web?.end()
    context.emit('user.access_changed', { user_id })
    context.audit('session.ended', { target_id: user_id })
    return {}
  },

  async listSessions(context, page) {
    const rows = await ownSessions(context)
    const current = context.web?.token ? sha256(context.web.token) : null
    const sessions = rows.map(({ token_hash, created_at, last_seen_at, user_agent, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      last_seen_at: last_seen_at.toISOString(),
      client: user_agent,
      is_current: current?.equals(token_hash) ?? false,
    }))
    return pageIn(sessions, page)
  },

  async deleteSession(context, { id }) {
    const { company_id, user_id } = actorOf(context)
    const ended = await context.db
      .deleteFrom('sessions')
      .where('company_id', '=', company_id)
      .where('user_id', '=', user_id)
      .where('id', '=', id)
      .returning('token_hash')
      .executeTakeFirst()
    if (!ended) throw new AppError('not_found', 'This session does not exist or has ended. Reload the list.')
    if (context.web?.token && ended.token_hash.equals(sha256(context.web.token))) context.web.end()
    context.emit('user.access_changed', { user_id })
    context.audit('session.ended', { target_id: user_id })
    return {}
  },

  async signOutEverywhere(context) {
    const actor = actorOf(context)
    await endSessionsOf(context.db, actor)
    context.web?.end()
    context.emit('user.access_changed', { user_id: actor.user_id })
    context.audit('sessions.ended', { target_id: actor.user_id })
    return {}
  },

  updatePassword: prepared(
    session.updatePassword,
    async (context, { current_password, new_password }) => {
      refuseWeakPassword(new_password, actorOf(context), 'new_password')
      await checkPassword(context, current_password)
      return hashPassword(new_password)
    },
    async (context, _input, newHash) => {
      const actor = actorOf(context)
      await replacePassword(context.db, actor, newHash)
      await startAfresh(context, actor)
      context.emit('user.account_changed', { user_id: actor.user_id, what: 'password' })
      context.audit('password.changed', { target_id: actor.user_id })
      return {}
    },
  ),
})

function signUpWay(services: Pick<Services, 'mailer' | 'openSignup'>) {
  if (!services.openSignup) return 'closed' as const
  return isProvenByMail(services) ? ('by_mail' as const) : ('open' as const)
}

async function checkSignIn(context: Context, { email, password }: { email: string; password: string }) {
  const user = await findUserByEmail(context.db, email)
  const { isRight, outdated } = await tryPassword(context, email, password, user)
  if (!user || !isRight) {
    const refused = user && { ...about(user), action: 'session.refused' as const }
    throw new AppError('unauthenticated', 'Incorrect email or password. Check both and try again.', {
      ...(refused && { audit: refused }),
    })
  }
  const { password_hash: _, ...actor } = user
  return { user: actor, newHash: outdated ? await hashPassword(password) : null }
}

function ownSessions({ now, db, ...caller }: Context) {
  const { company_id, user_id } = actorOf(caller)
  const alive = aliveSince(now)
  return db
    .selectFrom('sessions')
    .select(['id', 'token_hash', 'created_at', 'last_seen_at', 'ip', 'user_agent'])
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .where('last_seen_at', '>', alive.last_seen_at)
    .where('created_at', '>', alive.created_at)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}
