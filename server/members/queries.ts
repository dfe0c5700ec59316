import type { Grant } from '../../contract/access.ts'
import { grants } from '../../contract/access.ts'
import type { me } from '../../contract/me.ts'
import type { Output } from '../../contract/operation.ts'
import type { Actor } from '../kernel/context.ts'

/** The columns of an actor, for the two queries that find one: by key and by session. */
export const actorColumns = `
  u.company_id, c.name as company_name,
  u.id as user_id, u.name, u.email, u.theme, r.name as role, r.is_admin, r.grants`
export const actorTables = `
  join users u on u.company_id = k.company_id and u.id = k.user_id and u.deactivated_at is null
  join roles r on r.company_id = u.company_id and r.id = u.role_id
  join companies c on c.id = u.company_id`

export const grantsOf = (actor: Pick<Actor, 'is_admin' | 'grants'>): Grant[] =>
  actor.is_admin ? [...grants] : actor.grants

export const meOf = (actor: Actor): Output<typeof me.whoami> => ({
  id: actor.user_id,
  name: actor.name,
  email: actor.email,
  role: actor.role,
  grants: grantsOf(actor),
  company_id: actor.company_id,
  company_name: actor.company_name,
  theme: actor.theme as 'system' | 'light' | 'dark',
})
