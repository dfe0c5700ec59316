import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { everything } from '../../../contract/access.ts'
import type { Output } from '../../../contract/operation.ts'
import type { roles } from '../../../contract/roles.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import type { Handlers } from '../../kernel/run.ts'
import { isUniqueViolation } from '../../platform/db.ts'
import { readRights, rolesOf } from './queries.ts'

type Role = Output<typeof roles.createRole>

export const roleOperations: Handlers<typeof roles> = {
  async listRoles(context) {
    const items = await withCounts(context)
      .orderBy('is_admin', 'desc')
      .orderBy('is_built_in', 'desc')
      .orderBy('id')
      .execute()
    if (may(actorOf(context), 'members.manage')) return { items: items.map(toRole) }
    return { items: items.map(({ id, name }) => ({ id, name })) }
  },

  async createRole(context, { name, description, grants, records }) {
    const { company_id } = actorOf(context)
    await refuseTaken(context, name)
    const id = randomUUIDv7()
    await context.db
      .insertInto('roles')
      .values({ company_id, id, name, description, grants: [...new Set(grants)], records: JSON.stringify(records) })
      .execute()
      .catch(tellTaken(name))
    context.audit('role.created', { target_id: id, data: { name } })
    return oneRole(context, id)
  },

  async updateRole(context, { id, ...wanted }) {
    const { company_id } = actorOf(context)
    const before = await oneRole(context, id)
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
      .catch(tellTaken(wanted.name ?? before.name))
    context.changed({ object: 'roles', record_id: id, action: 'updated', fields })
    context.emit('role.updated', { role_id: id })
    context.audit('role.updated', { target_id: id, data: { name: before.name, fields: Object.keys(fields) } })
    return oneRole(context, id)
  },

  async deleteRole(context, { id }) {
    const { company_id } = actorOf(context)
    const { name, is_built_in } = await oneRole(context, id)
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
      const more = holders.length > 3 ? ' and others' : ''
      throw new AppError('conflict', `${names.join(', ')}${more} still have this role. Give them another one first.`)
    }
    await moveRemovedUsers(context, id)
    await context.db.deleteFrom('roles').where('company_id', '=', company_id).where('id', '=', id).execute()
    context.audit('role.deleted', { target_id: id, data: { name } })
    return {}
  },
}

const builtIn = (name: string) =>
  new AppError('conflict', `${name} is built in and stays as it is. Duplicate it and change the copy.`)

const taken = (name: string) =>
  new AppError('conflict', `There is a role called ${name} already. Choose another name.`, {
    errors: [{ path: 'name', message: 'This name is taken' }],
  })

async function refuseTaken(context: Context, name: string) {
  const same = await rolesOf(context).where(sql<string>`lower(name)`, '=', name.toLowerCase()).executeTakeFirst()
  if (same) throw taken(name)
}

const tellTaken = (name: string) => (error: unknown) => {
  throw isUniqueViolation(error, 'roles_company_id_name_key') ? taken(name) : error
}

/** People who left keep their name in the history, and need some role as long as they do. */
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
      .whereRef('users.company_id', '=', 'roles.company_id')
      .whereRef('users.role_id', '=', 'roles.id')
      .where('users.removed_at', 'is', null)
      .as('user_count'),
  )

async function oneRole(context: Context, id: string) {
  const found = await withCounts(context).where('id', '=', id).executeTakeFirst()
  if (!found) throw new AppError('not_found', 'There is no such role. List the roles to find the id.')
  return toRole(found)
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
