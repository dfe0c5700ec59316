// What a channel writes when no user calls: one transaction with its events.
import { bySystem, type Context } from '../../kernel/context.ts'
import { noNotes, taking, writeNotes } from '../../kernel/pending-writes.ts'
import { type Db, transaction } from '../../platform/db.ts'

type Channel = { company_id: string; id: string; name: string }

export const asChannel = <T>(
  db: Db,
  { company_id, id, name }: Channel,
  now: Date,
  work: (context: Context) => Promise<T>,
) =>
  transaction(db, async (tx) => {
    const company = tx.selectFrom('companies').select('schema_version').where('id', '=', company_id)
    const { schema_version } = await company.executeTakeFirstOrThrow()
    const caller = {
      ...bySystem(company_id, schema_version, 'sendMessage'),
      principal: { kind: 'channel' as const, id, name },
    }
    const notes = noNotes()
    const result = await work({ ...caller, ...taking(notes, caller), db: tx, now })
    await writeNotes(tx, notes, caller, 'sendMessage', now)
    return result
  })
