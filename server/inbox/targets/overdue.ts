// Targets that were missed: reported once, and shown in the conversation.
import { sql } from 'kysely'
import { contextFor } from '../../kernel/act-as.ts'
import { smallestId } from '../../kernel/first-id.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { announceChanged } from '../access/announce.ts'
import { addEvent } from '../thread/thread-event.ts'
import { followOpenings } from '../thread/waiting-time.ts'

const step = 200

export async function reportOverdue(db: Db, company_id: string, now: Date) {
  for (let missed = step; missed === step; )
    missed = await transaction(db, async (tx) => {
      const { rows } = await sql<{ id: string; channel_id: string }>`
        select o.conversation_id as id, o.channel_id from conversation_openings o
        where o.company_id = ${company_id} and o.due_at <= ${now} order by o.due_at, o.id limit ${step}
        for update skip locked`.execute(tx)
      if (rows.length) await report(tx, company_id, rows, now)
      return rows.length
    })
}

type Missed = { id: string; audience: string; channel_id: string; response: boolean; resolution: boolean }

async function report(tx: Db, company_id: string, due: { id: string }[], now: Date) {
  const ids = due.map(({ id }) => id)
  // What is true now: hours, an answer or a snooze may have changed the times.
  await followOpenings(tx, company_id, ids, now)
  const { rows } = await sql<Missed>`
    with missed as (
      update conversation_openings o set due_at = null,
        response_missed_at = case when n.response then o.response_due_at else o.response_missed_at end,
        resolution_missed_at = case when n.resolution then o.resolution_due_at else o.resolution_missed_at end
      from (select id, conversation_id,
          response_missed_at is null and responded_at is null and response_due_at <= ${now} is true as response,
          resolution_missed_at is null and paused_at is null and resolution_due_at <= ${now} is true as resolution
        from conversation_openings where company_id = ${company_id} and conversation_id = any(${ids}::uuid[])
          and closed_at is null and due_at <= ${now}) n
      where o.company_id = ${company_id} and o.id = n.id
      returning o.conversation_id as id, n.response, n.resolution)
    select c.id, c.audience, c.channel_id, m.response, m.resolution from missed m
    join conversations c on c.company_id = ${company_id} and c.id = m.id`.execute(tx)
  const { context, write } = await contextFor(tx, { company_id, task: 'reportOverdue', now })
  for (const { response, resolution, ...one } of rows) {
    for (const target of [
      ...(response ? (['response'] as const) : []),
      ...(resolution ? (['resolution'] as const) : []),
    ]) {
      await addEvent(context, one, { type: 'target_missed', target })
      context.emit('conversation.overdue', { conversation_id: one.id, target })
    }
  }
  // The next target, if there is one.
  await followOpenings(tx, company_id, ids, now)
  if (rows.length) await announceChanged(context, company_id, rows)
  await write()
}

const renewStep = 500

/** Working hours or targets were changed: conversations that are open get new times. */
export async function renewTargets(db: Db, company_id: string, now: Date) {
  let after = smallestId
  for (let found = renewStep; found === renewStep; )
    found = await transaction(db, async (tx) => {
      const { rows } = await sql<{ conversation_id: string }>`
        select conversation_id from conversation_openings where company_id = ${company_id} and closed_at is null
          and conversation_id > ${after}::uuid order by conversation_id limit ${renewStep}`.execute(tx)
      const ids = rows.map((row) => row.conversation_id)
      await followOpenings(tx, company_id, ids, now)
      after = ids.at(-1) ?? after
      return ids.length
    })
}
