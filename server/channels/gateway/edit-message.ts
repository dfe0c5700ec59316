// What senders change about messages later. Earlier texts are kept; what was deleted is not.
import { sql } from 'kysely'
import { deleteFiles } from '../../files/usage.ts'
import { announceChanged } from '../../inbox/access/announce.ts'
import { countChanged } from '../../inbox/thread/recount.ts'
import { searchOf } from '../../inbox/thread/search-words.ts'
import type { Context } from '../../kernel/context.ts'
import type { Found } from './items.ts'

const mostEarlier = 50

/** False: it is older than what is known. */
export async function editMessage(context: Context, message: Found, { text, at }: { text: string; at: Date }) {
  const { company_id, id } = message
  const { rows } = await sql`
    with before as materialized (
      select id, (select coalesce(jsonb_agg(e order by n), '[]') from (
        select e, n from jsonb_array_elements(earlier || jsonb_build_array(jsonb_build_object('text', text, 'until', ${at}::timestamptz)))
          with ordinality x(e, n) order by n desc limit ${mostEarlier}) k) as earlier
      from messages where company_id = ${company_id} and id = ${id} and deleted_at is null and text <> ${text}
        and (edited_at is null or edited_at <= ${at}) for update)
    update messages m set text = ${text}, html = null, quote_at = null, edited_at = ${at},
      search = ${searchOf(text)}::tsvector, earlier = b.earlier
    from before b where m.company_id = ${company_id} and m.id = b.id
    returning m.id`.execute(context.db)
  return announceIfChanged(context, message, rows.length > 0)
}

export async function deleteMessage(context: Context, message: Found, at: Date) {
  const { company_id, id } = message
  await deleteFiles(
    context.db,
    company_id,
    sql`purpose = 'message' and id in (
      select (f ->> 'id')::uuid from messages m cross join lateral jsonb_array_elements(m.files) f
      where m.company_id = ${company_id} and m.id = ${id} and m.direction = 'in')`,
  )
  const { rows } = await sql`
    update messages set text = '', html = null, quote_at = null, files = '[]', earlier = '[]', search = ''::tsvector,
      deleted_at = ${at}
    where company_id = ${company_id} and id = ${id} and deleted_at is null returning id`.execute(context.db)
  return announceIfChanged(context, message, rows.length > 0)
}

async function announceIfChanged(
  context: Context,
  { company_id, conversation_id, audience }: Found,
  isChanged: boolean,
) {
  if (!isChanged) return false
  await countChanged(context.db, { company_id, id: conversation_id }, 0)
  await announceChanged(context, company_id, [{ id: conversation_id, audience }])
  return true
}
