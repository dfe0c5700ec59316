import { sql } from 'kysely'
import { accountLinks } from '../../../contract/account-links.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import { noCompany } from '../../kernel/outbox.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import { sha256 } from '../../platform/secrets.ts'
import { hashPassword, refuseWeakPassword } from '../credentials/passwords.ts'
import { countAttempt, forgetFailures, network, tooMany } from '../credentials/throttle.ts'
import { replacePassword, setPassword } from '../sessions/queries.ts'
import { addUser } from '../users/add-user.ts'
import { claimEmail, countAddress, explainTaken } from '../users/addresses.ts'
import { findActiveUser, findUser, forManagers, reachable } from '../users/queries.ts'
import { createLink, endLinksOf, type LinkKind, type LinkServices, linkUrl, offerLink } from './queries.ts'

export const accountLinkOperations = (services: LinkServices): Handlers<typeof accountLinks> => ({
  async inviteUser(context, { email, name, role, send }) {
    const { user_id: invited_by } = actorOf(context)
    const id = await addUser(context, { name: name ?? nameFrom(email), kind: 'person', email, role }, invited_by)
    const made = await invite(services, context, { user_id: id, email, send })
    return { ...made, user: forManagers(await findUser(context, id)) }
  },

  async renewInvitation(context, { id, send }) {
    const user = await reachable(context, id)
    if (user.state !== 'invited') {
      throw new AppError('conflict', `${user.name} has already joined. Create a password reset link instead.`)
    }
    await countAddress(context)
    await endLinksOf(context.db, { company_id: actorOf(context).company_id, user_id: id })
    return invite(services, context, { user_id: id, email: user.email!, send })
  },

  async createResetLink(context, { id }) {
    const user = await reachable(context, id)
    if (user.kind === 'agent') throw new AppError('conflict', 'Agents have no password. Create an API key instead.')
    if (user.state === 'deactivated')
      throw new AppError('conflict', `${user.name} is deactivated. Reactivate them first.`)
    if (user.state === 'invited') {
      throw new AppError('conflict', `${user.name} has not joined yet. Create a new invitation link instead.`)
    }
    context.audit('reset_link.created', { target_id: id })
    const { company_id, user_id: created_by } = actorOf(context)
    const { db, now } = context
    const { token, expires_at } = await createLink(db, { company_id, user_id: id, kind: 'reset', created_by, now })
    const link = linkUrl(services.baseUrl, 'reset', token)
    return { link, expires_at: expires_at.toISOString(), sent_to: null }
  },

  requestPasswordReset: prepared(accountLinks.requestPasswordReset, refuseFlood, async (context, { email }) => {
    context.emit('password.reset_requested', { email }, noCompany)
    return {}
  }),

  async getAccountLink(context, { token }) {
    const { kind, email, new_email, name, company_name } = await findLink(context, token)
    return { kind, email: new_email ?? email ?? '', name, company_name }
  },

  acceptInvitation: prepared(
    accountLinks.acceptInvitation,
    async (context, { token, name, password }) => {
      const { email, company_name } = await findLink(context, token, 'invitation')
      refuseWeakPassword(password, { email, name, company_name })
      return hashPassword(password)
    },
    async (context, { token, name }, hash) => {
      const user = await takeLink(context, token, 'invitation')
      const { company_id, user_id } = user
      await claimEmail(context.db, user, user.email!)
      await setPassword(context.db, user, hash)
      await context.db
        .updateTable('users')
        .set({ name })
        .where('company_id', '=', company_id)
        .where('id', '=', user_id)
        .execute()
      context.emit('user.joined', { user_id, invited_by: user.created_by }, company_id)
      context.audit('user.joined', { target_id: user_id, by: user })
      return {}
    },
  ),

  async confirmEmail(context, { token }) {
    const user = await takeLink(context, token, 'email')
    const { company_id, user_id, email: old_email, new_email } = user
    await claimEmail(context.db, user, new_email!)
    await context.db
      .updateTable('users')
      .set({ email: new_email })
      .where('company_id', '=', company_id)
      .where('id', '=', user_id)
      .execute()
      .catch(explainTaken)
    context.emit('user.updated', { user_id }, company_id)
    context.emit('user.account_changed', { user_id, what: 'email' }, company_id)
    if (old_email) context.emit('user.email_changed', { user_id, old_email }, company_id)
    context.audit('user.updated', { target_id: user_id, by: user, data: { fields: ['email'] } })
    return {}
  },

  resetPassword: prepared(
    accountLinks.resetPassword,
    async (context, { token, password }) => {
      const { email, name, company_name } = await findLink(context, token, 'reset')
      refuseWeakPassword(password, { email, name, company_name })
      return hashPassword(password)
    },
    async (context, { token }, hash) => {
      const user = await takeLink(context, token, 'reset')
      const { company_id, user_id } = user
      await replacePassword(context.db, user, hash)
      await forgetFailures(context.db, user.email)
      context.emit('user.account_changed', { user_id, what: 'password' }, company_id)
      context.emit('user.access_changed', { user_id }, company_id)
      context.audit('password.reset', { target_id: user_id, by: user })
      return {}
    },
  ),
})

async function invite(services: LinkServices, context: Context, to: { user_id: string; email: string; send: boolean }) {
  const made = await offerLink(services, context, { kind: 'invitation', ...to })
  const send = made.sent_to !== null
  context.emit('user.invited', { user_id: to.user_id, send })
  context.audit('user.invited', { target_id: to.user_id, data: { mailing: send } })
  return made
}

type LinkUser = Actor & { kind: LinkKind; created_by: string | null; new_email: string | null }

/** The user that a link gives access to. Unknown, used and expired links get the same error. */
async function findLink({ db, now }: Context, token: string, kind?: LinkKind): Promise<LinkUser> {
  const found = db
    .selectFrom('account_links')
    .select(['company_id', 'user_id', 'kind', 'created_by', 'email as new_email'])
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', now)
  const link = await (kind ? found.where('kind', '=', kind) : found).executeTakeFirst()
  const actor = link && (await findActiveUser(db, link))
  if (!link || !actor) throw new AppError('not_found', 'This link is no longer valid. Ask your Admin for a new one.')
  const { created_by, new_email } = link
  return { ...actor, kind: link.kind as LinkKind, created_by, new_email }
}

/** Works once: locks the link, then deletes all links of this user. */
async function takeLink(context: Context, token: string, kind: LinkKind) {
  const lock = sql`select 1 from account_links where token_hash = ${sha256(token)} for update`
  await lock.execute(context.db)
  const user = await findLink(context, token, kind)
  await endLinksOf(context.db, user)
  return user
}

async function refuseFlood({ db, ip, now }: Context, { email }: { email: string }) {
  const attempt = await countAttempt(db, { email: `reset ${email}`, ip: `reset ${network(ip)}`, now })
  if (attempt.refusal) throw tooMany(attempt.refusal.retryAfter)
}

/** The default name of someone who is invited by address: ada.lovelace@... becomes Ada Lovelace. */
const nameFrom = (email: string) =>
  email
    .split('@')[0]!
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ')
    .slice(0, 100) || email
