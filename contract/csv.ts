import * as z from 'zod'
import { country } from './company.ts'
import { FilterTextOrJson } from './filter/index.ts'
import { objectKey as object } from './objects.ts'
import { operation } from './operation.ts'
import { lists, on_duplicate } from './records.ts'
import { mostColumns, mostInlineKb } from './shared/limits.ts'
import { id } from './shared/shapes.ts'

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export const delimiters = [',', ';', '\t', '|'] as const
export const decimalSigns = ['.', ','] as const
export const dateOrders = ['ymd', 'dmy', 'mdy'] as const
export const fileKinds = ['csv', 'xlsx', 'json', 'vcard'] as const

const settings = {
  encoding: z.enum(encodings),
  delimiter: z.enum(delimiters),
  decimal: z.enum(decimalSigns).describe('Decimal separator'),
  date_order: z.enum(dateOrders).describe('Order of dates: dmy is 31.12.2026, mdy is 12/31/2026'),
  country: country
    .nullable()
    .describe(
      "Country for phone numbers without a country code, e.g. DE; default: the company's country, or the country of its language; null: such numbers are rejected",
    ),
}
const found = {
  kind: z.enum(fileKinds).describe('What kind of file it is, from its content'),
  sheet: z.string().max(100).nullable().describe('The sheet of a workbook that is read; null for other files'),
}
/** How a file is written. */
export const CsvFormat = z.strictObject({ ...found, ...settings }).meta({ id: 'CsvFormat' })
export type CsvFormat = z.output<typeof CsvFormat>
const format = z
  .strictObject({ ...settings, sheet: z.string().max(100).describe('The sheet of a workbook; default: the first') })
  .partial()
  .optional()
  .describe('e.g. {"decimal": ",", "date_order": "dmy"}; default: detected from the file')
  .meta({ forAgents: { type: 'object' } })

/** What may be ambiguous in a file. */
export const unsure = z.enum(['encoding', 'delimiter', 'decimal', 'date_order', 'country', 'sheet'])
export type Unsure = z.output<typeof unsure>

const file_id = id.optional().describe('CSV, XLSX, JSON or vCard, uploaded for import')
const csv = z
  .string()
  .max(mostInlineKb * 1000)
  .optional()
  .describe('CSV text, instead of file_id')

const columnName = z.string().max(500)
const mostTranslated = 500
export const importModes = ['create', 'update', 'upsert'] as const
/** What to do with a related record or an option that does not exist. */
export const ifMissing = ['create', 'leave_empty', 'fail'] as const
const if_missing = z.enum(ifMissing)
/** What to do with a row that has a value which cannot be read. */
export const onInvalid = ['fail', 'leave_out'] as const
/** A field, or a part of one: see importParts. */
const target = z.string().max(127)
const Mapped = z.union([z.null(), target, z.strictObject({ field: target, if_missing: if_missing.optional() })])

/** Types whose values may be written in several ways. */
export const readTypes = ['number', 'money', 'date', 'datetime', 'boolean'] as const

export const ImportColumn = z
  .strictObject({
    column: z
      .string()
      .describe('The header. A second column with the same name is "Name (2)"; a column without a name is "Column 3"'),
    samples: z.array(z.string()).describe('The first distinct values, shortened'),
    readings: z
      .array(z.strictObject({ type: z.enum(readTypes), values: z.array(z.string().nullable()) }))
      .describe('The first two samples as they would be read into a field of this type; null: they cannot be read'),
    field: z.string().nullable().describe('The suggested field, or a part of it; null: skip the column'),
    if_missing: if_missing
      .nullable()
      .describe('Suggested choice: as in the earlier import, or leave_empty for IDs of another system'),
    suggested_by: z
      .enum(['header', 'content', 'earlier_import'])
      .nullable()
      .describe('Basis of the suggestion; earlier_import: how a file with the same columns was imported last'),
    note: z.string().nullable().describe('Why the column is skipped, or what its empty cells mean'),
    is_lost: z.boolean().describe('It has content that nothing else in the file has, and no field was found for it'),
  })
  .meta({ id: 'ImportColumn' })

export const OldIds = z
  .strictObject({
    column: z.string(),
    field: z.string().nullable().describe('The unique field in which the object keeps them; null: it has none yet'),
  })
  .nullable()
  .describe('The IDs that its rows have in the old system')

export const exportFormats = ['csv', 'xlsx', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const csvOperations = {
  exportRecords: operation({
    summary: 'Export records as a CSV, XLSX or JSONL file',
    http: 'POST /records/:object/export',
    access: 'records.export',
    effect: 'add',
    input: z.strictObject({
      object,
      filter: FilterTextOrJson.optional().describe('Only records that match'),
      view_id: id
        .optional()
        .describe('View whose filter, sort and columns apply unless you set them')
        .meta({ forAgents: 'hidden' }),
      sort: z.array(z.string().max(200)).max(5).optional().describe('e.g. ["-score"]; default: newest first'),
      fields: z
        .array(z.string().max(200))
        .min(1)
        .max(mostColumns)
        .optional()
        .describe('Columns, in order; default: all fields'),
      // No default: it would become part of every input, and a request sent again after an upgrade would not be recognized.
      format: z.enum(exportFormats).optional().describe('Default: csv'),
      headers: z
        .enum(['labels', 'keys'])
        .default('labels')
        .describe('Content of the header row')
        .meta({ forAgents: 'hidden' }),
      delimiter: z
        .enum([',', ';'])
        .default(',')
        .describe('";" also writes decimal commas, as German and French spreadsheets expect')
        .meta({ forAgents: 'hidden' }),
    }),
    output: z
      .strictObject({ job_id: id.describe('The job; its result contains the ID of the file') })
      .meta({ id: 'ExportStarted' }),
    tool: 'Exports records as a file, as a job. Download the file with the same API key from /api/v1/files/{result.file_id}/content.',
  }),
  previewImport: operation({
    summary: 'Preview a file and suggest a field for each column',
    http: 'POST /records/:object/import-preview',
    access: 'records.create',
    effect: 'read',
    largeBody: true,
    input: z.strictObject({ object, file_id, csv, format }),
    output: z
      .strictObject({
        format: CsvFormat.describe('Your format; missing settings are detected from the first 1,000 rows'),
        unsure: z.array(unsure).describe('Settings that are ambiguous in the file: ask the user'),
        sheets: z
          .array(z.string())
          .describe('Sheets of a workbook that have content')
          .meta({ forAgents: 'unless empty' }),
        columns: z.array(ImportColumn),
        old_ids: OldIds,
        implied: z
          .record(z.string(), z.string())
          .describe('What all rows are, because of what the file is: {"kind": "call"} of a file of calls')
          .meta({ forAgents: 'unless empty' }),
        earlier: z
          .strictObject({
            mode: z.enum(importModes),
            match_by: z.string().nullable(),
            empty_cells: z.enum(['keep', 'clear']),
            lists: z.enum(['add', 'replace']).nullable(),
            values: z.record(z.string(), z.record(z.string(), z.string())),
            at: z.iso.datetime(),
          })
          .nullable()
          .describe('How a file with the same columns was imported last'),
        rows: z.int().describe('Rows after the header; an estimate for large files'),
        is_exact: z.boolean().describe('false: rows is an estimate'),
      })
      .meta({ id: 'ImportPreview' }),
  }),
  importRecords: operation({
    summary: 'Import records from a file in the background',
    http: 'POST /records/:object/import',
    access: 'records.create',
    effect: 'change',
    largeBody: true,
    input: z.strictObject({
      object,
      file_id,
      csv,
      format,
      mapping: z
        .record(columnName, Mapped)
        .optional()
        .describe('Field by column: {"E-mail": "emails", "Fax": null}; others are matched by name'),
      values: z
        .record(columnName, z.record(z.string().max(mostTranslated), z.string().max(mostTranslated)))
        .optional()
        .describe('What cells mean, by column: {"Stage": {"Proposal made": "Proposal"}}; "": leave empty')
        .meta({ forAgents: 'hidden' }),
      mode: z.enum(importModes).default('create').describe('upsert: update existing and create others'),
      match_by: z.string().max(63).optional().describe('Finds the record to update: a mapped unique field, or id'),
      if_missing: if_missing.default('fail').describe('For related records and options that do not exist'),
      empty_cells: z.enum(['keep', 'clear']).default('keep').describe('clear: empty cells clear values'),
      on_invalid: z.enum(onInvalid).default('fail').describe('Unreadable values fail the row, or are left out'),
      lists,
      on_duplicate: on_duplicate.describe(
        'For probable duplicates: create (default), update or skip certain ones, or fail',
      ),
      dry_run: z.boolean().default(false).describe('Preview only'),
      check_id: id.optional().describe('Job ID of a dry run, to import what it checked; only with object'),
    }),
    output: z
      .strictObject({
        job_id: id.describe('The job; its result counts created and updated records'),
        file_id: id,
        format: CsvFormat.describe('The format used to read the file'),
        mapping: z.record(z.string(), z.string().nullable()).describe('Field by column; null: skipped'),
        dry_run: z.boolean(),
        unsure: z
          .array(unsure)
          .describe('Settings that are ambiguous in the file; format contains the guess')
          .meta({ forAgents: 'unless empty' }),
        advice: z
          .string()
          .nullable()
          .describe('How to resolve the ambiguous settings')
          .meta({ forAgents: 'unless null' }),
      })
      .meta({ id: 'ImportStarted' }),
    tool: 'Imports records from CSV as a job: use dry_run first and track it with get_job. Related records are matched by name, unique value or ID.',
  }),
}
