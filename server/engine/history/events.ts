// Lists changes to records one by one, as events. They are read from the history, so nothing else is stored.
import type { changes } from '../../../contract/changes.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { firstIdAt } from '../../kernel/first-id.ts'
import { Params, run } from '../../kernel/statement.ts'
import { findObject } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'
import { visibleChanges } from './visible-changes.ts'

const keptMs = 30 * 86_400_000

type Asked = Parsed<typeof changes.listEvents>
type RecordEvent = Output<typeof changes.listEvents>['items'][number]
type Row = Omit<RecordEvent, 'id' | 'type' | 'at'> & { action: string; position: number; at: Date }

export async function listEvents(context: Context, asked: Asked) {
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const schema = await schemaOf(context.db, actor)
  if (asked.object) findObject(schema, actor, asked.object)
  const oldest = new Date(context.now.getTime() - keptMs)
  const since = asked.since && new Date(asked.since) > oldest ? new Date(asked.since) : oldest
  const conditions = [
    `c.company_id = ${company}`,
    `c.change_set_id >= ${params.add(firstIdAt(since), 'uuid')}`,
    `s.at >= ${params.add(since, 'timestamptz')}`,
    `c.object = any(${params.add([...schema.objects.keys()], 'text[]')})`,
    asked.object && `c.object = ${params.add(asked.object, 'text')}`,
    asked.record_id && `c.record_id = ${params.add(asked.record_id, 'uuid')}`,
    asked.type && `c.action = ${params.add(asked.type.slice('record.'.length), 'text')}`,
    asked.cursor && before(params, asked.cursor),
    ...visibleChanges(actor, schema, 'c', params),
  ].filter((condition) => !!condition)
  const rows = await run<Row>(
    context.db,
    `select c.object, c.record_id, c.version::int as version, c.change_set_id, c.position, c.action, c.fields, s.at,
      s.actor_id, u.name as actor_name, s.door as via, s.api_key_id, s.client,
      case when s.principal_kind is not null then jsonb_build_object('kind', s.principal_kind, 'id', s.principal_id, 'name', s.principal_name) end as principal,
      c.position > 0 or exists (select 1 from changes m where m.company_id = ${company} and m.change_set_id = c.change_set_id and m.position = 1) as bulk
      from changes c
      join change_sets s on s.company_id = ${company} and s.id = c.change_set_id
      left join users u on u.company_id = ${company} and u.id = s.actor_id
      where ${conditions.join(' and ')}
      order by c.change_set_id desc, c.position desc limit ${params.add(asked.limit + 1, 'int')}`,
    params,
  )
  const shownRows = rows.slice(0, asked.limit)
  const last = rows.length > asked.limit ? shownRows.at(-1) : undefined
  return { items: shownRows.map((row) => shown(context, row)), next_cursor: last ? cursorOf(last) : null }
}

/** Everyone who can read a record sees who changed it. Only Admins and that user see the key and the client. */
function shown(context: Context, { action, position, at, ...row }: Row): RecordEvent {
  const { is_admin, user_id } = actorOf(context)
  const isOpen = is_admin || row.actor_id === user_id
  return {
    id: `${row.change_set_id}.${position}`,
    type: `record.${action}` as RecordEvent['type'],
    ...row,
    ...(!isOpen && { api_key_id: null, client: null }),
    at: at.toISOString(),
  }
}

const cursorOf = ({ change_set_id, position }: Row) => Buffer.from(`${change_set_id} ${position}`).toString('base64url')

function before(params: Params, cursor: string) {
  const read = /^([0-9a-f-]{36}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!read)
    throw new AppError('invalid_input', 'This cursor is invalid. Omit it to start from the first page.', {
      errors: [{ path: 'cursor', message: 'Send the next_cursor of the previous page unchanged' }],
    })
  return `(c.change_set_id, c.position) < (${params.add(read[1], 'uuid')}, ${params.add(Number(read[2]), 'int')})`
}
