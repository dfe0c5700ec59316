import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** Removes a conversation that was begun for a message that was never sent. */
export async function removeIfEmpty(db: Db, company_id: string, id: string) {
  const { rows } = await sql`
    delete from conversations v where v.company_id = ${company_id} and v.id = ${id}
      and not exists (select from messages m where m.company_id = ${company_id} and m.conversation_id = ${id}
        and m.kind <> 'event' and m.state <> 'cancelled')
      and not exists (select from proposals p where p.company_id = ${company_id} and p.conversation_id = ${id}
        and p.state = 'waiting')
      and not exists (select from message_drafts d where d.company_id = ${company_id} and d.conversation_id = ${id})
    returning v.id`.execute(db)
  if (!rows.length) return
  for (const table of [
    'messages',
    'conversation_addresses',
    'conversation_links',
    'conversation_reads',
    'conversation_threads',
    'inbox_events',
    'conversation_openings',
  ])
    await sql`delete from ${sql.table(table)} where company_id = ${company_id} and conversation_id = ${id}`.execute(db)
}
