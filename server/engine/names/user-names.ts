import { actorOf, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'

/** The names of users by ID, without removed users. */
export async function userNames(context: Pick<Reader, 'actor' | 'db'>, ids: string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const params = new Params()
  const rows = await run<{ id: string; name: string }>(
    context.db,
    `select id, name from users where company_id = ${params.add(actorOf(context).company_id, 'uuid')}
      and id = any(${params.add(ids, 'uuid[]')}) and removed_at is null`,
    params,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
