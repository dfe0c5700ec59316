// Keeps when deals entered their stages, and tells listeners. An undone move counts as never made: its row is deleted.
import { randomUUIDv7 } from 'node:crypto'
import { actorOf } from '../../../kernel/context.ts'
import { inserting, insertingJson } from '../../../kernel/statement.ts'
import type { Target } from '../../schema/target.ts'
import { builtInValue } from '../../values/built-in-values.ts'
import type { Change } from '../../values/change.ts'
import type { Stored } from '../../values/from-row.ts'

export function noteStages(target: Target, changes: Change[]) {
  if (target.object.built_in_key !== 'deals') return
  const moved = changes.filter(({ before, after }) => stageOf(target, before) !== stageOf(target, after))
  if (!moved.length) return
  const rows = moved.map(({ after }) => rowOf(target, after))
  const { context } = target
  const undone = [...new Set(moved.flatMap(({ undoes = [] }) => undoes))]
  if (undone.length) removeUndone(target, rows, undone)
  else if (moved[0]!.before) context.write(inserting('stage_changes', rows))
  else context.insert('stage_changes', rows)
  emitMoves(target, moved)
}

const fieldOf = ({ object }: Target, deal: Stored | undefined, key: string) =>
  (deal && (builtInValue(object, deal.values, key) as string | undefined)) ?? null
const stageOf = (target: Target, deal: Stored | undefined) => fieldOf(target, deal, 'stage')

function rowOf(target: Target, deal: Stored) {
  const { context } = target
  const { company_id, user_id, api_key_id } = actorOf(context)
  const { kind = null, id = null, name = null } = context.principal ?? {}
  return {
    company_id,
    id: randomUUIDv7(),
    record_id: deal.id,
    stage: stageOf(target, deal),
    pipeline: fieldOf(target, deal, 'pipeline'),
    entered_at: fieldOf(target, deal, 'stage_entered_at') ?? context.now.toISOString(),
    actor_id: user_id || null,
    api_key_id,
    principal_kind: kind,
    principal_id: id,
    principal_name: name,
    change_set_id: context.change_set_id,
  }
}

/** The stage before is the last one again. Undoing an undo adds the row again, with its time. */
function removeUndone({ context }: Target, rows: ReturnType<typeof rowOf>[], undone: string[]) {
  const { company_id } = actorOf(context)
  context.write((params) => {
    const ids = rows.map(({ record_id }) => record_id)
    return `delete from stage_changes where company_id = ${params.add(company_id, 'uuid')}
      and record_id = any(${params.add(ids, 'uuid[]')}) and change_set_id = any(${params.add(undone, 'uuid[]')})`
  })
  context.afterwards((params) => {
    const insert = insertingJson('stage_changes', rows)(params)
    return `${insert} x where x.stage is distinct from (select t.stage from stage_changes t
      where t.company_id = ${params.add(company_id, 'uuid')} and t.record_id = x.record_id
      order by t.entered_at desc, t.id desc limit 1)`
  })
}

/** A new deal changes no stage, but it may already be won or lost. */
function emitMoves(target: Target, moved: Change[]) {
  const { context, object } = target
  const { change_set_id } = context
  const about = (list: Change[]) => ({
    object: object.key,
    record_ids: list.map(({ after }) => after.id),
    change_set_id,
  })
  const updated = moved.filter(({ before }) => before)
  const alike = Map.groupBy(updated, ({ before, after }) => `${stageOf(target, before)} ${stageOf(target, after)}`)
  for (const list of alike.values()) {
    const [{ before, after }] = list as [Change]
    context.emit('deal.stage_changed', { ...about(list), from: stageOf(target, before), to: stageOf(target, after) })
  }
  for (const kind of ['won', 'lost'] as const) {
    const is = (deal: Stored | undefined) => fieldOf(target, deal, 'status') === kind
    const reached = moved.filter(({ before, after }) => !is(before) && is(after))
    if (reached.length) context.emit(`deal.${kind}`, about(reached))
  }
}
