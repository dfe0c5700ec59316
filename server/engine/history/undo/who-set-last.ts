// Which change set each value last. A value that someone else set again later is theirs, even if it is the same one.
import { isDeepStrictEqual } from 'node:util'
import type { Patch } from '../../../kernel/context.ts'
import { actorOf, type Changed, type Context } from '../../../kernel/context.ts'
import { Params, run } from '../../../kernel/statement.ts'

type Made = Pick<Changed, 'record_id' | 'action' | 'fields'> & { change_set_id: string; version: number | null }
type Later = Made & { version: number; is_undo: boolean }
/** A version of the record and what it set the value to. The first is what there was before. */
type Setting = { version: number | null; value: unknown }
export type SetLast = ReturnType<typeof settings>

/** Whether a record is in the trash counts as a value, too. */
export const inTrash = ''

/** For changes of records that are to be undone. `sets`: all change sets that are. */
export async function settersOf(context: Context, changes: Made[], sets: string[]) {
  const first = new Map<string, number>()
  for (const { record_id, version } of changes)
    if (version !== null) first.set(record_id, Math.min(version, first.get(record_id) ?? version))
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const since = `unnest(${params.add([...first.keys()], 'uuid[]')}, ${params.add([...first.values()], 'int[]')})`
  const later = first.size
    ? await run<Later>(
        context.db,
        `select c.change_set_id, c.record_id, c.action, c.fields, c.version, s.operation = 'undoChanges' as is_undo
          from ${since} w(record_id, version)
          join changes c on c.company_id = ${company} and c.record_id = w.record_id and c.version >= w.version
          join change_sets s on s.company_id = ${company} and s.id = c.change_set_id order by c.version`,
        params,
      )
    : []
  const byRecord = Map.groupBy(later, ({ record_id }) => record_id)
  const cached = new Map<string, SetLast>()
  return (record_id: string) => {
    const known = cached.get(record_id) ?? settings(byRecord.get(record_id) ?? [], new Set(sets))
    cached.set(record_id, known)
    return known
  }
}

/** Of one record, from the first of the changes that are to be undone. */
function settings(history: Later[], sets: Set<string>) {
  const byKey = new Map<string, { list: Setting[]; undone: Setting[] }>()
  for (const { change_set_id, version, is_undo, action, fields } of history)
    for (const [key, { from, to }] of Object.entries(withTrash(action, fields))) {
      const known = byKey.get(key) ?? { list: [{ version: null, value: from }], undone: [] }
      byKey.set(key, known)
      if (!is_undo || sets.has(change_set_id) || !goBack(known, to)) known.list.push({ version, value: to })
    }
  const last = (key: string) => byKey.get(key)?.list.at(-1)
  return {
    /** Changes of older versions of Kith have no version, so later ones are not known. */
    isBy: (key: string, version: number | null) => version === null || last(key)?.version === version,
    /** It is as before this change now. */
    takenBack: (key: string) => void byKey.get(key)?.list.pop(),
  }
}

/** An undo gives a value back to the change that had set it; undoing that undo gives it to the one that was undone. */
function goBack({ list, undone }: { list: Setting[]; undone: Setting[] }, to: unknown) {
  const isSame = ({ value }: Setting) => isDeepStrictEqual(value, to)
  const back = list.findLastIndex(isSame)
  if (back >= 0) {
    undone.push(...list.splice(back + 1))
    return true
  }
  const again = undone.findLastIndex(isSame)
  if (again < 0) return false
  list.push(...undone.splice(again, 1))
  return true
}

function withTrash(action: Changed['action'], fields: Patch): Patch {
  if (action !== 'deleted' && action !== 'restored') return fields
  return { ...fields, [inTrash]: { from: action === 'restored', to: action === 'deleted' } }
}
