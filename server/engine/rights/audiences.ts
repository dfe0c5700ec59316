// Who may read conversations. Every query for messages goes through this, also that of the timeline.
import { type Actor, actorOf, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'

export type Audiences = {
  /** The company's ID stands for the channels of the team, the ID of a personal channel for that one. */
  ids: string[]
  /** Those that no one else may read. */
  privateIds: Set<string>
}

export const audiencesOf = (context: Reader) => audiencesFor(context.db, actorOf(context))

/** Team channels, the caller's own and shared ones. Admins get no others. */
export async function audiencesFor(
  db: Db,
  { company_id, user_id }: Pick<Actor, 'company_id' | 'user_id'>,
): Promise<Audiences> {
  const params = new Params()
  const rows = await run<{ id: string; is_shared: boolean }>(
    db,
    `select id, is_shared from channels where company_id = ${params.add(company_id, 'uuid')} and deleted_at is null
      and owner_id is not null and (owner_id = ${params.add(user_id, 'uuid')} or is_shared)`,
    params,
  )
  return {
    ids: [company_id, ...rows.map(({ id }) => id)],
    privateIds: new Set(rows.filter(({ is_shared }) => !is_shared).map(({ id }) => id)),
  }
}
