import type { me } from '../../contract/me.ts'
import { actorOf, type Context, type Patch } from '../kernel/context.ts'
import { differences } from '../kernel/differences.ts'
import type { Handlers } from '../kernel/run.ts'
import { replacePicture } from '../pictures/queries.ts'
import { listRequestsOf } from '../requests/queries.ts'
import { meOf } from './queries.ts'

export const meOperations: Handlers<typeof me> = {
  async whoami(context) {
    return meOf(actorOf(context))
  },

  async updateMe(context, input) {
    const actor = actorOf(context)
    const fields = differences(actor, input)
    if (!fields) return meOf(actor)
    await set(context, input, fields)
    return meOf({ ...actor, ...input })
  },

  async setMyPicture(context, { image }) {
    const actor = actorOf(context)
    const picture_id = await replacePicture(context, actor.picture_id, image)
    await set(context, { picture_id }, { picture_id: { from: actor.picture_id, to: picture_id } })
    return meOf({ ...actor, picture_id })
  },

  async listMyRequests(context, page) {
    const { company_id, user_id } = actorOf(context)
    return listRequestsOf(context.db, company_id, { user_id, ...page })
  },
}

async function set(context: Context, values: object, fields: Patch) {
  const { company_id, user_id } = actorOf(context)
  await context.db
    .updateTable('users')
    .set(values)
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .execute()
  context.changed({ object: 'users', record_id: user_id, action: 'updated', fields })
  context.emit('user.updated', { user_id })
  context.audit('user.updated', { target_id: user_id, data: { fields: Object.keys(fields) } })
}
