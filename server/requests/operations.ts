import type { requests } from '../../contract/requests.ts'
import { actorOf } from '../kernel/context.ts'
import type { Handlers } from '../kernel/run.ts'
import { listRequestsOf } from './queries.ts'

export const requestOperations: Handlers<typeof requests> = {
  async listRequests(context, input) {
    return listRequestsOf(context.db, actorOf(context).company_id, input)
  },
}
