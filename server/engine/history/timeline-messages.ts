// Messages of conversations about records, for their timeline, as far as the caller may read them.
import type { output } from 'zod'
import { previewOf } from '../../../contract/shared/message-preview.ts'
import type { TimelineItem } from '../../../contract/timeline.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { audiencesOf } from '../rights/audiences.ts'

/** Where a list continues. */
export type Mark = [at: string, id: string]
type Item = Extract<output<typeof TimelineItem>, { kind: 'message' }>
type Row = Omit<Item, 'kind' | 'at' | 'preview' | 'via_agent'> & {
  at: Date
  sorted_at: string
  text: string
  quote_at: number | null
  files: { name: string; is_inline: boolean }[]
  api_key_id: string | null
}

/** What outsiders may have written. */
export const messageTexts = ['subject', 'preview', 'from_name']

export async function messagesAbout(context: Context, record_ids: string[], mark: Mark | undefined, limit: number) {
  const { ids } = await audiencesOf(context)
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const before = mark
    ? `and (m.at, m.id) < (${params.add(mark[0], 'timestamptz')}, ${params.add(mark[1], 'uuid')})`
    : ''
  const rows = await run<Row>(
    context.db,
    `select m.id, m.conversation_id, m.channel_id, m.direction, m.subject, left(m.text, 2000) as text, m.quote_at, m.from_address, m.from_name,
        m.user_id, m.api_key_id, m.state, m.files, m.files <> '[]' as has_files, m.at, m.at::text as sorted_at
      from (select distinct conversation_id from conversation_links where company_id = ${company}
        and record_id = any(${params.add(record_ids, 'uuid[]')})) l
      cross join lateral (select * from messages m where m.company_id = ${company} and m.conversation_id = l.conversation_id
        and m.audience = any(${params.add(ids, 'uuid[]')}) and m.kind = 'message' and m.state <> 'cancelled' ${before}
        order by m.at desc, m.id desc limit ${params.add(limit, 'int')}) m
      order by m.at desc, m.id desc limit ${params.add(limit, 'int')}`,
    params,
  )
  return rows.map(({ at, sorted_at, text, quote_at, files, api_key_id, ...row }) => ({
    item: {
      ...row,
      kind: 'message' as const,
      at: at.toISOString(),
      preview: previewOf({ text, quote_at, files, direction: row.direction }),
      via_agent: api_key_id !== null,
    },
    mark: { message: [sorted_at, row.id] as Mark },
  }))
}
