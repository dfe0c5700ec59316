// Conversations about a record that was merged into another one. The links of the duplicates stay, with what moved.
import { sql } from 'kysely'
import type { EventPayload } from '../../../contract/shared/events.ts'
import { recalculate } from '../../engine/built-in/activities/last-activity.ts'
import { schemaOfCompany } from '../../engine/schema/schema.ts'
import { smallestId } from '../../kernel/first-id.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { asPerson, type Participant } from '../thread/conversation.ts'
import { oneLinkingAtATime, titlesById, waitForMessages } from '../thread/links.ts'
import { writeParticipants } from '../thread/participants.ts'

type Merged = EventPayload<'record.merged'>

/** A person of many conversations, such as the sender of a newsletter, is moved in steps. */
const step = 500

/** The conversations of the duplicates are those of the record that is kept. */
export const linkMerged = (db: Db, company_id: string, merged: Merged, now: Date) =>
  inSteps(db, async (tx, after) => {
    await oneLinkingAtATime(tx, company_id)
    await waitForMessages(tx, company_id)
    const ids = await noteMerged(tx, company_id, merged, after)
    await follow(tx, company_id, [merged.change_set_id], ids, now)
    return ids
  })

/** Merges that were undone, or undone and made again: their conversations follow. */
export const followMerged = (db: Db, company_id: string, change_set_ids: string[], now: Date) =>
  inSteps(db, async (tx, after) => {
    await oneLinkingAtATime(tx, company_id)
    const { rows } = await sql<{ id: string }>`
      select distinct conversation_id as id from conversation_links where company_id = ${company_id}
        and merged ->> 'change_set_id' = any(${change_set_ids}::text[]) and conversation_id > ${after}
      order by id limit ${step}`.execute(tx)
    const ids = rows.map(({ id }) => id)
    await follow(tx, company_id, change_set_ids, ids, now)
    return ids
  })

/** `work` returns the conversations of a step, in order. If a merge is undone meanwhile, another job follows that. */
async function inSteps(db: Db, work: (tx: Db, after: string) => Promise<string[]>) {
  for (let after: string | undefined = smallestId; after; ) {
    const from: string = after
    const ids: string[] = await transaction(db, (tx) => work(tx, from))
    after = ids.length === step ? ids.at(-1) : undefined
  }
}

/**
 * What there is to return if the merge is undone. Conversations with an address that the kept record got may already be
 * linked to it, with it as the participant.
 */
async function noteMerged(tx: Db, company_id: string, merged: Merged, after: string) {
  const { object, record_id, merged_ids, change_set_id, at } = merged
  const { rows } = await sql<{ id: string }>`
    select distinct conversation_id as id from conversation_links where company_id = ${company_id}
      and record_id = any(${merged_ids}::uuid[]) and conversation_id > ${after} order by id limit ${step}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`with found as (select l.conversation_id, l.record_id, not exists (select from conversation_links k
      where k.company_id = ${company_id} and k.record_id = ${record_id} and k.conversation_id = l.conversation_id
        and k.linked_at < ${at}::timestamptz) as is_new
      from conversation_links l where l.company_id = ${company_id} and l.record_id = any(${merged_ids}::uuid[])
        and l.conversation_id = any(${ids}::uuid[])
        and l.merged ->> 'change_set_id' is distinct from ${change_set_id}::text),
    noted as (select f.conversation_id, f.record_id, jsonb_build_object('into', ${record_id}::text,
      'change_set_id', ${change_set_id}::text, 'object', ${object}::text, 'is_new', f.is_new,
      'addresses', (select coalesce(jsonb_agg(p -> 'address'), '[]') from conversations c
        cross join lateral jsonb_array_elements(c.participants) p
        where c.company_id = ${company_id} and c.id = f.conversation_id and (p ->> 'person_id' = f.record_id::text
          or f.is_new and p ->> 'person_id' = ${record_id}::text and exists (select from records r
            cross join lateral jsonb_path_query(r.values, '$.** ? (@.type() == "string")') v
            where r.company_id = ${company_id} and r.id = f.record_id and lower(v #>> '{}') = p ->> 'address')))) as merged
      from found f)
    update conversation_links l set merged = n.merged
    from noted n where l.company_id = ${company_id} and l.record_id = n.record_id
      and l.conversation_id = n.conversation_id`.execute(tx)
  return ids
}

/** Only in these conversations. */
async function follow(tx: Db, company_id: string, change_set_ids: string[], ids: string[], now: Date) {
  if (!ids.length) return
  // Serializes with a concurrent undo.
  const { rows } = await sql<{ id: string; is_undone: boolean }>`
    select id, undone_by is not null as is_undone from change_sets
    where company_id = ${company_id} and id = any(${change_set_ids}::uuid[]) for share`.execute(tx)
  if (!rows.length) return
  await waitForMessages(tx, company_id)
  const [undone, made] = [true, false].map((wanted) =>
    rows.filter(({ is_undone }) => is_undone === wanted).map(({ id }) => id),
  )
  if (made!.length) await moveLinks(tx, company_id, made!, ids)
  if (undone!.length) await returnLinks(tx, company_id, undone!, ids, now)
}

async function moveLinks(tx: Db, company_id: string, sets: string[], ids: string[]) {
  // First, because messages lock conversations before they add links.
  await swapPeople(tx, company_id, sets, ids, (link) => ({ from: link.record_id, to: link.into }))
  await sql`insert into conversation_links (company_id, record_id, conversation_id, object)
    select ${company_id}, (merged ->> 'into')::uuid, conversation_id, merged ->> 'object' from conversation_links
    where company_id = ${company_id} and merged ->> 'change_set_id' = any(${sets}::text[])
      and conversation_id = any(${ids}::uuid[])
    order by conversation_id on conflict do nothing`.execute(tx)
}

/** Also of what was linked through the kept record, such as its deals. */
async function returnLinks(tx: Db, company_id: string, sets: string[], ids: string[], now: Date) {
  await swapPeople(tx, company_id, sets, ids, (link) => ({ from: link.into, to: link.record_id }))
  // Unless another duplicate that stays merged brought the conversation along, too.
  const { rows } = await sql<{ record_id: string }>`delete from conversation_links k using conversation_links l
    where k.company_id = ${company_id} and l.company_id = ${company_id} and l.merged ->> 'change_set_id' = any(${sets}::text[])
      and l.conversation_id = any(${ids}::uuid[])
      and k.conversation_id = l.conversation_id and (l.merged ->> 'is_new')::boolean
      and (k.record_id = (l.merged ->> 'into')::uuid or k.via = (l.merged ->> 'into')::uuid)
      and not exists (select from conversation_links o
        join change_sets s on s.company_id = ${company_id} and s.id = (o.merged ->> 'change_set_id')::uuid and s.undone_by is null
        where o.company_id = ${company_id} and o.conversation_id = l.conversation_id
          and o.merged ->> 'into' = l.merged ->> 'into')
    returning k.record_id`.execute(tx)
  const unlinked = [...new Set(rows.map(({ record_id }) => record_id))]
  const params = new Params()
  const schema = await schemaOfCompany(tx, company_id)
  if (unlinked.length) await run(tx, recalculate({ company_id }, schema, unlinked, now)(params), params)
}

type Moved = { conversation_id: string; record_id: string; into: string; addresses: string[] }

/** Participants who were a duplicate. */
async function swapPeople(
  tx: Db,
  company_id: string,
  sets: string[],
  ids: string[],
  swapOf: (link: Moved) => { from: string; to: string },
) {
  const { rows: links } = await sql<Moved>`
    select conversation_id, record_id, merged ->> 'into' as into, merged -> 'addresses' as addresses from conversation_links
    where company_id = ${company_id} and merged ->> 'change_set_id' = any(${sets}::text[])
      and conversation_id = any(${ids}::uuid[])`.execute(tx)
  const byConversation = Map.groupBy(links, ({ conversation_id }) => conversation_id)
  const { rows } = await sql<{ id: string; participants: Participant[] }>`
    select id, participants from conversations where company_id = ${company_id} and participants <> '[]'
      and id = any(${[...byConversation.keys()]}::uuid[]) order by id for update`.execute(tx)
  const people = [...new Set(links.map((link) => swapOf(link).to))]
  const titles = await titlesById(tx, company_id, people)
  const swapped = rows.map(({ id, participants }) => ({
    id,
    participants: participants.map((one) => {
      const link = byConversation
        .get(id)!
        .find((moved) => moved.addresses.includes(one.address) && one.person_id === swapOf(moved).from)
      const to = link && swapOf(link).to
      return to ? asPerson(one, { id: to, title: titles.get(to)! }) : one
    }),
  }))
  await writeParticipants(tx, company_id, swapped)
}
