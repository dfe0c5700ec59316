// Conversations about a record that was merged into another one.
import { sql } from 'kysely'
import type { EventPayload } from '../../contract/events.ts'
import { type Db, transaction } from '../platform/db.ts'

type Merged = EventPayload<'record.merged'>

/** The links of the duplicates stay, so that undoing the merge needs nothing from here. */
export const linkMerged = (db: Db, company_id: string, { object, record_id, merged_ids }: Merged) =>
  transaction(db, async (tx) => {
    await sql`insert into conversation_links (company_id, record_id, conversation_id, object)
      select ${company_id}, ${record_id}::uuid, l.conversation_id, ${object} from conversation_links l
      where l.company_id = ${company_id} and l.record_id = any(${merged_ids}::uuid[])
      order by l.conversation_id on conflict do nothing`.execute(tx)
    await sql`update conversations c set participants = (
        select jsonb_agg(case when p ->> 'person_id' = any(${merged_ids}::text[])
          then p || jsonb_build_object('person_id', ${record_id}::text) else p end order by place)
        from jsonb_array_elements(c.participants) with ordinality e(p, place))
      where c.company_id = ${company_id} and c.participants <> '[]' and c.id in (
        select l.conversation_id from conversation_links l
        where l.company_id = ${company_id} and l.record_id = any(${merged_ids}::uuid[]))`.execute(tx)
  })
