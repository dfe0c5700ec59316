// Adds the related records of a page to it, so that no further call is needed. Relations are named as in filters: fields
// of the record, or objects that link to it. Two of them can follow each other: people.tasks.

import { mostRelated } from '../../../contract/records.ts'
import { own } from '../../../contract/shared/own.ts'
import { refused } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { objectsIn, rowById } from '../names/find-titles.ts'
import { readableAmong } from '../rights/readable-among.ts'
import { seenBy } from '../rights/rights.ts'
import { type ScopedField, scopeOf } from '../rights/scope.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import { systemByKey } from '../schema/system-fields.ts'
import { unknownField } from '../schema/unknown-field.ts'
import { type Shown, type Stored, shown, storedColumns, untrustedFields } from '../values/from-row.ts'
import { withTitles } from './fields.ts'

/** `objects`: what the relation links to and the caller may read. */
type Step = { field: ScopedField; objects: ObjectSchema[] }
export type Related = { path: string; steps: Step[]; fields: string[] }

/** For all records of a call together. */
const mostTogether = 500
const leastEach = 5

export function readRelated(schema: Schema, actor: Actor, object: ObjectSchema, given: Record<string, string[]> = {}) {
  return Object.entries(given).map(([path, fields]): Related => {
    const names = path.split('.')
    if (names.length > 2)
      throw refused(`related.${path}`, `${path} is too long. Use a relation, or two that follow each other`)
    const steps: Step[] = []
    for (const name of names) steps.push(stepTo(schema, actor, steps.at(-1)?.objects ?? [object], name, path))
    for (const key of fields) refuseUnknown(steps.at(-1)!.objects, actor, key, path)
    return { path, steps, fields: [...new Set(['title', ...fields])] }
  })
}

function stepTo(schema: Schema, actor: Actor, from: ObjectSchema[], name: string, path: string): Step {
  const scope = scopeOf(schema, actor)
  const fields = from.flatMap(({ key }) => (own(scope, key)?.fields ?? []) as ScopedField[])
  const field = fields.find(({ key, type }) => key === name && type === 'relation')
  if (!field) {
    const known = [...new Set(fields.filter(({ type }) => type === 'relation').map(({ key }) => key))]
    throw refused(`related.${path}`, `Relation ${name.slice(0, 63)} not found. Use one of: ${known.join(', ')}`)
  }
  const objects = objectsIn(schema).filter(
    ({ key }) => own(scope, key) && (!field.to?.length || field.to.includes(key)),
  )
  return { field, objects }
}

function refuseUnknown(objects: ObjectSchema[], actor: Actor, key: string, path: string) {
  const isKnown = objects.some((object) => seenBy(actor, object).byKey.has(key) || systemByKey.has(key))
  if (!isKnown)
    throw refused(`related.${path}`, objects.length === 1 ? unknownField(objects[0]!, key) : `There is no field ${key}`)
}

/** Fields of related records that may contain text from outsiders. */
export const untrustedIn = (wanted: Related[]) =>
  wanted.flatMap(({ path, steps, fields }) => {
    const all = steps.at(-1)!.objects.flatMap((object) => untrustedFields(object, new Set(fields)))
    return [...new Set(all)].map((key) => `${path}.${key}`)
  })

/** Sets `$related` of each record: lists by path, newest first. `$more`: the paths that have more. */
export async function addRelated(context: Reader, schema: Schema, records: Shown[], wanted: Related[]) {
  if (!wanted.length || !records.length) return records
  const each = Math.min(mostRelated, Math.max(leastEach, Math.floor(mostTogether / records.length)))
  const ids = records.map(({ id }) => id)
  for (const { path, steps, fields } of wanted) {
    let found = new Map(ids.map((id) => [id, [id]]))
    let rows = new Map<string, Stored>()
    for (const step of steps) ({ found, rows } = await follow(context, step, found, each))
    const last = steps.at(-1)!
    const list = await shownAll(context, schema, last, [...rows.values()], fields)
    for (const record of records) {
      const linked = found.get(record.id) ?? []
      const related = (record.$related ?? {}) as Record<string, unknown>
      record.$related = { ...related, [path]: linked.slice(0, each).map((id) => list.get(id)!) }
      if (linked.length > each) record.$more = [...((record.$more as string[]) ?? []), path]
    }
  }
  return records
}

/** From the records reached so far, by the record that they belong to, one relation on. */
async function follow(context: Reader, step: Step, from: Map<string, string[]>, each: number) {
  const near = [...new Set([...from.values()].flat())]
  const linked = near.length ? await linkedTo(context, step, near, each + 1) : []
  const rows = new Map(linked.map((row) => [row.id, row]))
  const byNear = Map.groupBy(linked, (row) => row.near)
  const found = new Map(
    [...from].map(([root, ids]) => {
      const all = new Set(ids.flatMap((id) => (byNear.get(id) ?? []).map((row) => row.id)))
      return [root, [...all].toSorted().toReversed()] as [string, string[]]
    }),
  )
  return { found, rows }
}

function linkedTo(context: Reader, { field, objects }: Step, near: string[], most: number) {
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const [here, there] = field.from ? ['to_id', 'from_id'] : ['from_id', 'to_id']
  const fields = params.add(field.from?.map(({ id }) => id) ?? [field.own!.id], 'uuid[]')
  return run<Stored & { near: string }>(
    context.db,
    `select w.id as near, x.* from unnest(${params.add(near, 'uuid[]')}) w(id) cross join lateral (
      select distinct on (r.id) ${storedColumns} from links l cross join lateral (${rowById(company, `l.${there}`)}) r
      where l.company_id = ${company} and l.${here} = w.id and l.field_id = any(${fields}) and r.deleted_at is null
        and ${readableAmong(actor, objects, 'r', params)} order by r.id desc limit ${most}) x`,
    params,
  )
}

async function shownAll(context: Reader, schema: Schema, { objects }: Step, rows: Stored[], fields: string[]) {
  const all = new Map<string, Record<string, unknown>>()
  for (const [object_id, some] of Map.groupBy(rows, (row) => row.object_id)) {
    const object = seenBy(actorOf(context), schema.byId.get(object_id)!)
    const keys = new Set(fields.filter((key) => object.byKey.has(key) || systemByKey.has(key)))
    const records = await withTitles(
      context,
      schema,
      some.map((row) => shown(object, row, keys)),
      object.fields,
    )
    for (const { version: _version, ...record } of records) {
      const kept = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
      all.set(String(record.id), objects.length === 1 ? kept : { object: object.key, ...kept })
    }
  }
  return all
}
