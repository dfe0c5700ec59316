// The records that link to duplicates, also those in the trash: they link to the kept record instead.
import { own } from '../../../contract/shared/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { rowById } from '../names/find-titles.ts'
import { editableAmong } from '../rights/readable-among.ts'
import { allows, isOwn, rightsFor } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { lock, lockInTrash } from '../write/lock.ts'
import { saveChanges } from '../write/save.ts'
import { changedRecord } from '../write/update.ts'

/** The record to keep, and the duplicates to merge into it. */
export type Group = { id: string; merge: string[]; values?: Values }
export type Linking = { from_id: string; object_id: string }
/** A link, in the order in which a job moves them. `to`: which of the duplicates. */
export type LinkPlace = { to: number; field_id: string; from_id: string }

/** Records in the trash that the caller may not change keep their links, which no one sees. */
const isMoved = (isEditable: string) => `(r.deleted_at is null or ${isEditable})`

/** Up to one more than `most`. */
export async function linkingTo({ context, schema }: Target, { id, merge }: Group, most: number) {
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const isEditable = editableAmong(actorOf(context), [...schema.objects.values()], 'r', params)
  return run<Linking>(
    context.db,
    `select distinct l.from_id, r.object_id from links l cross join lateral (${rowById(company, 'l.from_id')}) r
      where l.company_id = ${company} and l.to_id = any(${params.add(merge, 'uuid[]')})
        and l.from_id <> all(${params.add([id, ...merge], 'uuid[]')}) and ${isMoved(isEditable)}
      order by l.from_id limit ${most + 1}`,
    params,
  )
}

/** How many records link to the duplicates. Refused if the caller may not change one of them. */
export async function countLinking({ context, schema }: Target, { id, merge }: Group) {
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const isEditable = editableAmong(actorOf(context), [...schema.objects.values()], 'r', params)
  const [row] = await run<{ count: number; refused: string | null }>(
    context.db,
    `select count(distinct l.from_id)::int as count, min(r.object_id::text) filter (where not (${isEditable})) as refused
      from links l join records r on r.company_id = ${company} and r.id = l.from_id
      where l.company_id = ${company} and l.to_id = any(${params.add(merge, 'uuid[]')})
        and l.from_id <> all(${params.add([id, ...merge], 'uuid[]')}) and ${isMoved(isEditable)}`,
    params,
  )
  if (row!.refused) throw unreachable(schema.byId.get(row!.refused)!)
  return row!.count
}

/** The next links in the order of their index, so that a step reads only what it moves. */
export async function nextLinks(target: Target, group: Group, after: LinkPlace | undefined, most: number) {
  const links: (Linking & LinkPlace)[] = []
  for (let to = after?.to ?? 0; to < group.merge.length && links.length < most; to++)
    links.push(...(await linksTo(target, group, to, after?.to === to ? after : undefined, most - links.length)))
  return links
}

function linksTo(
  { context, schema }: Target,
  { id, merge }: Group,
  to: number,
  after: LinkPlace | undefined,
  most: number,
) {
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const isEditable = editableAmong(actorOf(context), [...schema.objects.values()], 'r', params)
  const isNext = after
    ? `and (l.field_id, l.from_id) > (${params.add(after.field_id, 'uuid')}, ${params.add(after.from_id, 'uuid')})`
    : ''
  return run<Linking & LinkPlace>(
    context.db,
    `select ${params.add(to, 'int')} as "to", l.field_id, l.from_id, r.object_id
      from links l cross join lateral (${rowById(company, 'l.from_id')}) r
      where l.company_id = ${company} and l.to_id = ${params.add(merge[to], 'uuid')} ${isNext}
        and l.from_id <> all(${params.add([id, ...merge], 'uuid[]')}) and ${isMoved(isEditable)}
      order by l.field_id, l.from_id limit ${most}`,
    params,
  )
}

/** Returns how many records were changed. */
export async function moveLinks({ context, schema }: Target, group: Group, linking: Linking[], dry_run: boolean) {
  for (const [object_id, links] of Map.groupBy(linking, (link) => link.object_id)) {
    const target = { context, schema, object: schema.byId.get(object_id)! }
    const rows = await lockAlsoInTrash(target, [...new Set(links.map(({ from_id }) => from_id))])
    if (links.some(({ from_id }) => !rows.has(from_id))) throw unreachable(target.object)
    await saveChanges(
      target,
      [...rows.values()].map((row) => moved(target, row, group)),
      dry_run,
    )
  }
  return new Set(linking.map(({ from_id }) => from_id)).size
}

async function lockAlsoInTrash(target: Target, ids: string[]) {
  const rows = await lock(target, ids)
  const others = ids.filter((id) => !rows.has(id))
  return others.length ? new Map([...rows, ...(await lockInTrash(target, others))]) : rows
}

function moved(target: Target, row: Stored, { id, merge }: Group): Change {
  const { context, object } = target
  const actor = actorOf(context)
  if (!allows(rightsFor(actor, object.key).edit, isOwn(actor, object, row))) throw unreachable(object)
  const draft: Values = {}
  for (const { key, type } of [...object.fields, ...object.archivedFields]) {
    const value = type === 'relation' ? own(row.values, key) : undefined
    const isLinked = [value ?? []].flat().some((to) => merge.includes(String(to)))
    if (!isLinked) continue
    const swap = (to: unknown) => (merge.includes(String(to)) ? id : to)
    draft[key] = Array.isArray(value) ? [...new Set(value.map(swap))] : swap(value)
  }
  const { change } = changedRecord(target, row, draft, object.key)
  return row.deleted_at ? { ...change, row: { ...change.row, uniques: [] } } : change
}

const unreachable = ({ label_plural }: ObjectSchema) =>
  new AppError(
    'forbidden',
    `Some ${label_plural} that you cannot change link to these duplicates. Ask an Admin of your company to merge them.`,
  )
