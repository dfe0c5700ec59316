import { randomUUIDv7 } from 'node:crypto'
import type { userKinds } from '../../../contract/members.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { findRole, refuseAbove } from '../roles/queries.ts'
import { countAddress, explainTaken, refuseUsedEmail } from './addresses.ts'

type NewUser = { name: string; kind: (typeof userKinds)[number]; email: string | null; role: string }

/** Adds a user without a password, with a role that the caller may give. */
export async function addUser(
  context: Context,
  { name, kind, email, role }: NewUser,
  invited_by: string | null = null,
) {
  const { company_id } = actorOf(context)
  const wanted = await findRole(context, role)
  refuseAbove(actorOf(context), wanted)
  if (email) await refuseUsedEmail(context, email)
  if (email) await countAddress(context)
  const id = randomUUIDv7()
  await context.db
    .insertInto('users')
    .values({ company_id, id, role_id: wanted.id, name, kind, email, invited_by, created_at: context.now })
    .execute()
    .catch(explainTaken)
  context.emit('user.created', { user_id: id })
  context.audit('user.created', { target_id: id, data: { role: wanted.name, kind } })
  return id
}
