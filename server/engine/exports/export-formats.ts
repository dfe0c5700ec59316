// The kinds of files that an export can be, each written row by row.
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { ExportFormat } from '../../../contract/csv.ts'
import { bom, toCsv } from '../../platform/csv.ts'
import { type CellField, type NameOf, textIn } from '../cells/write-cell.ts'
import { isSheetDay, type SheetCell, writeSheet } from '../tables/write-xlsx.ts'
import type { Shown } from '../values/from-row.ts'
import { type Columns, headerRow, plainHeaders, rowsOf } from './export-columns.ts'

export type ExportFile = {
  content: Readable
  write(records: Shown[], nameOf: NameOf): Promise<unknown>
  end(): void
}
type Settings = { columns: Columns; delimiter: ',' | ';'; title: string }

export const openExportFile = (format: ExportFormat, settings: Settings): Promise<ExportFile> | ExportFile =>
  ({ csv: csvFile, xlsx: workbook, jsonl: jsonLines })[format](settings)

function csvFile({ columns, delimiter }: Settings): ExportFile {
  const content = new PassThrough()
  const decimal = delimiter === ';' ? ',' : '.'
  content.write(bom + toCsv([headerRow(columns)], delimiter))
  return {
    content,
    write: (records, nameOf) => put(content, toCsv(rowsOf(columns, records, nameOf, decimal), delimiter)),
    end: () => content.end(),
  }
}

/** Records as programs read them, with the keys of their fields. */
function jsonLines({ columns }: Settings): ExportFile {
  const content = new PassThrough()
  const lineOf = (record: Shown) =>
    JSON.stringify(
      Object.fromEntries(
        columns.all.flatMap(({ path, field, inner }) => {
          const whole = record[field.key]
          const value = inner ? (whole as Shown | null)?.[inner.key] : whole
          return value === undefined || value === null ? [] : [[path, value]]
        }),
      ),
    )
  return {
    content,
    write: (records) => put(content, records.map((record) => `${lineOf(record)}\n`).join('')),
    end: () => content.end(),
  }
}

async function workbook({ columns, title }: Settings): Promise<ExportFile> {
  const sheet = writeSheet(title)
  await sheet.write([plainHeaders(columns)], true)
  return {
    content: sheet.content,
    async write(records, nameOf) {
      const rows = records.map((record) =>
        columns.all.map(({ field, inner }) => {
          const value = record[field.key]
          return inner
            ? sheetCell(inner, (value as Shown | null)?.[inner.key], nameOf)
            : sheetCell(field, value, nameOf)
        }),
      )
      if (!(await sheet.write(rows))) await sheet.drained()
    },
    end: sheet.end,
  }
}

/** Numbers, days and amounts are what they are in a spreadsheet, so that it sorts and sums them. */
function sheetCell(field: CellField, value: unknown, nameOf: NameOf): SheetCell {
  if (value === null || value === undefined) return null
  if (field.type === 'number' && isShort(String(value))) return value as number
  if (field.type === 'date' && isSheetDay(value as string)) return { day: value as string }
  if (field.type === 'money') {
    const { amount, currency } = value as { amount: string; currency: string }
    if (isShort(amount)) return { amount: Number(amount), currency }
  }
  return textIn(field, value, nameOf, '.')
}

/** Spreadsheets know 15 digits of a number. */
const isShort = (digits: string) => digits.replace(/\D/g, '').length <= 15

/** If the disk is full, storing fails and nothing drains: the caller waits for that, too. */
async function put(content: PassThrough, text: string) {
  if (!content.write(text)) await once(content, 'drain')
}
