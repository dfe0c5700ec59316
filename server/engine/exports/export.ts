// Starts the export of a list: checked now, written by a job.
import type { csvOperations, ExportFormat } from '../../../contract/csv.ts'
import type { FilterInput } from '../../../contract/filter/index.ts'
import type { Parsed } from '../../../contract/operation.ts'
import { startJob } from '../../jobs/job.ts'
import { AppError, referenced } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { linkedObject } from '../read/fields.ts'
import { readSort } from '../read/page.ts'
import { storeFilter } from '../read/stored-filter.ts'
import { findObject, refuse, rightsFor, seenBy } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { getView } from '../views/operations.ts'
import { columnsOf } from './export-columns.ts'

export type ExportInput = {
  filter: string
  sort: string[]
  fields?: string[]
  headers: 'labels' | 'keys'
  delimiter: ',' | ';'
  format?: ExportFormat | undefined
  at: string
}

export async function startExport(context: Context, asked: Parsed<typeof csvOperations.exportRecords>) {
  const { headers, delimiter, format, view_id } = asked
  const target = await readableTarget(context, asked.object)
  const { schema, object } = target
  const view = view_id === undefined ? undefined : await referenced('view_id', () => getView(context, schema, view_id))
  if (view && view.object !== object.key)
    throw new AppError('invalid_input', `This view shows ${view.object}, not ${object.key}.`, {
      errors: [{ path: 'view_id', message: `Use a view of ${object.key}` }],
    })
  const given = (asked.filter ?? view?.filter ?? '') as string | FilterInput
  const filter = given === '' ? '' : (await storeFilter(context, schema, object, given)).text
  const sort = asked.sort ?? view?.sort ?? []
  const fields = asked.fields ?? (view?.columns.length ? view.columns.map(({ key }) => key) : undefined)
  readSort(seenBy(actorOf(context), object), sort, linkedObject(schema, actorOf(context)))
  columnsOf(target, fields, headers)
  const at = context.now.toISOString()
  const input: ExportInput = { filter, sort, ...(fields && { fields }), headers, delimiter, format, at }
  return { job_id: startJob(context, { kind: 'export', object: object.key, input }).job_id }
}

export async function readableTarget(context: Context, key: string): Promise<Target> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const object = findObject(schema, actor, key)
  if (rightsFor(actor, key).read === 'none') throw refuse(actor, 'read', object)
  return { context, schema, object }
}
