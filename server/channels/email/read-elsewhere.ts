// Messages that were read in another mail program are read here, too. Nothing follows in the other direction, because
// Kith changes nothing in a mailbox.
import { sql } from 'kysely'
import { announceChanged } from '../../inbox/access/announce.ts'
import { asChannel } from '../../inbox/channels/act-as.ts'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import type { MessagePlace } from './places.ts'
import type { Session } from './session.ts'

/** `find` returns messages that were read there. */
export const noteRead = ({ db, channel, clock }: Session, find: (tx: Db) => Promise<string[]>) =>
  asChannel(db, channel, clock(), async (context) => markRead(context, channel.company_id, await find(context.db)))

/** Messages that we have are found in another folder: some were read before they were moved there. */
export async function noteMoved({ db, channel, clock }: Session, places: MessagePlace[]) {
  const read = places.flatMap(({ message_id, is_unseen }) => (message_id && !is_unseen ? [message_id] : []))
  if (read.length) await asChannel(db, channel, clock(), (context) => markRead(context, channel.company_id, read))
}

/** Of their conversations, those in which no message is unread there any more. */
async function markRead(context: Context, company_id: string, messageIds: string[]) {
  if (!messageIds.length) return
  const { rows } = await sql<{ id: string }>`
    select id from conversations where company_id = ${company_id} and unread_at is not null
      and id in (select m.conversation_id from messages m where m.company_id = ${company_id}
        and m.id = any(${messageIds}::uuid[]) and m.direction = 'in')
    order by id for update`.execute(context.db)
  if (!rows.length) return
  // Now that they are locked, no message that arrives meanwhile is overlooked.
  const read = await sql<{ id: string; audience: string }>`
    update conversations c set unread_at = null
    where c.company_id = ${company_id} and c.id = any(${rows.map(({ id }) => id)}::uuid[])
      and not exists (select from messages m
        join message_places p on p.company_id = ${company_id} and p.message_id = m.id and p.is_unseen
        where m.company_id = ${company_id} and m.conversation_id = c.id and m.direction = 'in')
    returning c.id, c.audience`.execute(context.db)
  if (read.rows.length) await announceChanged(context, company_id, read.rows)
}
