import type { me } from '../../contract/me.ts'
import type { members } from '../../contract/members.ts'
import { actorOf, may } from '../kernel/context.ts'
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
  async listUsers(context, page) {
    const actor = actorOf(context)
    const users = context.db
      .selectFrom('users')
      .innerJoin('roles', (join) =>
        join.onRef('roles.company_id', '=', 'users.company_id').onRef('roles.id', '=', 'users.role_id'),
      )
      .select(['users.id', 'users.name', 'users.email', 'roles.name as role'])
      .where('users.company_id', '=', actor.company_id)
      .where('users.deactivated_at', 'is', null)
    const { items, next_cursor } = await newestFirst(users, 'users.id', page)
    if (may(actor, 'members.manage')) return { items, next_cursor }
    return { items: items.map(({ email: _, ...user }) => user), next_cursor }
  },
}
