// Finds the files that values name by their IDs: those that the caller has uploaded, and those that the record has already.
import type { FieldError } from '../../../contract/shared/errors.ts'
import { own } from '../../../contract/shared/own.ts'
import { actorOf } from '../../kernel/context.ts'
import type { Draft } from '../names/resolve-references.ts'
import type { Target } from '../schema/target.ts'
import type { FileValue } from '../values/files.ts'
import type { Values } from '../values/from-row.ts'
import { isListChange } from '../values/list-change.ts'

/** An upload that is about to expire may be gone by the time the record has it. */
const marginMs = 60_000

export async function resolveFiles(target: Target, drafts: Draft[], values: Values[]) {
  const { context, object } = target
  const fields = object.fields.filter(({ type }) => type === 'file')
  const faults: FieldError[] = []
  const wanted = new Set<string>()
  const each = (i: number, replace: (id: string, path: string) => unknown): Values => {
    const now: Values = { ...values[i]! }
    for (const { key } of fields) {
      const value = own(now, key)
      if (value === null || value === undefined) continue
      const path = `${drafts[i]!.path}.${key}`
      const replaced = (list: unknown[] = [], at: string) => list.map((id, n) => replace(id as string, `${at}.${n}`))
      now[key] = isListChange(value)
        ? { add: replaced(value.add, `${path}.add`), remove: (value.remove ?? []).map((id) => ({ id })) }
        : replaced(value as unknown[], path)
    }
    return now
  }
  if (!fields.some(({ key }) => values.some((one) => own(one, key)))) return { values, faults }
  for (const i of drafts.keys()) each(i, (id) => wanted.add(id))
  const { user_id } = actorOf(context)
  const rows = wanted.size ? await uploadsAmong(context, [...wanted]) : []
  const found = new Map(rows.map((row) => [row.id, row]))
  const latest = context.now.getTime() + marginMs
  const taken = new Set<string>()
  const resolved = drafts.map((draft, i) =>
    each(i, (id, path): FileValue | null => {
      const known = filesIn(draft.before?.values ?? {}, fields).find((file) => file.id === id)
      if (known) return known
      const row = found.get(id)
      const isOwn = row?.created_by === user_id && row.record_id === null
      const isBack = row !== undefined && row.record_id !== null && row.record_id === draft.before?.id
      const isThere = row !== undefined && (row.expires_at === null || row.expires_at.getTime() > latest)
      const isFree = (isOwn && !taken.has(id)) || isBack
      taken.add(id)
      if (row && isThere && isFree) return { id, name: row.name, type: row.type, size: row.size }
      faults.push({ path, message: row?.record_id || isOwn ? ofAnother : unknown })
      return null
    }),
  )
  return { values: resolved, faults }
}

const uploadsAmong = ({ db, ...context }: Target['context'], ids: string[]) =>
  db
    .selectFrom('files')
    .select(['id', 'name', 'type', 'size', 'record_id', 'created_by', 'expires_at'])
    .where('company_id', '=', actorOf(context).company_id)
    .where('id', 'in', ids)
    .where('purpose', '=', 'record')
    .execute()

const unknown = 'File not found. Upload it with the purpose record, and use its ID within a day'
const ofAnother = 'This file belongs to another record. Upload it again for this one'

const filesIn = (values: Values, fields: { key: string }[]) =>
  fields.flatMap(({ key }) => (own(values, key) ?? []) as FileValue[])
