import {
  explain,
  type Fault,
  hasFaults,
  print,
  readFilter,
  referencesIn,
  resolve,
} from '../../contract/filter/index.ts'
import type { records } from '../../contract/records.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import type { Handlers } from '../kernel/run.ts'
import { schemaOf } from '../objects/schema.ts'
import type { Target } from './apply.ts'
import { expand, readFields } from './fields.ts'
import { purge } from './purge.ts'
import { countRecords, findRecords, recordsById, situationOf } from './query.ts'
import { resolveReferences } from './resolve-references.ts'
import { findObject } from './rights.ts'
import { scopeOf } from './scope.ts'
import { shown, untrustedFields } from './stored.ts'
import { titlesOf } from './titles.ts'
import { findByUnique } from './unique.ts'
import { upsertRecords } from './upsert.ts'
import { createRecords, lock, moveRecords, noSuchRecord, readEach, refuseFaults, updateRecords } from './write.ts'

export const recordOperations: Handlers<typeof records> = {
  async listRecords(context, { object, ...question }) {
    const target = await targetOf(context, object)
    return findRecords(context, target.schema, target.object, question)
  },

  async queryRecords(context, { object, ...question }) {
    const target = await targetOf(context, object)
    return findRecords(context, target.schema, target.object, question as never)
  },

  async countRecords(context, { object, ...question }) {
    const target = await targetOf(context, object)
    return countRecords(context, target.schema, target.object, question as never)
  },

  async validateFilter(context, { object, filter }) {
    const { schema, object: root } = await targetOf(context, object)
    const read = readFilter(filter as never, { objects: scopeOf(schema, actorOf(context)), root: root.key })
    const refused = (faults: Fault[]) => ({ is_valid: false, faults, text: null, json: null, explanation: null })
    if (hasFaults(read)) return refused(read.faults)
    const result = resolve(read.checked, await situationOf(context, schema, referencesIn(read.checked)))
    if (hasFaults(result)) return refused(result.faults)
    return {
      is_valid: true,
      faults: [],
      text: print(read.filter),
      json: read.filter,
      explanation: explain(read.checked),
    }
  },

  async getRecord(context, { object, id, fields }) {
    const target = await targetOf(context, object)
    const [record] = await read(target, [id], fields, 'id')
    return record!
  },

  async getRecords(context, { object, ids = [], by = [], fields }) {
    const target = await targetOf(context, object)
    if (!ids.length && !by.length) {
      throw new AppError('invalid_input', 'Name the records by ids, or by unique values in by.', {
        errors: [{ path: 'ids', message: 'This is required' }],
      })
    }
    const found = await findByUnique(target, by)
    const records = await read(target, [...ids, ...found], fields)
    return { records, untrusted_fields: untrustedFields(target.object, fields && new Set(fields)) }
  },

  async titleRecords(context, { ids, deleted }) {
    return titlesOf(context, ids, deleted)
  },

  createRecords: {
    atOnce: true,
    async handle(context, { object, records, dry_run }) {
      return createRecords(await targetOf(context, object), records, dry_run)
    },
  },

  async updateRecords(context, { object, records, dry_run }) {
    const updates = records.map((one, i) => ({ ...one, path: `records.${i}` }))
    return updateRecords(await targetOf(context, object), updates, dry_run)
  },

  async upsertRecords(context, { object, match_on, records, dry_run }) {
    return upsertRecords(await targetOf(context, object), match_on, records, dry_run)
  },

  async deleteRecords(context, { object, ids, dry_run }) {
    return moveRecords(await targetOf(context, object), ids, 'trash', dry_run)
  },

  async restoreRecords(context, { object, ids, dry_run }) {
    return moveRecords(await targetOf(context, object), ids, 'use', dry_run)
  },

  async purgeRecords(context, { object, ids, dry_run }) {
    return purge(await targetOf(context, object), ids, dry_run)
  },

  async linkRecords(context, { object, id, field, to, dry_run }) {
    const target = await targetOf(context, object)
    const { is_multi } = relation(target, field)
    const now = await currentLinks(target, id, field)
    await refuseStrangers(target, field, now, to)
    const value = is_multi ? [...new Set([...now, ...to])] : to.at(-1)
    return updateRecords(target, [{ id, values: { [field]: value }, path: 'to' }], dry_run)
  },

  async unlinkRecords(context, { object, id, field, to, dry_run }) {
    const target = await targetOf(context, object)
    const { is_multi } = relation(target, field)
    const left = (await currentLinks(target, id, field)).filter((one) => !to.includes(one))
    return updateRecords(
      target,
      [{ id, values: { [field]: is_multi ? left : (left[0] ?? null) }, path: 'to' }],
      dry_run,
    )
  },
}

async function targetOf(context: Context, key: string): Promise<Target> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  return { context, schema, object: findObject(schema, actor, key) }
}

async function read({ context, schema, object }: Target, ids: string[], fields: string[] | undefined, path?: string) {
  const wanted = readFields(schema, actorOf(context), object, fields)
  const rows = await recordsById(context, object, ids)
  const found = [...new Set(ids)].map((id, i) => {
    const row = rows.get(id)
    if (!row) throw noSuchRecord(object, path ?? `ids.${i}`)
    return shown(object, row, wanted.own)
  })
  return expand(context, schema, found, wanted)
}

function relation({ object }: Target, key: string) {
  const field = object.byKey.get(key)
  if (field?.type === 'relation') return field
  const known = object.fields.filter(({ type }) => type === 'relation').map((one) => one.key)
  const message = `There is no relation ${key} of ${object.label.toLowerCase()}. There are: ${known.join(', ') || 'none'}`
  throw new AppError('invalid_input', message, { errors: [{ path: 'field', message }] })
}

/** Looked up before they join those that are there, so that a fault is told where the caller named it. */
async function refuseStrangers(target: Target, field: string, now: string[], to: string[]) {
  const drafts = readEach(
    target,
    to.map((id) => ({ [field]: id })),
    (i) => `to.${i}`,
  )
  const before = { values: { [field]: now }, owner_id: null }
  const faults = await resolveReferences(
    target,
    drafts,
    (i) => `to.${i}`,
    () => before,
  )
  refuseFaults(faults.map(({ path, message }) => ({ path: path.split('.').slice(0, 2).join('.'), message })))
}

/** Held until the new ones are written, so that two who link at once both succeed. */
async function currentLinks(target: Target, id: string, field: string) {
  const row = (await lock(target, [id])).get(id)
  if (!row) throw noSuchRecord(target.object, 'id')
  return [row.values[field] ?? []].flat() as string[]
}
