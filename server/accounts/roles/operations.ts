import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Output } from '../../../contract/operation.ts'
import type { roles } from '../../../contract/roles.ts'
import { everything } from '../../../contract/shared/access.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import { pageIn } from '../../kernel/page.ts'
import type { Handlers } from '../../kernel/run.ts'
import { isUniqueViolation } from '../../platform/db.ts'
import { readRights, rolesOf } from './queries.ts'

type Role = Output<typeof roles.createRole>

export const roleOperations: Handlers<typeof roles> = {
  async listRoles(context, page) {
    const items = await withCounts(context)
      .orderBy('is_admin', 'desc')
      .orderBy('is_built_in', 'desc')
      .orderBy('id')
      .execute()
    if (may(actorOf(context), 'members.manage')) return pageIn(items.map(toRole), page)
    return pageIn(
      items.map(({ id, name }) => ({ id, name })),
      page,
    )
  },

  async createRole(context, { name, description, grants, records }) {
    const { company_id } = actorOf(context)
    await refuseTaken(context, name)
    const id = randomUUIDv7()
    await context.db
      .insertInto('roles')
      .values({ company_id, id, name, description, grants: [...new Set(grants)], records: JSON.stringify(records) })
      .execute()
      .catch(explainTaken(name))
    context.audit('role.created', { target_id: id, data: { name } })
    return getRole(context, id)
  },

  async updateRole(context, { id, ...wanted }) {
    const { company_id } = actorOf(context)
    const before = await getRole(context, id)
    if (before.is_built_in) throw builtIn(before.name)
    const fields = differences(before, wanted)
    if (!fields) return before
    if (wanted.name && wanted.name.toLowerCase() !== before.name.toLowerCase()) await refuseTaken(context, wanted.name)
    const { records, grants, ...plain } = wanted
    await context.db
      .updateTable('roles')
      .set({
        ...plain,
        ...(grants && { grants: [...new Set(grants)] }),
        ...(records && { records: JSON.stringify(records) }),
      })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute()
      .catch(explainTaken(wanted.name ?? before.name))
    context.changed({ object: 'roles', record_id: id, action: 'updated', fields })
    context.emit('role.updated', { role_id: id })
    context.audit('role.updated', { target_id: id, data: { name: before.name, fields: Object.keys(fields) } })
    return getRole(context, id)
  },

  async deleteRole(context, { id }) {
    const { company_id } = actorOf(context)
    const { name, is_built_in } = await getRole(context, id)
    if (is_built_in) throw builtIn(name)
    const holders = await context.db
      .selectFrom('users')
      .select('name')
      .where('company_id', '=', company_id)
      .where('role_id', '=', id)
      .where('removed_at', 'is', null)
      .limit(4)
      .execute()
    if (holders.length) {
      const names = holders.map((user) => user.name).slice(0, 3)
      const others = holders.length > 3 ? ' and others' : ''
      const verb = holders.length === 1 ? 'has' : 'have'
      throw new AppError(
        'conflict',
        `${names.join(', ')}${others} still ${verb} this role. Give them another role first.`,
      )
    }
    await moveRemovedUsers(context, id)
    await context.db.deleteFrom('roles').where('company_id', '=', company_id).where('id', '=', id).execute()
    context.audit('role.deleted', { target_id: id, data: { name } })
    return {}
  },
}

const builtIn = (name: string) =>
  new AppError('conflict', `${name} is a built-in role and cannot be changed. Duplicate it and edit the copy.`)

const taken = (name: string) =>
  new AppError('conflict', `A role named ${name} already exists. Choose another name.`, {
    errors: [{ path: 'name', message: 'This name is already used' }],
  })

async function refuseTaken(context: Context, name: string) {
  const same = await rolesOf(context).where(sql<string>`lower(name)`, '=', name.toLowerCase()).executeTakeFirst()
  if (same) throw taken(name)
}

const explainTaken = (name: string) => (error: unknown) => {
  throw isUniqueViolation(error, 'roles_company_id_name_key') ? taken(name) : error
}

/** Removed users keep their name in the history, and every user row needs a role. */
function moveRemovedUsers({ db, ...context }: Context, role_id: string) {
  const { company_id } = actorOf(context)
  return sql`update users set role_id = (select id from roles where company_id = ${company_id} and name = 'Member')
    where company_id = ${company_id} and role_id = ${role_id} and removed_at is not null`.execute(db)
}

const withCounts = (context: Context) =>
  rolesOf(context).select((eb) =>
    eb
      .selectFrom('users')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('users.company_id', '=', actorOf(context).company_id)
      .whereRef('users.role_id', '=', 'roles.id')
      .where('users.removed_at', 'is', null)
      .as('user_count'),
  )

async function getRole(context: Context, id: string) {
  const role = await withCounts(context).where('id', '=', id).executeTakeFirst()
  if (!role) throw new AppError('not_found', 'Role not found. List the roles to get their IDs.')
  return toRole(role)
}

type Row = Omit<Role, 'grants' | 'records' | 'user_count'> & {
  grants: string[]
  records: unknown
  user_count: number | null
}
const toRole = (row: Row): Role => {
  const rights = readRights(row)
  return { ...row, ...rights, ...(row.is_admin && { records: { '*': everything } }), user_count: row.user_count ?? 0 }
}
