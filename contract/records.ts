import * as z from 'zod'
import { FilterTextOrJson, limits, longestSearch } from './filter/index.ts'
import { objectKey as object } from './objects.ts'
import { operation } from './operation.ts'
import { countedUpTo } from './shared/limits.ts'
import {
  BulkAnswer,
  ChangedRecords,
  CreatedRecords,
  DeletedRecords,
  duplicateActions,
  RecordAnswer,
  RecordPage,
  untrusted_fields,
  WrittenRecords,
} from './shared/record-shapes.ts'
import { id, nothing, pageOf } from './shared/shapes.ts'

export const mostRecords = 100
const counted = countedUpTo.toLocaleString('en')

export const values = z.record(z.string().max(63), z.unknown()).meta({ id: 'RecordValues' })
export const dry_run = z.boolean().default(false).describe('Preview only')
// No default: it would become part of every input, and a request sent again after an upgrade would not be recognized.
const wanted = z.enum(['changed', 'record']).optional().describe('Default: changed')
/** What lists do, such as emails, tags and relations to many. No default, as for `wanted`. */
export const lists = z
  .enum(['add', 'replace'])
  .optional()
  .describe('Whether values of lists are added to the existing ones (default) or replace them')
/** No default, as for `wanted`. */
export const on_duplicate = z
  .enum(duplicateActions)
  .optional()
  .describe('For duplicates: create (default), update or skip certain ones, or fail')
const ids = z.array(id).min(1).max(mostRecords).describe('Record IDs')
const filter = FilterTextOrJson.optional().describe('e.g. status = active and score > 50')
const filterWithOperators = filter.describe(
  'e.g. status = active and name ~ "dental" and owner = me; also !=, >, in (a, b), ends with, is empty, has any (a), any(deals: stage = won), quiet for 14d, created_at in this_month',
)
const sort = z
  .array(z.string().max(200))
  .max(5)
  .optional()
  .describe('e.g. ["-score", "organization.country"]; default: newest first')
const fields = z
  .array(z.string().max(200))
  .max(100)
  .optional()
  .describe('Fields, e.g. ["title", "organization.name", "owner.name"]; *: all')
/** Up to this many of each relation for a record; fewer if there are many records. */
export const mostRelated = 100
const related = z
  .record(z.string().max(130), z.array(z.string().max(63)).max(30))
  .refine((paths) => Object.keys(paths).length <= 20, 'Use at most 20 relations')
  .optional()
  .describe('Related records to return in $related: {"deals": ["stage"], "people.tasks": []}')
  .meta({ forAgents: { type: 'object' } })
const is_deleted = z.boolean().optional().describe('Only records in the trash')
const page = {
  limit: z.int().min(1).max(mostRecords).default(20).describe('Page size'),
  cursor: z.string().max(4000).optional().describe('From next_cursor'),
}

/** Maximum number of records that a single call changes by filter. */
export const mostByFilter = 1000
export const mostMerged = 20
export const mostBulkIds = 10_000
const many = {
  filter: FilterTextOrJson.optional().describe('Filter that selects the records'),
  ids: z.array(id).min(1).max(mostBulkIds).optional().describe('IDs of the records, instead of a filter'),
  at_most: z.int().min(0).optional().describe('Fails with 409 if more records than this match'),
}
const byFilter = FilterTextOrJson.optional().describe('Filter that selects the records, instead')
const written = { effect: 'change', output: WrittenRecords } as const
const by = z
  .strictObject({ field: z.string().max(63), value: z.string().max(500) })
  .describe('e.g. {"field": "emails", "value": "ada@example.com"}')

const linksOf = (to: string) =>
  z.strictObject({
    object,
    id: id.describe('Record ID'),
    field: z.string().max(63).describe('Relation field, e.g. people'),
    to: ids.describe(to),
    dry_run,
  })

export const records = {
  listRecords: operation({
    summary: 'List records',
    http: 'GET /records/:object',
    replaces: [{ fields: { deleted: 'is_deleted', backwards: 'is_backwards' } }],
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({
      object,
      filter: z.string().max(limits.characters).optional(),
      sort,
      fields,
      is_deleted,
      is_backwards: z.boolean().optional().describe('List from last to first'),
      ...page,
    }),
    output: RecordPage,
  }),
  queryRecords: operation({
    summary: 'Find records by filter',
    http: 'POST /records/:object/query',
    replaces: [{ fields: { deleted: 'is_deleted' } }],
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({ object, filter: filterWithOperators, sort, fields, related, is_deleted, ...page }),
    output: RecordPage,
    tool: 'Finds records of one object by filter, optionally with related records. Use search_records if you only know a name.',
  }),
  countRecords: operation({
    summary: 'Count records',
    http: 'POST /records/:object/count',
    replaces: [{ fields: { deleted: 'is_deleted', exact: 'is_exact' } }],
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({
      object,
      filter,
      is_deleted,
      is_exact: z.boolean().default(false).describe(`Count exactly, even above ${counted}`),
    }),
    output: z.strictObject({ count: z.int(), is_exact: z.boolean().describe('false: at least this many') }),
    tool: `Counts the records that match a filter; up to ${counted} unless is_exact is true.`,
  }),
  validateFilter: operation({
    summary: 'Check a filter and explain it',
    http: 'POST /records/:object/filter-check',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({ object, filter: FilterTextOrJson.describe('The filter') }),
    output: z.strictObject({
      is_valid: z.boolean(),
      faults: z.array(z.looseObject({ message: z.string() })),
      text: z.string().nullable(),
      named: z.string().nullable().meta({ forAgents: 'hidden' }).describe('The text, with unique names instead of IDs'),
      json: z.unknown(),
      explanation: z.string().nullable(),
    }),
    tool: 'Checks a filter without running it. Returns its errors, or its meaning in plain English.',
  }),
  getRecord: operation({
    summary: 'Get a record',
    http: 'GET /records/:object/:id',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({ object, id, fields }),
    output: RecordAnswer,
  }),
  getRecords: operation({
    summary: 'Get records by ID or unique value',
    http: 'POST /records/:object/lookup',
    replaces: [{ http: 'POST /records/:object/get' }],
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({
      object,
      ids: ids.optional().describe('Record IDs'),
      by: z.array(by).max(mostRecords).optional().describe('Unique values, instead of ids'),
      fields,
      related,
    }),
    output: z.strictObject({
      records: z.array(RecordAnswer),
      missing: z
        .array(z.string())
        .describe('IDs and values without a record that you can read. If none has one, the response is 404')
        .meta({ forAgents: 'unless empty' }),
      untrusted_fields,
    }),
    tool: 'Gets records by ID or unique value, e.g. an email address. Those not found are in missing.',
  }),
  getRecordTitles: operation({
    summary: 'Get the titles of records of any object',
    http: 'POST /titles',
    replaces: [{ name: 'titleRecords', fields: { deleted: 'include_deleted' } }],
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({ ids, include_deleted: z.boolean().optional().describe('Include records in the trash') }),
    output: z
      .strictObject({
        items: z.array(
          z.strictObject({
            object: z.string(),
            id,
            title: z.string(),
            is_private: z
              .literal(true)
              .optional()
              .describe(
                'You cannot read this record. Its title is e.g. "Private organization", unless your role shows names',
              ),
          }),
        ),
      })
      .meta({ id: 'Titles', description: 'Omits objects you cannot read and, unless requested, deleted records' }),
  }),
  listSharedValues: operation({
    summary: 'List unique values that several records share after an upgrade',
    http: 'GET /shared-values',
    access: 'admin',
    effect: 'read',
    input: z.strictObject({}),
    output: z
      .strictObject({
        items: z.array(
          z.strictObject({
            object: z.string(),
            field: z.string(),
            value: z.string().describe('Value as normalized for comparison'),
            records: z.array(z.strictObject({ id, title: z.string() })),
          }),
        ),
        has_more: z.boolean().describe(`Whether there are more than ${mostRecords}`),
      })
      .meta({ id: 'SharedValues', description: 'Merge these records, or remove the value from all but one of them' }),
  }),
  createRecords: operation({
    summary: 'Create records',
    http: 'POST /records/:object',
    largeBody: true,
    access: 'records.create',
    effect: 'add',
    input: z.strictObject({
      object,
      records: z.array(values).min(1).max(mostRecords).describe('Values by field key'),
      on_duplicate,
      dry_run,
      return: wanted,
    }),
    output: CreatedRecords,
    tool: `Creates up to ${mostRecords} records of one object, all or none, and reports duplicates. Users and related records can be names, times relative (+3d).`,
    untrusted: ['title', 'reasons'],
  }),
  updateRecords: operation({
    summary: 'Update records',
    http: 'PATCH /records/:object',
    largeBody: true,
    access: 'records.edit',
    effect: 'change',
    input: z.strictObject({
      object,
      records: z
        .array(
          z.strictObject({
            id,
            version: z.int().optional().describe('Fails if the record changed since this version'),
            values: values.describe('Fields to change; null clears a field'),
          }),
        )
        .min(1)
        .max(mostRecords)
        .optional()
        .describe('Records to change, by ID'),
      filter: byFilter,
      values: values.optional().describe('With filter: fields to change'),
      dry_run,
      return: wanted,
    }),
    output: ChangedRecords,
    tool: `Changes up to ${mostRecords} records by ID, or up to ${mostByFilter.toLocaleString('en')} by filter, all or none. A list is replaced as a whole; {"tags": {"add": ["vip"], "remove": ["old"]}} changes part of it, relations included.`,
    untrusted: ['title'],
  }),
  upsertRecords: operation({
    summary: 'Create records or update existing ones',
    http: 'POST /records/:object/upsert',
    replaces: [{ http: 'PUT /records/:object' }],
    largeBody: true,
    access: 'records.create',
    ...written,
    input: z.strictObject({
      object,
      match_on: z.string().max(63).describe('A unique field, such as emails'),
      records: z.array(values).min(1).max(mostRecords).describe('Values by field key, including match_on'),
      lists,
      dry_run,
      return: wanted.meta({ forAgents: 'hidden' }),
    }),
    tool: 'Updates the record with the same unique value, or creates it. Use it to avoid duplicates.',
    untrusted: ['title'],
  }),
  deleteRecords: operation({
    summary: 'Move records to the trash',
    http: 'POST /records/:object/deletion',
    access: 'records.delete',
    effect: 'destroy',
    input: z.strictObject({ object, ids: ids.optional().describe('Record IDs'), filter: byFilter, dry_run }),
    output: DeletedRecords,
    tool: 'Moves records to the trash, by ID or by filter. undo_changes restores them for trash_days.',
    untrusted: ['title'],
  }),
  listTrash: operation({
    summary: 'List records in the trash, last deleted first',
    http: 'GET /trash',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({
      q: z.string().trim().min(1).max(longestSearch).optional().describe('Only records that contain these words'),
      object: object.optional().describe('Only records of this object'),
      deleted_by: id.optional().describe('Only records deleted by this user'),
      ...page,
    }),
    output: pageOf(
      z.strictObject({
        object: z.string(),
        id,
        title: z.string(),
        deleted_at: z.string(),
        deleted_by: id.nullable(),
        deleted_with: z
          .strictObject({ api_key_name: z.string().nullable(), client: z.string().nullable() })
          .nullable()
          .describe('API key and client, if you can see the change'),
      }),
    ).meta({ id: 'Trash' }),
  }),
  restoreRecords: operation({
    summary: 'Restore records from the trash',
    http: 'POST /records/:object/restoration',
    access: 'records.delete',
    ...written,
    input: z.strictObject({ object, ids, dry_run }),
  }),
  purgeRecords: operation({
    summary: 'Permanently delete records in the trash; this cannot be undone',
    http: 'POST /records/:object/purge',
    access: 'admin',
    effect: 'destroy',
    input: z.strictObject({ object, ids, dry_run }),
    output: z
      .strictObject({
        purged: z.int(),
        job_id: id.nullable().describe('Set if many records link to these; a job then deletes them'),
        dry_run: z.boolean(),
      })
      .meta({ id: 'Purged' }),
  }),
  placeRecord: operation({
    summary: 'Move a record in the manual order of boards',
    http: 'POST /records/:object/:id/place',
    access: 'records.edit',
    effect: 'change',
    input: z.strictObject({
      object,
      id,
      above: id.optional().describe('Place it directly above this record; omitted: at the end'),
      below: id.optional().describe('Place it directly below this record; omitted: at the top'),
    }),
    output: nothing,
  }),
  bulkUpdateRecords: operation({
    summary: 'Update many records in the background',
    http: 'POST /records/:object/bulk-update',
    access: 'records.edit',
    effect: 'change',
    largeBody: true,
    input: z.strictObject({ object, ...many, values, dry_run }),
    output: BulkAnswer,
  }),
  bulkDeleteRecords: operation({
    summary: 'Move many records to the trash in the background',
    http: 'POST /records/:object/bulk-deletion',
    replaces: [{ http: 'POST /records/:object/bulk-delete' }],
    access: 'records.delete',
    effect: 'destroy',
    largeBody: true,
    input: z.strictObject({ object, ...many, dry_run }),
    output: BulkAnswer,
  }),
  linkRecords: operation({
    summary: 'Link records',
    http: 'POST /records/:object/:id/links',
    access: 'records.edit',
    ...written,
    input: linksOf('IDs to link to'),
  }),
  unlinkRecords: operation({
    summary: 'Unlink records',
    http: 'POST /records/:object/:id/links/deletion',
    replaces: [{ http: 'POST /records/:object/:id/unlinking' }],
    access: 'records.edit',
    ...written,
    input: linksOf('IDs to unlink'),
  }),
}
