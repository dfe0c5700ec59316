// Conversations whose time has come open again.
import { sql } from 'kysely'
import { actAs } from '../../kernel/act-as.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { announceChanged } from '../access/announce.ts'
import { followOpenings } from '../thread/waiting-time.ts'

const step = 500

export async function wakeSnoozed(db: Db, company_id: string, now: Date) {
  for (let woken = step; woken === step; )
    woken = await transaction(db, async (tx) => {
      // As a condition of the update, PostgreSQL might run the inner query several times, each with the limit.
      const { rows } = await sql<{ id: string; audience: string }>`
        with due as materialized (
          select d.id from conversations d where d.company_id = ${company_id} and d.snoozed_until <= ${now}
          order by d.id limit ${step} for update skip locked)
        update conversations c set state = 'open', snoozed_until = null, unread_at = ${now}, version = version + 1
        from due where c.company_id = ${company_id} and c.id = due.id returning c.id, c.audience`.execute(tx)
      const ids = rows.map(({ id }) => id)
      await followOpenings(tx, company_id, ids, now)
      if (rows.length)
        await actAs(tx, { actor: null, task: 'wakeSnoozed', now }, (context) =>
          announceChanged(context, company_id, rows),
        )
      return rows.length
    })
}
