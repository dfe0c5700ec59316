// Finds users by id or full name, all names of a call in one query. Only callers who manage members can use addresses.

import { nearestNames } from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { actorOf, may, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Match, mostMatches } from './match.ts'

const mostCompared = 1000
const mostUsers = 10_000

/** The matching users for each text. */
export async function usersNamed(context: Reader, texts: string[]): Promise<Match[][]> {
  if (!texts.length) return []
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const matching = (column: string, text: string, order: string) =>
    // A range in the order of an index makes PostgreSQL use that index, even for a table without statistics.
    `(select u.id, u.name as title, u.deactivated_at is null as is_active from users u
      where u.company_id = ${company} and u.removed_at is null and ${column} between ${text} and ${text}
      order by ${order} limit ${mostMatches})`
  const queries = [
    matching('lower(u.name)', 'lower(w.text)', 'lower(u.name), u.id'),
    ...(mayKnowAddresses(context) ? [matching('u.email', 'lower(w.text)', 'u.email')] : []),
    ...(texts.some(isId) ? [matching('u.id', 'w.id', 'u.id')] : []),
  ]
  const ids = texts.map((text) => (isId(text) ? text : null))
  const rows = await run<Match & { n: number }>(
    context.db,
    `select w.n::int - 1 as n, u.* from unnest(${params.add(texts, 'text[]')}, ${params.add(ids, 'uuid[]')})
      with ordinality w(text, id, n) cross join lateral (${queries.join(' union ')}) u order by w.n, u.id`,
    params,
  )
  const byText = Map.groupBy(rows, ({ n }) => n)
  return texts.map((_, n) => (byText.get(n) ?? []).slice(0, mostMatches))
}

/** Everyone who can own a record, also if they can no longer sign in. */
export async function allUsers(context: Reader): Promise<{ id: string; title: string }[]> {
  const params = new Params()
  return run<{ id: string; title: string }>(
    context.db,
    `select id, name as title from users where company_id = ${params.add(actorOf(context).company_id, 'uuid')}
      and removed_at is null order by id limit ${mostUsers}`,
    params,
  )
}

const mayKnowAddresses = ({ actor }: Reader) => may(actor, 'members.manage')

/** The names most similar to each text. */
export async function nearestUsers(context: Reader, texts: string[]): Promise<string[][]> {
  if (!texts.length) return []
  const params = new Params()
  const users = await run<{ name: string; email: string | null }>(
    context.db,
    `select name, email from users where company_id = ${params.add(actorOf(context).company_id, 'uuid')}
      and removed_at is null and deactivated_at is null order by lower(name) limit ${mostCompared}`,
    params,
  )
  const byAddress = mayKnowAddresses(context)
  const names = users.map(({ name, email }) => ({ key: name, label: (byAddress && email) || name }))
  return texts.map((text) => [...new Set(nearestNames(text, names))])
}
