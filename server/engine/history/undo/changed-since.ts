// What has happened since changes that are to be undone were made.
import { own } from '../../../../contract/shared/own.ts'
import { actorOf } from '../../../kernel/context.ts'
import { Params, run } from '../../../kernel/statement.ts'
import type { Field } from '../../schema/schema.ts'
import type { Target } from '../../schema/target.ts'
import type { FileValue } from '../../values/files.ts'
import type { Left, PastChange } from './past-change.ts'
import { type SetLast, settersOf } from './who-set-last.ts'

export type Since = {
  isDeleted: (value: unknown) => boolean
  isEditedSince: (record_id: string) => boolean
  isLinkedSince: (record_id: string) => boolean
  setLast: (record_id: string) => SetLast
}

type Undoing = { changes: PastChange[]; left: Left[]; sets: string[]; all: PastChange[] }

export const changedSince = async (target: Target, { changes, left, sets, all }: Undoing): Promise<Since> => ({
  isDeleted: await deletedAmong(target, changes),
  isEditedSince: await editedSince(target, changes, sets),
  isLinkedSince: await linkedSince(target, changes, undoneWith(all, left)),
  setLast: await settersOf(target.context, changes, sets),
})

/** The records of a call, apart from those that stay as they are. */
function undoneWith(all: PastChange[], left: Left[]) {
  const kept = new Set(left.filter(({ field }) => field === null).map(({ record_id }) => record_id))
  return [...new Set(all.map(({ record_id }) => record_id))].filter((id) => !kept.has(id))
}

/** Whether a record that these changes created has links from others, which do not go back with it. */
async function linkedSince({ context }: Target, changes: PastChange[], undone: string[]) {
  const created = changes.filter(({ action }) => action === 'created').map(({ record_id }) => record_id)
  if (!created.length) return () => false
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const rows = await run<{ to_id: string }>(
    context.db,
    `select distinct l.to_id from links l
      join records r on r.company_id = ${company} and r.id = l.from_id and r.deleted_at is null
      where l.company_id = ${company} and l.to_id = any(${params.add(created, 'uuid[]')})
      and l.from_id <> l.to_id and l.from_id <> all(${params.add(undone, 'uuid[]')})`,
    params,
  )
  const linked = new Set(rows.map(({ to_id }) => to_id))
  return (record_id: string) => linked.has(record_id)
}

/** Records and users in earlier values that have been permanently deleted or removed. */
async function deletedAmong({ context, object }: Target, changes: PastChange[]) {
  const all = [...object.fields, ...object.archivedFields]
  const idsIn = (type: Field['type'], systemKeys: string[] = []) => {
    const keys = [...all.filter((field) => field.type === type).map(({ key }) => key), ...systemKeys]
    return changes.flatMap(({ fields }) => keys.flatMap((key) => [own(fields, key)?.from ?? []].flat() as string[]))
  }
  const [records, users] = [idsIn('relation'), idsIn('user', ['owner'])]
  const files = idsIn('file').map(idOf)
  const wanted = new Set([...records, ...users, ...files])
  if (!wanted.size) return () => false
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const existing = await run<{ id: string }>(
    context.db,
    `select id from records where company_id = ${company} and id = any(${params.add([...new Set(records)], 'uuid[]')})
      union all select id from users where company_id = ${company} and id = any(${params.add([...new Set(users)], 'uuid[]')}) and removed_at is null
      union all select id from files where company_id = ${company} and id = any(${params.add([...new Set(files)], 'uuid[]')})`,
    params,
  )
  const known = new Set(existing.map(({ id }) => id))
  return (value: unknown) => wanted.has(idOf(value)) && !known.has(idOf(value))
}

/** Of a record, a user or a file. */
const idOf = (value: unknown) => (value as Partial<FileValue> | null)?.id ?? (value as string)

/** Whether a record that these changes created was changed afterwards, not counting changes that were undone. */
async function editedSince({ context }: Target, changes: PastChange[], undone: string[]) {
  const created = changes.filter(({ action }) => action === 'created').map(({ record_id }) => record_id)
  if (!created.length) return () => false
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const sets = params.add([...undone, context.change_set_id], 'uuid[]')
  const rows = await run<{ record_id: string }>(
    context.db,
    `select distinct c.record_id from changes c
      join change_sets s on s.company_id = ${company} and s.id = c.change_set_id and s.undone_by is null
      where c.company_id = ${company} and c.record_id = any(${params.add(created, 'uuid[]')})
      and c.action <> 'created' and c.change_set_id <> all(${sets}) and (s.undo_of is null or s.undo_of <> all(${sets}))
      and not exists (select 1 from change_sets u where u.company_id = ${company} and u.undone_by = s.id)`,
    params,
  )
  const edited = new Set(rows.map(({ record_id }) => record_id))
  return (record_id: string) => edited.has(record_id)
}
