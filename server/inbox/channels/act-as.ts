// What a channel writes when no user calls: one transaction with its events.
import { actAs } from '../../kernel/act-as.ts'
import type { Context, Principal } from '../../kernel/context.ts'
import { type Db, transaction } from '../../platform/db.ts'

type Channel = { company_id: string; id: string; name: string }

export function asChannel<T>(
  db: Db,
  { company_id, id, name }: Channel,
  now: Date,
  work: (context: Context) => Promise<T>,
) {
  const principal: Principal = { kind: 'channel', id, name }
  return transaction(db, (tx) => actAs(tx, { company_id, principal, task: 'sendMessage', now }, work))
}
