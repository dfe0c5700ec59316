// Conversations whose time has come open again.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Caller, Context } from '../kernel/context.ts'
import { noNotes, taking, writeNotes } from '../kernel/pending-writes.ts'
import { type Db, transaction } from '../platform/db.ts'
import { announceChanged } from './announce.ts'
import { followOpenings } from './openings/follow.ts'

const step = 500

export async function wakeSnoozed(db: Db, company_id: string, now: Date) {
  for (let woken = step; woken === step; )
    woken = await transaction(db, async (tx) => {
      const { rows } = await sql<{ id: string; audience: string }>`
        update conversations set state = 'open', snoozed_until = null, unread_at = ${now}, version = version + 1
        where company_id = ${company_id} and id in (select id from conversations where company_id = ${company_id}
          and snoozed_until <= ${now} order by id limit ${step} for update skip locked)
        returning id, audience`.execute(tx)
      const caller: Caller = {
        ...{ door: 'automation', request_id: randomUUIDv7(), ip: '', client: null, actor: null, web: null },
      }
      const notes = noNotes()
      const context: Context = { ...caller, ...taking(notes, caller), db: tx, now }
      const ids = rows.map(({ id }) => id)
      await followOpenings(tx, company_id, ids, now)
      if (rows.length) await announceChanged(context, company_id, rows)
      await writeNotes(tx, notes, caller, 'wakeSnoozed', now)
      return rows.length
    })
}
