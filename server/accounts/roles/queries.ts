import { type Grant, type ObjectRights, type RecordRights, reaches, rightsOn } from '../../../contract/access.ts'
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
  const found = roles.find((role) => role.name.toLowerCase() === name.toLowerCase())
  if (found) return { ...found, ...readRights(found) }
  const message = `Use one of: ${roles.map((role) => role.name).join(', ')}`
  throw new AppError('invalid_input', `There is no role called ${name}. ${message}`, {
    errors: [{ path: 'role', message }],
  })
}

/** Columns as the contract means them: text[] and jsonb know nothing of our names. */
export const readRights = (row: { is_admin: boolean; grants: string[]; records: unknown }): Rights => ({
  is_admin: row.is_admin,
  grants: row.grants as Grant[],
  records: row.records as RecordRights,
})

/** Nobody gives, or acts on, more rights than they hold: else members.manage would be a way to become Admin. */
export function refuseAbove(actor: Actor, role: Rights & { name: string }) {
  if (covers(actor, role)) return
  throw new AppError(
    'forbidden',
    `The role ${role.name} has rights that yours (${actor.role}) has not. Ask an Admin to do this.`,
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
