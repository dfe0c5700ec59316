import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { me } from '../../contract/me.ts'
import type { members } from '../../contract/members.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context, may } from '../kernel/context.ts'
import { differences } from '../kernel/differences.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import { meOf } from './queries.ts'

export const meOperations: Handlers<typeof me> = {
  async whoami(context) {
    return meOf(actorOf(context))
  },

  async updateMe(context, input) {
    const actor = actorOf(context)
    const fields = differences(actor, input)
    if (!fields) return meOf(actor)
    await context.db
      .updateTable('users')
      .set(input)
      .where('company_id', '=', actor.company_id)
      .where('id', '=', actor.user_id)
      .execute()
    context.changed({ object: 'users', record_id: actor.user_id, action: 'updated', fields })
    context.emit('user.updated', { user_id: actor.user_id })
    context.audit('user.updated', { target_id: actor.user_id, data: { fields: Object.keys(fields) } })
    return meOf({ ...actor, ...input })
  },
}

export const memberOperations: Handlers<typeof members> = {
  async createUser(context, { name, email, role }) {
    const { company_id } = actorOf(context)
    const { id: role_id } = await findRole(context, role)
    const id = randomUUIDv7()
    await context.db
      .insertInto('users')
      .values({ company_id, id, role_id, name, email, created_at: context.now })
      .execute()
    const taken = await context.db
      .insertInto('sign_in_emails')
      .values({ email, company_id, user_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!taken.numInsertedOrUpdatedRows) {
      throw new AppError('conflict', 'This e-mail address signs in to Kith already. Use another one.')
    }
    context.emit('user.created', { user_id: id })
    context.audit('user.created', { target_id: id, data: { role } })
    return { id, name, email, role }
  },

  async changeUserRole(context, { id, role }) {
    const { company_id } = actorOf(context)
    // All Admins are held, so that two demotions at once cannot each believe that the other Admin stays.
    const admins = await lockAdmins(context)
    const user = await findUser(context, id)
    const wanted = await findRole(context, role)
    if (admins.includes(id) && !wanted.is_admin && admins.length === 1) {
      throw new AppError('conflict', 'This is the last Admin. Make somebody else Admin first.')
    }
    if (user.role === wanted.name) return user
    await context.db
      .updateTable('users')
      .set({ role_id: wanted.id })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute()
    context.changed({
      object: 'users',
      record_id: id,
      action: 'updated',
      fields: { role: { from: user.role, to: wanted.name } },
    })
    context.emit('user.role_changed', { user_id: id, role: wanted.name })
    context.audit('user.role_changed', { target_id: id, data: { from: user.role, to: wanted.name } })
    return { ...user, role: wanted.name }
  },

  async listUsers(context, page) {
    const actor = actorOf(context)
    const { items, next_cursor } = await newestFirst(usersOf(context), 'users.id', page)
    if (may(actor, 'members.manage')) return { items, next_cursor }
    return { items: items.map(({ email: _, ...user }) => user), next_cursor }
  },
}

async function findRole(context: Context, name: string) {
  const { company_id } = actorOf(context)
  const roles = await context.db
    .selectFrom('roles')
    .select(['id', 'name', 'is_admin'])
    .where('company_id', '=', company_id)
    .execute()
  const found = roles.find((role) => role.name.toLowerCase() === name.toLowerCase())
  if (found) return found
  const message = `Use one of: ${roles.map((role) => role.name).join(', ')}`
  throw new AppError('invalid_input', `There is no role called ${name}. ${message}`, {
    errors: [{ path: 'role', message }],
  })
}

async function lockAdmins(context: Context) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ id: string }>`
    select u.id from users u join roles r on r.company_id = u.company_id and r.id = u.role_id
    where u.company_id = ${company_id} and r.is_admin and u.deactivated_at is null
    order by u.id for update of u`.execute(context.db)
  return rows.map((row) => row.id)
}

async function findUser(context: Context, id: string) {
  const found = await usersOf(context).where('users.id', '=', id).executeTakeFirst()
  if (!found) throw new AppError('not_found', 'There is no such user. List the users to find the id.')
  return found
}

const usersOf = (context: Context) =>
  context.db
    .selectFrom('users')
    .innerJoin('roles', (join) =>
      join.onRef('roles.company_id', '=', 'users.company_id').onRef('roles.id', '=', 'users.role_id'),
    )
    .select(['users.id', 'users.name', 'users.email', 'roles.name as role'])
    .where('users.company_id', '=', actorOf(context).company_id)
    .where('users.deactivated_at', 'is', null)
