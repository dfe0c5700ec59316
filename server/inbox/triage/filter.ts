// Filters on conversations: the filter language with an object of its own, compiled to SQL over their columns.
import { conversationStates } from '../../../contract/conversations.ts'
import {
  type FilterField,
  findReference,
  hasFaults,
  type Interval,
  limits,
  mapReferences,
  overLimit,
  print,
  type Resolved,
  readFilter,
  referencesIn,
  resolve,
  type Test,
  treeOf,
} from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { refusedFilter, situationOf } from '../../engine/read/conditions.ts'
import { rightsFor } from '../../engine/rights/rights.ts'
import { schemaOf } from '../../engine/schema/schema.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import { escapeLike, type Params } from '../../kernel/statement.ts'
import type { Audiences } from '../access/visible.ts'
import { isUnread } from '../thread/conversation.ts'
import { queryOf } from '../thread/search-words.ts'
import { root, scopeFor } from './filter-fields.ts'

type Column = { sql: string; cast: 'text' | 'uuid' | 'timestamptz' | 'int' | 'boolean' }

/** Fields that are columns of `c`. Others have tests of their own, see `special`. */
const columns: Record<string, Column> = {
  state: { sql: 'c.state', cast: 'text' },
  channel: { sql: 'c.channel_id', cast: 'uuid' },
  assignee: { sql: 'c.assignee_id', cast: 'uuid' },
  subject: { sql: 'c.subject_folded', cast: 'text' },
  last_direction: { sql: 'c.last_direction', cast: 'text' },
  created_at: { sql: 'c.created_at', cast: 'timestamptz' },
  last_message_at: { sql: 'c.last_message_at', cast: 'timestamptz' },
  snoozed_until: { sql: 'c.snoozed_until', cast: 'timestamptz' },
  first_response_at: { sql: 'c.first_response_at', cast: 'timestamptz' },
  response_due_at: { sql: 'c.response_due_at', cast: 'timestamptz' },
  resolution_due_at: { sql: 'c.resolution_due_at', cast: 'timestamptz' },
  message_count: { sql: 'c.message_count', cast: 'int' },
  has_files: { sql: 'c.has_files', cast: 'boolean' },
}

/** `isForAll`: for rules of the company, so nothing may depend on who asks. */
type Use = { isForAll?: boolean }

/** Refuses a filter that does not work, in the same words as for records. Undefined: no filter. */
export async function readConversationFilter(
  context: Context,
  audiences: Audiences,
  filter: string | undefined,
  use: Use = {},
) {
  return (await understood(context, audiences, filter, use))?.resolved
}

async function understood(context: Context, audiences: Audiences, filter: string | undefined, { isForAll }: Use) {
  if (!filter?.trim()) return undefined
  const read = readFilter(filter, { objects: await scopeFor(context, audiences, { isForAll }), root })
  if (hasFaults(read)) throw refusedFilter(read.faults)
  const schema = await schemaOf(context.db, actorOf(context))
  const { me, ...others } = await situationOf(context, schema, referencesIn(read.checked))
  const situation = isForAll ? others : { ...others, me }
  const result = resolve(read.checked, situation)
  if (hasFaults(result)) throw refusedFilter(result.faults)
  return { checked: read.checked, situation, resolved: result.resolved }
}

/** The filter of a rule in the form that is stored: with the keys of fields and the IDs of users, records and labels. */
export async function storeConversationFilter(context: Context, audiences: Audiences, filter: string | null) {
  const read = await understood(context, audiences, filter ?? undefined, { isForAll: true })
  if (!read) return null
  const byId = mapReferences(read.checked, ({ condition, index, text }) => {
    const found = findReference(read.situation, condition, text, index)
    return 'id' in found ? found.id : text
  })
  const text = print(treeOf(byId))
  if (text.length > limits.characters) throw refusedFilter([overLimit('characters', `${text.length} characters`, {})])
  return text
}

/** What is wrong with a stored filter; null: nothing. */
export async function filterError(context: Context, audiences: Audiences, filter: string | null, use: Use = {}) {
  try {
    await readConversationFilter(context, audiences, filter ?? undefined, use)
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** The states that a filter leaves, if it says so in every case. */
export function statesIn(resolved: Resolved | undefined): string[] {
  const parts = resolved?.kind === 'and' ? resolved.parts : resolved ? [resolved] : []
  const limits = parts.flatMap((part) =>
    part.kind === 'test' && part.path[0]!.field.key === 'state' && part.test.kind === 'oneOf'
      ? [part.test.values.map(String)]
      : [],
  )
  return conversationStates.filter((state) => limits.every((limit) => limit.includes(state)))
}

type Compiling = { actor: Actor; audiences: Audiences; params: Params; now: Date; message_id: string | undefined }

/** A condition on `c`. Values are always parameters. `message_id`: words are looked for in this message only. */
export const conditionOf = (
  context: Context,
  audiences: Audiences,
  params: Params,
  resolved: Resolved,
  message_id?: string,
) => node({ actor: actorOf(context), audiences, params, now: context.now, message_id }, resolved)

function node(compiling: Compiling, resolved: Resolved): string {
  if (resolved.kind === 'not') return `(${node(compiling, resolved.part)}) is not true`
  if (resolved.kind === 'and' || resolved.kind === 'or')
    return `(${resolved.parts.map((part) => node(compiling, part)).join(` ${resolved.kind} `) || String(resolved.kind === 'and')})`
  if (resolved.kind === 'search') return hasWords(compiling, resolved.text)
  if (resolved.kind === 'any') return 'false'
  const { path, test } = resolved as Extract<Resolved, { kind: 'test' }>
  const { field } = path[0]!
  const own = special[field.key]
  return own ? own(compiling, test, field) : columnTest(compiling.params, columns[field.key]!, test)
}

function hasWords({ actor, audiences, params, message_id }: Compiling, text: string) {
  const query = queryOf(text)
  if (!query) return 'true'
  if (message_id !== undefined)
    return `exists (select from messages m where m.company_id = ${params.add(actor.company_id, 'uuid')}
      and m.id = ${params.add(message_id, 'uuid')} and m.search @@ ${params.add(query, 'tsquery')})`
  return `c.id in (select m.conversation_id from messages m where m.company_id = ${params.add(actor.company_id, 'uuid')}
    and array[m.audience] && ${params.add(audiences.ids, 'uuid[]')} and m.search @@ ${params.add(query, 'tsquery')})`
}

/** The field is that of one object, and named after it. */
function isLinked({ actor, params }: Compiling, test: Test, { to }: FilterField) {
  const conditions = [
    `l.company_id = ${params.add(actor.company_id, 'uuid')}`,
    'l.conversation_id = c.id',
    `l.object = any(${params.add(to, 'text[]')})`,
    ...(test.kind === 'oneOf' || test.kind === 'allOf'
      ? [`l.record_id = any(${params.add(test.values.map(String).filter(isId), 'uuid[]')})`]
      : []),
  ]
  return `exists (select from conversation_links l where ${conditions.join(' and ')})`
}

const isAmong = (params: Params, test: Test, ids: string) =>
  test.kind === 'oneOf' ? `(c.id in (${ids})) = any(${params.add(test.values, 'boolean[]')})` : 'true'

const special: Record<string, (compiling: Compiling, test: Test, field: FilterField) => string> = {
  labels: ({ params }, test) => {
    if (test.kind !== 'oneOf' && test.kind !== 'allOf') return "c.label_ids <> '{}'"
    const ids = params.add(test.values.map(String).filter(isId), 'uuid[]')
    return `c.label_ids ${test.kind === 'oneOf' ? '&&' : '@>'} ${ids}`
  },
  participant: participantTest,
  is_unread: ({ actor, params }, test) => {
    const unread = isUnread(params.add(actor.company_id, 'uuid'), params.add(actor.user_id, 'uuid'))
    return test.kind === 'oneOf' ? `(${unread}) = any(${params.add(test.values, 'boolean[]')})` : 'true'
  },
  has_draft: ({ actor, params }, test) => {
    const drafts = `select d.conversation_id from message_drafts d where d.company_id = ${params.add(actor.company_id, 'uuid')}
      and d.user_id = ${params.add(actor.user_id, 'uuid')} and d.conversation_id is not null`
    return isAmong(params, test, drafts)
  },
  has_proposal: ({ actor, params }, test) =>
    isAmong(
      params,
      test,
      `select p.conversation_id from proposals p where p.company_id = ${params.add(actor.company_id, 'uuid')}
        and p.state = 'waiting' and p.conversation_id is not null`,
    ),
  is_scheduled: ({ actor, params }, test) =>
    isAmong(
      params,
      test,
      `select m.conversation_id from messages m where m.company_id = ${params.add(actor.company_id, 'uuid')}
        and m.send_at is not null and m.state = 'waiting'`,
    ),
  is_overdue: ({ params, now }, test) =>
    test.kind === 'oneOf'
      ? `(c.due_at < ${params.add(now, 'timestamptz')}) = any(${params.add(test.values, 'boolean[]')})`
      : 'true',
  person: isLinked,
  organization: isLinked,
  deal: isLinked,
  lead: isLinked,
}

/** Whole addresses have an index; parts and names are looked for in the text. `to`: people, if the reader may not read all. */
function participantTest(compiling: Compiling, test: Test, { to }: FilterField): string {
  const { actor, params } = compiling
  if (test.kind === 'oneOf' || test.kind === 'allOf') {
    const values = test.values.map(String)
    if (values.every((value) => value.includes('@')))
      return `c.id in (select a.conversation_id from conversation_addresses a
        where a.company_id = ${params.add(actor.company_id, 'uuid')} and a.address = any(${params.add(values, 'text[]')}))`
    const patterns = values.map((value) => `%\n${escapeLike(value)}\n%`)
    return participantLike(compiling, patterns, to)
  }
  if (test.kind === 'present' || test.kind === 'within') return "c.participants_folded <> ''"
  const { kind, text } = partOf(test)
  const pattern = { contains: `%${text}%`, startsWith: `%\n${text}%`, endsWith: `%${text}\n%` }[kind]
  return participantLike(compiling, [pattern], to)
}

/** Where a person is hidden from the reader, only addresses are compared: the name would be confirmed. */
function participantLike({ actor, params }: Compiling, patterns: string[], to: string[] | undefined) {
  const like = `like any(${params.add(patterns, 'text[]')})`
  if (!to) return `c.participants_folded ${like}`
  const company = params.add(actor.company_id, 'uuid')
  const isOwn = to.some((key) => rightsFor(actor, key).read === 'own')
  const isShown = isOwn
    ? `exists (select from records r where r.company_id = ${company} and r.id = (p ->> 'person_id')::uuid
        and r.owner_id = ${params.add(actor.user_id, 'uuid')})`
    : 'false'
  return `(c.participants_folded ${like} and not exists (select from jsonb_array_elements(c.participants) p
      where p ->> 'person_id' is not null and not ${isShown})
    or exists (select from conversation_addresses a where a.company_id = ${company} and a.conversation_id = c.id and not a.is_extra
      and E'\\n' || a.address || E'\\n' ${like}))`
}

function columnTest(params: Params, { sql, cast }: Column, test: Test): string {
  if (test.kind === 'present') return cast === 'text' ? `coalesce(${sql}, '') <> ''` : `${sql} is not null`
  if (test.kind === 'within') return within(params, sql, test.intervals, cast === 'int' ? 'numeric' : cast)
  if (test.kind === 'oneOf' || test.kind === 'allOf') {
    const values = cast === 'uuid' ? test.values.map(String).filter(isId) : test.values
    const type = cast === 'int' ? 'numeric' : cast
    return values.length === 1
      ? `${sql} = ${params.add(values[0], type)}`
      : `${sql} = any(${params.add(values, `${type}[]`)})`
  }
  const { kind, text } = partOf(test)
  const pattern = { contains: `%${text}%`, startsWith: `${text}%`, endsWith: `%${text}` }[kind]
  return `${sql} like ${params.add(pattern)}`
}

function partOf(test: Test) {
  const { kind, text } = test as Extract<Test, { text: string }>
  return { kind, text: escapeLike(text) }
}

function within(params: Params, value: string, intervals: Interval[], cast: string) {
  const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
  const each = intervals.map((interval) => {
    const bounds = Object.entries(interval) as [keyof typeof signs, string | number][]
    return `(${bounds.map(([bound, limit]) => `${value} ${signs[bound]} ${params.add(limit, cast)}`).join(' and ') || 'true'})`
  })
  return `(${each.join(' or ') || 'false'})`
}
