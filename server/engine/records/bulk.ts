// Updates or deletes many records in a job, in the order of their IDs.
import type { FilterInput } from '../../../contract/filter/index.ts'
import type { Parsed } from '../../../contract/operation.ts'
import type { records } from '../../../contract/records.ts'
import { type JobHandler, type Problem, type StepTools, startJob } from '../../jobs/job.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { conditionsOf } from '../read/conditions.ts'
import { storeFilter } from '../read/stored-filter.ts'
import { findObject, refuse, rightsFor } from '../rights/rights.ts'
import { type ObjectSchema, schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Values } from '../values/from-row.ts'
import { isListChange } from '../values/list-change.ts'
import { readAll } from '../write/input.ts'
import { trashRecords } from '../write/trash.ts'
import { updateRecords } from '../write/update.ts'

type BulkSelection = {
  filter?: string | FilterInput | undefined
  ids?: string[] | undefined
  at_most?: number | undefined
}
type Input = Omit<BulkSelection, 'at_most'> & { values?: Values; until: string; at: string }

export async function bulkUpdate(
  context: Context,
  { object, values, dry_run, ...wanted }: Parsed<typeof records.bulkUpdateRecords>,
) {
  const target = await targetFor(context, object, 'edit')
  if (!Object.keys(values).length)
    throw new AppError('invalid_input', 'Send the fields to change in "values".', {
      errors: [{ path: 'values', message: 'This is required' }],
    })
  // Report errors in the values now instead of once per record.
  await readAll(target, [{ values, path: 'values' }])
  return begin(target, 'bulk_update', wanted, { values }, dry_run)
}

export async function bulkDelete(
  context: Context,
  { object, dry_run, ...wanted }: Parsed<typeof records.bulkDeleteRecords>,
) {
  return begin(await targetFor(context, object, 'delete'), 'bulk_delete', wanted, {}, dry_run)
}

async function begin(
  target: Target,
  kind: 'bulk_update' | 'bulk_delete',
  wanted: BulkSelection,
  more: object,
  dry_run: boolean,
) {
  const { context, schema, object } = target
  const filter = wanted.filter === undefined ? '' : (await storeFilter(context, schema, object, wanted.filter)).text
  if (!filter === !wanted.ids?.length)
    throw new AppError('invalid_input', 'Select the records with either "filter" or "ids".', {
      errors: [{ path: 'filter', message: 'Send either a filter with at least one condition, or ids' }],
    })
  // `until` excludes records created from now on.
  const input: Input = {
    ...(wanted.ids ? { ids: wanted.ids } : { filter }),
    ...more,
    until: context.change_set_id,
    at: context.now.toISOString(),
  }
  const matched = await countMatching(target, input)
  if (matched > (wanted.at_most ?? matched))
    throw new AppError(
      'conflict',
      `${matched} records match now, more than ${wanted.at_most}. Nothing was changed. Check the number and try again.`,
    )
  if (matched > 1) refuseSharedUniques(object, input.values ?? {})
  const found = { matched, not_found: wanted.ids ? new Set(wanted.ids).size - matched : 0, dry_run }
  if (dry_run || !matched) return { ...found, job_id: null, change_set_id: null }
  return { ...found, ...startJob(context, { kind, object: object.key, input, total: matched }) }
}

/** Setting a unique value on several records can never succeed. */
export function refuseSharedUniques(object: ObjectSchema, values: Values) {
  for (const [key, value] of Object.entries(values)) {
    const isAdded = value !== null && !(isListChange(value) && !value.add?.length)
    if (!isAdded || !object.byKey.get(key)?.is_unique) continue
    const message = `${key} is unique, so it cannot be set to the same value on several records`
    throw new AppError('invalid_input', `${message}.`, { errors: [{ path: `values.${key}`, message }] })
  }
}

export const bulkUpdateStep: JobHandler = (tools) =>
  step(tools, 'edit', async (target, ids) => {
    const { values } = tools.job.input as Input
    const updates = ids.map((id) => ({ id, values: values!, path: 'values' }))
    const { changes } = await updateRecords(target, updates, false)
    return changes.filter(({ before, after }) => after.version !== before!.version).length
  })

export const bulkDeleteStep: JobHandler = (tools) =>
  step(tools, 'delete', async (target, ids) => (await trashRecords(target, ids, false)).records.length)

async function step(
  { context, job, size, write }: StepTools,
  right: 'edit' | 'delete',
  save: (target: Target, ids: string[]) => Promise<number>,
) {
  const target = await targetFor(context, job.object!, right)
  const ids = await nextIds(target, job.input as Input, job.cursor as string | null, size)
  const problems: Problem[] = []
  const changed = await write(
    ids,
    (own, some) => save({ ...target, context: own }, some),
    (record_id, { message }) => problems.push({ record_id, message }),
  )
  return { cursor: ids.at(-1) ?? null, done: ids.length, changed, problems, isLast: ids.length < size }
}

async function targetFor(context: Context, key: string, right: 'edit' | 'delete'): Promise<Target> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const object = findObject(schema, actor, key)
  if (rightsFor(actor, key)[right] === 'none') throw refuse(actor, right, object)
  return { context, schema, object }
}

async function nextIds(target: Target, input: Input, cursor: string | null, size: number) {
  const { params, where } = await matching(target, input)
  if (cursor) where.push(`r.id > ${params.add(cursor, 'uuid')}`)
  const rows = await run<{ id: string }>(
    target.context.db,
    `select r.id from records r where ${where.join(' and ')} order by r.id limit ${size}`,
    params,
  )
  return rows.map(({ id }) => id)
}

async function countMatching(target: Target, input: Input) {
  const { params, where } = await matching(target, input)
  const [row] = await run<{ count: number }>(
    target.context.db,
    `select count(*)::int as count from records r where ${where.join(' and ')}`,
    params,
  )
  return row!.count
}

async function matching({ context, schema, object }: Target, { filter, ids, until, at }: Input) {
  const params = new Params()
  const asked = { filter: filter as string | FilterInput | undefined, deleted: false, at: new Date(at) }
  const where = (await conditionsOf(context, schema, object, asked))(params)
  if (ids) where.push(`r.id = any(${params.add(ids, 'uuid[]')})`)
  return { params, where: [...where, `r.id <= ${params.add(until, 'uuid')}`] }
}
