import { type Grant, type ObjectRights, type RecordRights, reaches, rightsOn } from '../../../contract/shared/access.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'

export type Rights = { is_admin: boolean; grants: Grant[]; records: RecordRights }

export const rolesOf = (context: Context) =>
  context.db
    .selectFrom('roles')
    .select(['id', 'name', 'description', 'is_admin', 'is_built_in', 'grants', 'records'])
    .where('company_id', '=', actorOf(context).company_id)

export async function findRole(context: Context, name: string) {
  const roles = await rolesOf(context).orderBy('id').execute()
  const role = roles.find((role) => role.name.toLowerCase() === name.toLowerCase())
  if (role) return { ...role, ...readRights(role) }
  const message = `Use one of: ${roles.map((role) => role.name).join(', ')}`
  throw new AppError('invalid_input', `There is no role named ${name}. ${message}`, {
    errors: [{ path: 'role', message }],
  })
}

/** Gives the text[] and jsonb columns the types of the contract. */
export const readRights = (row: { is_admin: boolean; grants: string[]; records: unknown }): Rights => ({
  is_admin: row.is_admin,
  grants: row.grants as Grant[],
  records: row.records as RecordRights,
})

/** Users can only assign, or act on, roles within their own rights. Otherwise members.manage could create an Admin. */
export function refuseAbove(actor: Actor, role: Rights & { name: string }, advice = 'Ask an Admin to do this.') {
  if (covers(actor, role)) return
  throw new AppError(
    'forbidden',
    `The role ${role.name} has more permissions than your role (${actor.role}). ${advice}`,
    {
      audit: {
        company_id: actor.company_id,
        actor_id: actor.user_id,
        action: 'access.refused',
        data: { role: role.name },
      },
    },
  )
}

export function covers(actor: Rights, role: Rights) {
  if (actor.is_admin) return true
  if (role.is_admin || !role.grants.every((grant) => actor.grants.includes(grant))) return false
  const objects = new Set([...Object.keys(actor.records), ...Object.keys(role.records)])
  return [...objects].every((object) => reachesAsFar(rightsOn(actor.records, object), rightsOn(role.records, object)))
}

function reachesAsFar(mine: ObjectRights, theirs: ObjectRights) {
  const far = (right: 'read' | 'edit' | 'delete') => reaches.indexOf(mine[right]) <= reaches.indexOf(theirs[right])
  return far('read') && far('edit') && far('delete') && (mine.create || !theirs.create)
}
