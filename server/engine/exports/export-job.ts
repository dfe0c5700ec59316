// Writes an export, portion by portion, from one snapshot of the database. The file appears when it is complete; after
// an interruption the export begins again.

import { localDay } from '../../../contract/filter/zones.ts'
import { addFile, type Files, keepBytes } from '../../files/queries.ts'
import type { Job, JobHandler } from '../../jobs/job.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { allRecords } from '../read/all-records.ts'
import { expand } from '../read/fields.ts'
import { countRecords } from '../read/query.ts'
import { mostSheetRows } from '../tables/write-xlsx.ts'
import { shown } from '../values/from-row.ts'
import { type ExportInput, readableTarget } from './export.ts'
import { columnsOf, namedFields } from './export-columns.ts'
import { openExportFile } from './export-formats.ts'
import { namesIn } from './export-names.ts'

const keptMs = 7 * dayMs
/** Of more, Admins are notified. */
const manyRecords = 10_000
type Services = { files: Files; heavyDb: Db; heavyAsOf: () => Date }

export const exportStep =
  (services: Services): JobHandler =>
  async ({ context, job, kept }) => {
    refuseWithoutGrant(context)
    const session = await kept(() => openSession(services, context, job))
    if (session.rights !== rightsIn(context))
      throw new AppError('forbidden', 'Your permissions changed during the export, so it was stopped. Start it again.')
    const isFromStart = session.rows === 0
    const written = await session.writeNext()
    const step = { cursor: null, done: written ?? 0, total: session.total, isFromStart }
    if (written !== undefined) return { ...step, isLast: false }
    const { rows } = session
    const name = `${job.object}-${localDay(context.now.getTime(), session.time_zone)}.${session.format}`
    const expires_at = new Date(context.now.getTime() + keptMs)
    const file = await addFile(services.files, context, await session.finish(), { purpose: 'export', name, expires_at })
    const { filter } = job.input as ExportInput
    if (rows > manyRecords) context.emit('records.exported', { object: job.object, count: rows })
    context.audit('records.exported', { target_id: file.id, data: { object: job.object, rows, filter } })
    return {
      ...step,
      total: rows,
      isLast: true,
      result: { file_id: file.id, file_name: file.name, rows, as_of: session.as_of },
    }
  }

function refuseWithoutGrant(context: Context) {
  const actor = actorOf(context)
  if (!may(actor, 'records.export'))
    throw new AppError('forbidden', `Your role (${actor.role}) does not let you export records.`)
}

/** What was read before would not be read now. */
const rightsIn = (context: Context) => {
  const { is_admin, records } = actorOf(context)
  return JSON.stringify([is_admin, records])
}

/** A transaction that sees one state of the database, and the file that is being written from it. */
async function openSession({ files, heavyDb, heavyAsOf }: Services, step: Context, job: Job) {
  const { filter, sort, fields, headers, delimiter, format = 'csv', at } = job.input as ExportInput
  const as_of = heavyAsOf().toISOString()
  const tx = await heavyDb.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  const close = async () => {
    if (!tx.isCommitted && !tx.isRolledBack) await tx.rollback().execute()
  }
  try {
    const context: Context = { ...step, db: tx }
    const target = await readableTarget(context, job.object!)
    const { schema, object } = target
    const columns = columnsOf(target, fields, headers)
    const total = (await countRecords(context, schema, object, { filter, is_exact: true })).count
    const portions = allRecords(target, { filter, sort, at: new Date(at) })
    const users = new Map<string, string>()
    if (format === 'xlsx' && total >= mostSheetRows)
      throw new AppError(
        'conflict',
        `A sheet holds ${(mostSheetRows - 1).toLocaleString('en')} records, and these are ${total.toLocaleString('en')}. Export them as CSV.`,
      )
    const file = await openExportFile(format, { columns, delimiter, title: object.label_plural })
    const stored = keepBytes(files, step, file.content)
    // It is awaited when the session ends; until then, a failure must not end the process.
    stored.catch(() => {})
    return {
      rights: rightsIn(step),
      format,
      time_zone: actorOf(context).time_zone ?? schema.time_zone,
      total,
      as_of,
      rows: 0,
      /** How many were written; nothing at the end. */
      async writeNext() {
        const { value: portion } = await portions.next()
        if (!portion) return undefined
        const plain = portion.map((row) => shown(columns.seen, row, columns.wanted.own))
        const records = await expand(context, schema, plain, columns.wanted)
        const names = await namesIn(context, schema, records, namedFields(columns), users)
        // If the disk is full, storing fails and nothing drains.
        await Promise.race([file.write(records, names), stored])
        this.rows += portion.length
        return portion.length
      },
      /** The bytes, complete and on disk. */
      finish() {
        file.end()
        return stored
      },
      async [Symbol.asyncDispose]() {
        file.content.destroy()
        // It fails because its content was just destroyed, or its failure was already reported.
        await stored.catch(() => {})
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
