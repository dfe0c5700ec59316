// Participants as a reader may see them: people whom the reader may not read have the name that is in their messages.

import { actorOf, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import { titlesOf } from '../names/find-titles.ts'
import { rightsFor } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'

export type Participant = { address: string; name: string | null; person_id: string | null }
type Having = { id: string; participants: Participant[] }

export async function withShownParticipants<T extends Having>(
  context: Pick<Reader, 'actor' | 'db'>,
  conversations: T[],
): Promise<T[]> {
  const actor = actorOf(context)
  const ids = conversations.flatMap(({ participants }) => participants.flatMap(({ person_id }) => person_id ?? []))
  if (!ids.length) return conversations
  const schema = await schemaOf(context.db, actor)
  const people = schema.builtIn.get('people')
  if (!people || rightsFor(actor, people.key).read === 'all') return conversations
  const readable = new Set((await titlesOf(context, schema, [...new Set(ids)], true)).map(({ id }) => id))
  const isHidden = ({ person_id }: Participant) => person_id !== null && !readable.has(person_id)
  const hidden = conversations.flatMap(({ id, participants }) =>
    participants.filter(isHidden).map(({ address }) => ({ id, address })),
  )
  const names = await namesInMessages(context.db, actor.company_id, hidden)
  const asShown = (id: string) => (one: Participant) =>
    isHidden(one) ? { address: one.address, name: names.get(`${id} ${one.address}`) ?? null, person_id: null } : one
  return conversations.map((one) => ({ ...one, participants: one.participants.map(asShown(one.id)) }))
}

/** What the newest message of each calls its sender. */
async function namesInMessages(db: Db, company_id: string, senders: { id: string; address: string }[]) {
  const names = new Map<string, string | null>()
  if (!senders.length) return names
  const params = new Params()
  const column = (of: (sender: { id: string; address: string }) => string, cast: string) =>
    params.add(senders.map(of), `${cast}[]`)
  const rows = await run<{ id: string; address: string; name: string | null }>(
    db,
    `select w.id, w.address, m.name from unnest(${column(({ id }) => id, 'uuid')}, ${column(({ address }) => address, 'text')}) w(id, address)
      cross join lateral (select m.from_name as name from messages m where m.company_id = ${params.add(company_id, 'uuid')}
        and m.conversation_id = w.id and m.direction = 'in' and m.from_address = w.address
        order by m.at desc, m.id desc limit 1) m`,
    params,
  )
  for (const { id, address, name } of rows) names.set(`${id} ${address}`, name)
  return names
}
