import { sql } from 'kysely'
import { accountLinks } from '../../contract/account-links.ts'
import { AppError } from '../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../kernel/context.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import { sha256 } from '../kernel/secrets.ts'
import type { Mailer } from '../mail/mailer.ts'
import { actorColumns, actorTables, addUser, findUser, forManagers, reachable } from '../members/queries.ts'
import { hashPassword, refuseWeakPassword } from '../sessions/passwords.ts'
import { answerSignIn, endSessionsOf, setPassword } from '../sessions/queries.ts'
import { countAttempt, forgetFailures, network, tooMany } from '../sessions/throttle.ts'
import { createLink, endLinksOf, type LinkKind, linkUrl } from './queries.ts'

type House = { baseUrl: URL; mailer: Mailer }

/** Events of nobody's company: whether an address is known is found out behind the answer. */
const noCompany = '00000000-0000-0000-0000-000000000000'

export const accountLinkOperations = (house: House): Handlers<typeof accountLinks> => ({
  async inviteUser(context, { email, name, role, send }) {
    const { user_id: invited_by } = actorOf(context)
    await refuseManyInvitations(context)
    const id = await addUser(context, { name: name ?? nameFrom(email), kind: 'person', email, role }, invited_by)
    const made = await invite(house, context, id, send ? email : null)
    return { ...made, user: forManagers(await findUser(context, id)) }
  },

  async renewInvitation(context, { id, send }) {
    const user = await reachable(context, id)
    if (user.state !== 'invited') {
      throw new AppError('conflict', `${user.name} has joined already. Make a link for a new password instead.`)
    }
    await endLinksOf(context.db, { company_id: actorOf(context).company_id, user_id: id })
    return invite(house, context, id, send ? user.email : null)
  },

  async createResetLink(context, { id }) {
    const user = await reachable(context, id)
    if (user.kind === 'agent') throw new AppError('conflict', 'An agent has no password. Make a key for it instead.')
    if (user.state === 'deactivated')
      throw new AppError('conflict', `${user.name} is deactivated. Reactivate them first.`)
    if (user.state === 'invited') {
      throw new AppError('conflict', `${user.name} has not joined yet. Make a new invitation link instead.`)
    }
    context.audit('reset_link.created', { target_id: id })
    const { link, expires_at } = await makeLink(house, context, id, 'reset')
    return { link, expires_at, sent_to: null }
  },

  requestPasswordReset: prepared(accountLinks.requestPasswordReset, refuseFlood, async (context, { email }) => {
    context.emit('password.reset_requested', { email }, noCompany)
    return {}
  }),

  async readAccountLink(context, { token }) {
    const { kind, email, name, company_name } = await findLink(context, token)
    return { kind, email: email ?? '', name, company_name }
  },

  acceptInvitation: prepared(
    accountLinks.acceptInvitation,
    async (context, { token, name, password }) => {
      const { email, company_name } = await findLink(context, token, 'invitation')
      refuseWeakPassword(password, { email, name, company_name })
      return hashPassword(password)
    },
    async (context, { token, name }, hash) => {
      const user = await useLink(context, token, 'invitation')
      const { company_id, user_id } = user
      await setPassword(context.db, user, hash)
      await context.db
        .updateTable('users')
        .set({ name })
        .where('company_id', '=', company_id)
        .where('id', '=', user_id)
        .execute()
      context.emit('user.joined', { user_id, invited_by: user.created_by }, company_id)
      context.audit('user.joined', { target_id: user_id, by: user })
      return answerSignIn(context, { ...actorFrom(user), name })
    },
  ),

  resetPassword: prepared(
    accountLinks.resetPassword,
    async (context, { token, password }) => {
      const { email, name, company_name } = await findLink(context, token, 'reset')
      refuseWeakPassword(password, { email, name, company_name })
      return hashPassword(password)
    },
    async (context, { token }, hash) => {
      const user = await useLink(context, token, 'reset')
      const { company_id, user_id } = user
      await setPassword(context.db, user, hash)
      await forgetFailures(context.db, user.email)
      await endSessionsOf(context.db, user)
      context.emit('user.account_changed', { user_id, what: 'password' }, company_id)
      context.emit('user.access_changed', { user_id }, company_id)
      context.audit('password.reset', { target_id: user_id, by: user })
      return answerSignIn(context, actorFrom(user))
    },
  ),
})

/** Enough for any real company, and too few to use us for sending mail to strangers. */
const invitationsADay = 200

async function refuseManyInvitations({ db, now, ...context }: Context) {
  const { company_id } = actorOf(context)
  const dayAgo = new Date(now.getTime() - 24 * 60 * 60 * 1000)
  const invited = await db
    .selectFrom('users')
    .select('id')
    .where('company_id', '=', company_id)
    .where('invited_by', 'is not', null)
    .where('created_at', '>', dayAgo)
    .limit(invitationsADay)
    .execute()
  if (invited.length >= invitationsADay) throw tooMany(60 * 60)
}

/** A link to pass on by hand; where it is to be mailed and can be, the mail brings a link of its own. */
async function invite(house: House, context: Context, user_id: string, email: string | null) {
  const { company_id } = actorOf(context)
  const { id: link_id, ...made } = await makeLink(house, context, user_id, 'invitation')
  const send = email !== null && (await house.mailer.canSend(context.db, company_id))
  context.emit('user.invited', { user_id, link_id, send })
  context.audit('user.invited', { target_id: user_id, data: { mailing: send } })
  return { ...made, sent_to: send ? email : null }
}

async function makeLink({ baseUrl }: House, context: Context, user_id: string, kind: LinkKind) {
  const { company_id, user_id: created_by } = actorOf(context)
  const { id, token, expires_at } = await createLink(context.db, {
    company_id,
    user_id,
    kind,
    created_by,
    now: context.now,
  })
  return { id, link: linkUrl(baseUrl, kind, token), expires_at: expires_at.toISOString() }
}

const findable = (kind?: LinkKind) => (kind ? sql`and k.kind = ${kind}` : sql``)
type Found = Actor & { kind: LinkKind; created_by: string | null }

/** Whom a link lets in. Unknown, used and expired links get the same words. */
async function findLink({ db, now }: Context, token: string, kind?: LinkKind) {
  const { rows } = await sql<Found>`
    select null as api_key_id, ${sql.raw(actorColumns)}, k.kind, k.created_by
    from account_links k ${sql.raw(actorTables)}
    where k.token_hash = ${sha256(token)} and k.expires_at > ${now} ${findable(kind)}`.execute(db)
  if (rows[0]) return rows[0]
  throw new AppError('not_found', 'This link is not valid any more. Ask your Admin for a new one.')
}

/** Works once: the row is held, and all links of this user end with it. */
async function useLink(context: Context, token: string, kind: LinkKind) {
  const held = sql`select 1 from account_links where token_hash = ${sha256(token)} for update`
  await held.execute(context.db)
  const user = await findLink(context, token, kind)
  await endLinksOf(context.db, user)
  return user
}

const actorFrom = ({ kind: _, created_by: __, ...actor }: Found): Actor => ({ ...actor, kind: 'person' })

async function refuseFlood({ db, ip, now }: Context, { email }: { email: string }) {
  const attempt = await countAttempt(db, { email: `reset ${email}`, ip: `reset ${network(ip)}`, now })
  if (attempt.refusal) throw tooMany(attempt.refusal.retryAfter)
}

/** Until they say otherwise, people are called as their address says: ada.lovelace@... becomes Ada Lovelace. */
const nameFrom = (email: string) =>
  email
    .split('@')[0]!
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ')
    .slice(0, 100) || email
