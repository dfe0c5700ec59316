// Conversations about a record that was merged into another one. The links of the duplicates stay, with what moved.
import { sql } from 'kysely'
import type { EventPayload } from '../../contract/events.ts'
import { type Db, transaction } from '../platform/db.ts'

type Merged = EventPayload<'record.merged'>

/** The conversations of the duplicates are those of the record that is kept. */
export const linkMerged = (db: Db, company_id: string, { object, record_id, merged_ids, change_set_id, at }: Merged) =>
  transaction(db, async (tx) => {
    // One that is no longer in the trash was restored since: the merge was undone.
    await sql`update conversation_links l set merged = jsonb_build_object('into', ${record_id}::text,
        'change_set_id', ${change_set_id}::text, 'object', ${object}::text,
        'is_new', not exists (select from conversation_links k where k.company_id = ${company_id}
          and k.record_id = ${record_id} and k.conversation_id = l.conversation_id and k.linked_at < ${at}::timestamptz),
        'addresses', (select coalesce(jsonb_agg(p -> 'address'), '[]') from conversations c
          cross join lateral jsonb_array_elements(c.participants) p
          where c.company_id = ${company_id} and c.id = l.conversation_id and p ->> 'person_id' = l.record_id::text))
      where l.company_id = ${company_id} and l.record_id in (select id from records
        where company_id = ${company_id} and id = any(${merged_ids}::uuid[]) and deleted_at is not null)`.execute(tx)
    await moveLinks(tx, company_id, merged_ids)
  })

/** A merge that was undone, or undone and made again: its conversations follow. */
export const followMerged = (db: Db, company_id: string, record_ids: string[]) =>
  transaction(db, async (tx) => {
    const { rows } = await sql<{ id: string; is_undone: boolean }>`
      select distinct l.record_id as id, s.undone_by is not null as is_undone from conversation_links l
      join change_sets s on s.company_id = ${company_id} and s.id = (l.merged ->> 'change_set_id')::uuid
      where l.company_id = ${company_id} and l.record_id = any(${record_ids}::uuid[]) and l.merged is not null`.execute(
      tx,
    )
    const [undone, made] = [true, false].map((wanted) =>
      rows.filter(({ is_undone }) => is_undone === wanted).map(({ id }) => id),
    )
    if (made!.length) await moveLinks(tx, company_id, made!)
    if (undone!.length) await returnLinks(tx, company_id, undone!)
  })

async function moveLinks(tx: Db, company_id: string, merged_ids: string[]) {
  await sql`insert into conversation_links (company_id, record_id, conversation_id, object)
    select ${company_id}, (l.merged ->> 'into')::uuid, l.conversation_id, l.merged ->> 'object' from conversation_links l
    where l.company_id = ${company_id} and l.record_id = any(${merged_ids}::uuid[]) and l.merged is not null
    order by l.conversation_id on conflict do nothing`.execute(tx)
  await swapPeople(tx, company_id, merged_ids, { from: sql`l.record_id::text`, to: sql`l.merged ->> 'into'` })
}

async function returnLinks(tx: Db, company_id: string, merged_ids: string[]) {
  await swapPeople(tx, company_id, merged_ids, { from: sql`l.merged ->> 'into'`, to: sql`l.record_id::text` })
  // Unless another duplicate that stays merged brought the conversation along, too.
  await sql`delete from conversation_links k using conversation_links l
    where k.company_id = ${company_id} and l.company_id = ${company_id} and l.record_id = any(${merged_ids}::uuid[])
      and k.record_id = (l.merged ->> 'into')::uuid and k.conversation_id = l.conversation_id and (l.merged ->> 'is_new')::boolean
      and not exists (select from conversation_links o where o.company_id = ${company_id}
        and o.conversation_id = l.conversation_id and o.record_id <> all(${merged_ids}::uuid[])
        and o.merged ->> 'into' = l.merged ->> 'into')`.execute(tx)
}

type Swap = { from: ReturnType<typeof sql>; to: ReturnType<typeof sql> }

/** Participants who were a duplicate. */
const swapPeople = (tx: Db, company_id: string, merged_ids: string[], { from, to }: Swap) =>
  sql`update conversations c set version = c.version + 1, participants = (
      select jsonb_agg(coalesce((select p || jsonb_build_object('person_id', ${to}) from conversation_links l
        where l.company_id = ${company_id} and l.conversation_id = c.id and l.record_id = any(${merged_ids}::uuid[])
          and l.merged -> 'addresses' ? (p ->> 'address') and p ->> 'person_id' = ${from} limit 1), p) order by place)
      from jsonb_array_elements(c.participants) with ordinality e(p, place))
    where c.company_id = ${company_id} and c.participants <> '[]' and c.id in (
      select l.conversation_id from conversation_links l where l.company_id = ${company_id}
        and l.record_id = any(${merged_ids}::uuid[]) and l.merged is not null)`.execute(tx)
