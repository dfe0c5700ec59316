import { sql } from 'kysely'
import type { members } from '../../../contract/members.ts'
import { passOnSubscriptionsOf } from '../../engine/subscriptions/save.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import { newestFirst } from '../../kernel/page.ts'
import type { Handlers } from '../../kernel/run.ts'
import { escapeLike } from '../../kernel/statement.ts'
import { removePicture } from '../../pictures/queries.ts'
import { forgetTwoFactorOf } from '../credentials/two-factor.ts'
import type { LinkServices } from '../links/queries.ts'
import { findRole, refuseAbove } from '../roles/queries.ts'
import { endSessionsOf } from '../sessions/queries.ts'
import { addUser } from '../users/add-user.ts'
import { explainTaken } from '../users/addresses.ts'
import {
  findActorById,
  findUser,
  forManagers,
  hasNotJoined,
  holdLastAdmin,
  reachable,
  toUser,
  type User,
  usersOf,
  withPendingEmails,
} from '../users/queries.ts'
import { changeEmail } from './change-email.ts'

export const memberOperations = (services: LinkServices): Handlers<typeof members> => ({
  async createUser(context, { name, kind, email, role }) {
    if (kind === 'person' && !email) throw refused('email', 'A person needs an email address to sign in')
    if (kind === 'agent' && email) throw refused('email', 'Agents do not sign in. Omit email')
    const id = await addUser(
      context,
      { name, kind, email: email ?? null, role },
      kind === 'agent' ? actorOf(context).user_id : null,
    )
    return forManagers(await findUser(context, id))
  },

  async getUser(context, { id }) {
    return shown(context, await findUser(context, id))
  },

  async updateUser(context, { id, name, email }) {
    const user = await reachable(context, id)
    if (email && user.kind === 'agent') throw refused('email', 'Agents do not sign in. Omit email')
    const changing = email === undefined ? undefined : await changeEmail(services, context, user, email)
    const fields = differences(user, { name, ...(changing?.isNow && { email }) })
    if (fields) {
      const values = Object.fromEntries(Object.entries(fields).map(([field, { to }]) => [field, to]))
      await set(context, id, values).catch(explainTaken)
      context.changed({ object: 'users', record_id: id, action: 'updated', fields })
      context.emit('user.updated', { user_id: id })
      context.audit('user.updated', { target_id: id, data: { fields: Object.keys(fields) } })
    }
    const confirmation = changing?.confirmation ?? null
    const pending = confirmation && { pending_email: email! }
    return { user: forManagers({ ...(await findUser(context, id)), ...pending }), confirmation }
  },

  async updateUserRole(context, { id, role }) {
    const wanted = await findRole(context, role)
    refuseAbove(actorOf(context), wanted)
    if (!wanted.is_admin) await holdLastAdmin(context, id)
    const user = await reachable(context, id)
    if (user.role === wanted.name) return forManagers(user)
    await set(context, id, { role_id: wanted.id })
    const fields = { role: { from: user.role, to: wanted.name } }
    context.changed({ object: 'users', record_id: id, action: 'updated', fields })
    context.emit('user.role_changed', { user_id: id, role: wanted.name })
    context.emit('user.access_changed', { user_id: id })
    context.audit('user.role_changed', { target_id: id, data: { from: user.role, to: wanted.name } })
    return forManagers({ ...user, role: wanted.name })
  },

  async deleteUserTwoFactor(context, { id }) {
    const user = await reachable(context, id)
    if (id === actorOf(context).user_id) {
      throw new AppError(
        'conflict',
        'To turn off your own two-factor sign-in, go to Profile, Security and enter your password.',
      )
    }
    if (!user.totp_on_since) return forManagers(user)
    await forgetTwoFactorOf(context.db, { company_id: actorOf(context).company_id, user_id: id })
    context.emit('user.account_changed', { user_id: id, what: 'two_factor_off' })
    context.audit('two_factor.turned_off', { target_id: id })
    return forManagers({ ...user, totp_on_since: null })
  },

  async deactivateUser(context, { id, reassign_to }) {
    const user = await leaving(context, id)
    const successor = await successorOf(context, id, reassign_to)
    if (user.state === 'deactivated') return forManagers(user)
    await set(context, id, { deactivated_at: context.now })
    await lockOut(context, id)
    await passOnSubscriptions(context, id, successor)
    context.emit('user.deactivated', { user_id: id, reassign_to: successor })
    context.audit('user.deactivated', { target_id: id, data: { reassign_to: successor } })
    return forManagers(await findUser(context, id))
  },

  async reactivateUser(context, { id }) {
    const user = await reachable(context, id)
    if (user.state !== 'deactivated') return forManagers(user)
    await set(context, id, { deactivated_at: null })
    context.audit('user.reactivated', { target_id: id })
    return forManagers(await findUser(context, id))
  },

  async deleteUser(context, { id, reassign_to }) {
    const user = await leaving(context, id)
    const successor = await successorOf(context, id, reassign_to)
    const { company_id } = actorOf(context)
    await lockOut(context, id)
    await forgetTwoFactorOf(context.db, { company_id, user_id: id })
    await passOnSubscriptions(context, id, successor)
    for (const table of ['sign_in_emails', 'passkeys', 'account_links', 'notifications'] as const)
      await context.db.deleteFrom(table).where('company_id', '=', company_id).where('user_id', '=', id).execute()
    if (user.picture_id) await removePicture(context.db, company_id, user.picture_id)
    await set(context, id, {
      removed_at: context.now,
      email: null,
      password_hash: null,
      picture_id: null,
    })
    context.emit('user.removed', { user_id: id, reassign_to: successor })
    context.audit('user.removed', { target_id: id, data: { name: user.name, reassign_to: successor } })
    return {}
  },

  async listUsers(context, { state, kind, q, ...page }) {
    let rows = usersOf(context)
    if (state !== 'all') rows = rows.where('users.deactivated_at', state === 'deactivated' ? 'is not' : 'is', null)
    if (state === 'invited') rows = rows.where(hasNotJoined, '=', true)
    if (state === 'active') rows = rows.where(hasNotJoined, '=', false)
    if (kind) rows = rows.where('users.kind', '=', kind)
    if (q) rows = rows.where(matches(q, may(actorOf(context), 'members.manage')))
    const { items, next_cursor } = await newestFirst(rows, 'users.id', page)
    const users = await withPendingEmails(context, items.map(toUser))
    return { items: users.map((user) => shown(context, user)), next_cursor }
  },
})

/** Matches part of the name and, for callers who may see email addresses, part of the address. */
function matches(search: string, withEmail: boolean) {
  const pattern = `%${escapeLike(search)}%`
  const byName = sql<boolean>`users.name ilike ${pattern}`
  return withEmail ? sql<boolean>`(${byName} or users.email ilike ${pattern})` : byName
}

const shown = (context: Context, user: User) => {
  if (may(actorOf(context), 'members.manage')) return forManagers(user)
  const { id, name, kind, role, state, picture_id, away_from, away_until } = user
  return { id, name, kind, role, state, picture_id, away_from, away_until }
}

async function leaving(context: Context, id: string) {
  await holdLastAdmin(context, id)
  return reachable(context, id)
}

async function successorOf(context: Context, leaving: string, wanted: string | undefined) {
  const successor = wanted ?? actorOf(context).user_id
  if (successor === leaving) {
    throw refused('reassign_to', 'Choose another user: the records cannot stay with the user who is leaving')
  }
  const user = await usersOf(context)
    .where('users.id', '=', successor)
    .where('users.deactivated_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw refused('reassign_to', 'Choose an active user of this company')
  return successor
}

/** Webhooks go on only with a successor who may manage them. */
async function passOnSubscriptions(context: Context, leaving: string, successor: string) {
  const actor = await findActorById(context.db, actorOf(context).company_id, successor)
  await passOnSubscriptionsOf(context, leaving, actor && may(actor, 'webhooks.manage') ? actor : undefined)
}

/** Ends the user's keys and sessions, and any sign-in or link that is still open. */
async function lockOut(context: Context, user_id: string) {
  const { company_id, user_id: deleted_by } = actorOf(context)
  await endSessionsOf(context.db, { company_id, user_id })
  await context.db
    .updateTable('api_keys')
    .set({ deleted_at: context.now, deleted_by })
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .execute()
  for (const table of ['account_links', 'sign_in_steps', 'sign_in_devices'] as const)
    await context.db.deleteFrom(table).where('company_id', '=', company_id).where('user_id', '=', user_id).execute()
  context.emit('user.access_changed', { user_id })
}

const set = (context: Context, id: string, values: object) =>
  context.db
    .updateTable('users')
    .set(values)
    .where('company_id', '=', actorOf(context).company_id)
    .where('id', '=', id)
    .execute()
