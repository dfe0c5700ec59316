import {
  explain,
  type Fault,
  hasFaults,
  print,
  readFilter,
  referencesIn,
  resolve,
} from '../../../contract/filter/index.ts'
import type { merges } from '../../../contract/merges.ts'
import type { records } from '../../../contract/records.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { own } from '../../../contract/shared/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { linkedTitlesOf } from '../names/find-titles.ts'
import { resolveReferences } from '../names/resolve-references.ts'
import { keptById, recordsById } from '../read/by-id.ts'
import { findByUnique } from '../read/by-unique.ts'
import { situationOf } from '../read/conditions.ts'
import { expand, readFields } from '../read/fields.ts'
import { countRecords, findRecords } from '../read/query.ts'
import { addRelated, readRelated, untrustedIn } from '../read/related.ts'
import { withNames } from '../read/stored-filter.ts'
import { listTrash } from '../read/trash.ts'
import { refuse, rightsFor, seenBy } from '../rights/rights.ts'
import { scopeOf } from '../rights/scope.ts'
import { schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { shown, untrustedFields } from '../values/from-row.ts'
import { refuseFaults } from '../write/input.ts'
import { lock, noSuchRecord } from '../write/lock.ts'
import { purge } from '../write/purge.ts'
import { restoreRecords, trashRecords } from '../write/trash.ts'
import { updateRecords } from '../write/update.ts'
import { upsertRecords } from '../write/upsert.ts'
import { placeRecord } from './board-order.ts'
import { bulkDelete, bulkUpdate, refuseSharedUniques } from './bulk.ts'
import { type ByFilter, firstWritten, idsMatching, refuseBoth } from './by-filter.ts'
import { answer } from './describe-written.ts'
import { duplicateSettings } from './duplicate-settings.ts'
import { mergeRecords } from './merge.ts'
import { bulkMerge } from './merge-job.ts'
import { createUnlessDuplicate } from './on-duplicate.ts'
import { listSharedValues } from './shared-values.ts'
import { targetOf } from './target.ts'

export const recordOperations: Handlers<typeof records & typeof merges> = {
  async listRecords(context, { object, ...question }) {
    const target = await targetOf(context, object)
    return findRecords(context, target.schema, target.object, question)
  },

  async queryRecords(context, { object, ...question }) {
    const target = await targetOf(context, object)
    return findRecords(context, target.schema, target.object, question as never)
  },

  countRecords: {
    isHeavy: ({ is_exact }) => is_exact,
    async handle(context, { object, ...question }) {
      const target = await targetOf(context, object)
      return countRecords(context, target.schema, target.object, question as never)
    },
  },

  async validateFilter(context, { object, filter }) {
    const { schema, object: root } = await targetOf(context, object)
    const read = readFilter(filter as never, { objects: scopeOf(schema, actorOf(context)), root: root.key })
    const nothing = { text: null, named: null, json: null, explanation: null }
    const refused = (faults: Fault[]) => ({ is_valid: false, faults, ...nothing })
    if (hasFaults(read)) return refused(read.faults)
    const result = resolve(read.checked, await situationOf(context, schema, referencesIn(read.checked)))
    if (hasFaults(result)) return refused(result.faults)
    return {
      is_valid: true,
      faults: [],
      text: print(read.filter),
      named: await withNames(context, schema, read),
      json: read.filter,
      explanation: explain(read.checked),
    }
  },

  async getRecord(context, { object, id, fields }) {
    const target = await targetOf(context, object)
    const { records } = await read(target, [{ id, path: 'id' }], fields)
    return records[0]!
  },

  async getRecords(context, { object, ids = [], by = [], fields, related }) {
    const target = await targetOf(context, object)
    if (!ids.length && !by.length) {
      throw new AppError('invalid_input', 'Send ids, or unique values in "by".', {
        errors: [{ path: 'ids', message: 'This is required' }],
      })
    }
    const holders = await findByUnique(target, by)
    const asked = [
      ...ids.map((id, i) => ({ id, path: `ids.${i}`, name: id })),
      ...holders.map((id, i) => ({ id, path: `by.${i}`, name: by[i]!.value })),
    ]
    const wanted = readRelated(target.schema, actorOf(context), target.object, related)
    const { records: found, missing } = await read(target, asked, fields)
    const records = await addRelated(context, target.schema, found, wanted)
    const untrusted = untrustedFields(target.object, fields && new Set(fields))
    return {
      records,
      missing: missing.map(({ name }) => name),
      untrusted_fields: [...untrusted, ...untrustedIn(wanted)],
    }
  },

  async getRecordTitles(context, { ids, include_deleted }) {
    const schema = await schemaOf(context.db, actorOf(context))
    return { items: await linkedTitlesOf(context, schema, ids, include_deleted) }
  },

  listTrash: {
    isHeavy: ({ q, deleted_by }) => Boolean(q || deleted_by),
    ifSlow: 'Choose an object.',
    async handle(context, input) {
      return listTrash(context, await schemaOf(context.db, actorOf(context)), input)
    },
  },

  listSharedValues,

  createRecords: {
    // A call that must not create duplicates waits for others that create the same record.
    atOnce: ({ on_duplicate = 'create' }) => on_duplicate === 'create',
    mayRepeat: mayStill('create'),
    async handle(context, { object, ...input }) {
      return createUnlessDuplicate(await targetOf(context, object), input)
    },
  },

  updateRecords: {
    mayRepeat: mayStill('edit'),
    async handle(context, { object, records, filter, values, dry_run, return: wanted }) {
      const target = await targetOf(context, object)
      refuseBoth(records, filter as ByFilter, 'records')
      if (records) {
        if (values) throw valuesTwice()
        const updates = records.map((record, i) => ({ ...record, path: `records.${i}` }))
        return {
          ...(await answer(target, await updateRecords(target, updates, dry_run), wanted)),
          matched: null,
          shown: null,
        }
      }
      if (!Object.keys(values ?? {}).length) throw noValues()
      const ids = await idsMatching(target, filter as ByFilter)
      if (ids.length > 1) refuseSharedUniques(target.object, values!)
      const updates = ids.map((id) => ({ id, values: values!, path: 'values' }))
      const written = await updateRecords(target, updates, dry_run)
      const answered = await answer(target, firstWritten(written), wanted)
      return { ...answered, matched: ids.length, shown: answered.records.length }
    },
  },

  upsertRecords: {
    mayRepeat: mayStill('create'),
    async handle(context, { object, match_on, records, lists, dry_run, return: wanted }) {
      const target = await targetOf(context, object)
      const written = await upsertRecords(target, match_on, records, { lists, dry_run })
      const answered = await answer(target, written, wanted)
      const isNew = (i: number) => !written.changes[i]!.before
      return { ...answered, records: answered.records.map((record, i) => ({ ...record, is_new: isNew(i) })) }
    },
  },

  deleteRecords: {
    mayRepeat: mayStill('delete'),
    async handle(context, { object, ids, filter, dry_run }) {
      const target = await targetOf(context, object)
      refuseBoth(ids, filter as ByFilter, 'ids')
      const all = ids ?? (await idsMatching(target, filter as ByFilter))
      const trashed = await trashRecords(target, all, dry_run)
      const written = await answer(target, ids ? trashed : firstWritten(trashed), 'changed')
      const counts = ids ? { matched: null, shown: null } : { matched: all.length, shown: written.records.length }
      return { ...written, ...counts, trash_days: await trashDaysOf(context) }
    },
  },

  mergeRecords: {
    mayRepeat: mayStill('edit'),
    async handle(context, { object, ...input }) {
      return mergeRecords(await targetOf(context, object), input)
    },
  },

  restoreRecords: {
    mayRepeat: mayStill('delete'),
    async handle(context, { object, ids, dry_run }) {
      const target = await targetOf(context, object)
      return answer(target, await restoreRecords(target, ids, dry_run), 'changed')
    },
  },

  async purgeRecords(context, { object, ids, dry_run }) {
    return purge(await targetOf(context, object), ids, dry_run)
  },

  async placeRecord(context, { object, id, ...neighbors }) {
    await placeRecord(await targetOf(context, object), id, neighbors)
    return {}
  },

  bulkUpdateRecords: bulkUpdate,
  bulkDeleteRecords: bulkDelete,
  bulkMergeRecords: bulkMerge,
  ...duplicateSettings,

  linkRecords: {
    mayRepeat: mayStill('edit'),
    async handle(context, { object, id, field, to, dry_run }) {
      const target = await targetOf(context, object)
      const { is_multi } = relation(target, field)
      await refuseUnknownTargets(target, id, field, to)
      const value = is_multi ? { add: to } : to.at(-1)
      return answer(
        target,
        await updateRecords(target, [{ id, values: { [field]: value }, path: 'to' }], dry_run),
        'changed',
      )
    },
  },

  unlinkRecords: {
    mayRepeat: mayStill('edit'),
    async handle(context, { object, id, field, to, dry_run }) {
      const target = await targetOf(context, object)
      const { is_multi } = relation(target, field)
      const now = await currentLinks(target, id, field)
      const left = now.some((linkedId) => to.includes(linkedId)) ? null : (now[0] ?? null)
      const value = is_multi ? { remove: to } : left
      return answer(
        target,
        await updateRecords(target, [{ id, values: { [field]: value }, path: 'to' }], dry_run),
        'changed',
      )
    },
  },
}

const noValues = () =>
  new AppError('invalid_input', 'Send the fields to change in "values".', {
    errors: [{ path: 'values', message: 'This is required with a filter' }],
  })

const valuesTwice = () =>
  new AppError('invalid_input', 'Send the values of each record in "records".', {
    errors: [{ path: 'values', message: 'Only allowed with a filter' }],
  })

/** A stored response is returned again only if the role still allows this for some records of the object. */
function mayStill(right: 'create' | 'edit' | 'delete') {
  return async (context: Context, { object: key }: { object: string }) => {
    const { object } = await targetOf(context, key)
    const actor = actorOf(context)
    const allowed = rightsFor(actor, object.key)[right]
    if (!allowed || allowed === 'none') throw refuse(actor, right, object)
  }
}

/** The records that exist, and what was asked for in vain. Nothing at all is an error. A merged ID finds the kept record. */
async function read<Asked extends { id: string | undefined; path: string }>(
  target: Target,
  asked: Asked[],
  fields: string[] | undefined,
) {
  const { context, schema, object } = target
  const seen = seenBy(actorOf(context), object)
  const wanted = readFields(schema, actorOf(context), seen, fields)
  const ids = new Set(asked.flatMap(({ id }) => id ?? []))
  const rows = await recordsById(context, object, [...ids])
  const kept = await keptById(
    target,
    [...ids].filter((id) => !rows.has(id)),
  )
  const missing = asked.filter(({ id }) => !id || !(rows.has(id) || kept.has(id)))
  if (missing.length === asked.length) throw await noSuchRecord(target, missing[0]!.path)
  const records = [...ids].flatMap((id) => {
    const row = rows.get(id)
    if (row) return [shown(seen, row, wanted.own)]
    const instead = kept.get(id)
    return instead ? [{ ...shown(seen, instead, wanted.own), merged_from: id }] : []
  })
  return { records: await expand(context, schema, records, wanted), missing }
}

async function trashDaysOf(context: Context) {
  const { company_id } = actorOf(context)
  const companies = context.db.selectFrom('companies').select('trash_days').where('id', '=', company_id)
  return (await companies.executeTakeFirstOrThrow()).trash_days
}

function relation({ object }: Target, key: string) {
  const field = object.byKey.get(key)
  if (field?.type === 'relation') return field
  const known = object.fields.filter(({ type }) => type === 'relation').map(({ key }) => key)
  const message = `Relation ${key} of ${inSentence(object.label_plural)} not found. Relations: ${known.join(', ') || 'none'}`
  throw new AppError('invalid_input', message, { errors: [{ path: 'field', message }] })
}

/** Checked separately from the existing links, so that an error has the path of the caller's input. */
async function refuseUnknownTargets(target: Target, id: string, field: string, to: string[]) {
  const before = { id, values: { [field]: await currentLinks(target, id, field) }, owner_id: null }
  const drafts = to.map((name, i) => ({ values: { [field]: name }, path: `to.${i}`, before }))
  const { faults } = await resolveReferences(target, drafts)
  refuseFaults(faults.map(({ path, message }) => ({ path: path.split('.').slice(0, 2).join('.'), message })))
}

/** Locks the record, so that two concurrent calls that add links both succeed. */
async function currentLinks(target: Target, id: string, field: string) {
  const row = (await lock(target, [id])).get(id)
  if (!row) throw await noSuchRecord(target, 'id', id)
  return [own(row.values, field) ?? []].flat() as string[]
}
