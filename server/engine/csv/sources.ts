// Where the rows of an import come from: a file that was uploaded, or text that was sent with the call.
import type { CsvFormat } from '../../../contract/csv.ts'
import { type Files, findOwnFile, readFile } from '../../files/queries.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import type { Offload } from '../../platform/offload.ts'
import { kindOf, readTable } from '../tables/convert.ts'
import { refusedFile, type Source } from './rows.ts'

export type Wanted = { encoding?: CsvFormat['encoding'] | undefined; sheet?: string | null | undefined }
export type Reading = { files: Files; offload: Offload }
type CsvInput = { file_id?: string | undefined; csv?: string | undefined }

/** `wanted`: what was chosen. */
export async function sourceOf(
  reading: Reading,
  context: Context,
  { file_id, csv }: CsvInput,
  wanted: Wanted = {},
): Promise<Source> {
  if ((file_id === undefined) === (csv === undefined))
    throw new AppError('invalid_input', 'Send either file_id or csv.', {
      errors: [{ path: 'file_id', message: 'Send either file_id or csv' }],
    })
  return csv === undefined ? storedSource(reading, context, file_id!, wanted) : inlineSource(csv)
}

export const inlineName = 'import.csv'

function inlineSource(csv: string): Source {
  const content = Buffer.from(csv)
  return { name: inlineName, size: content.length, read: async () => piecesOf(content) }
}

async function* piecesOf(content: Buffer) {
  yield content
}

export async function storedSource(
  { files, offload }: Reading,
  context: Context,
  id: string,
  { encoding, sheet }: Wanted,
): Promise<Source> {
  const file = await findOwnFile(context, id, 'import')
  if (!file) throw noFile()
  const { name, size, type } = file
  const open = async () => {
    const content = await readFile(files, file)
    if (!content) throw noFile()
    return content
  }
  const source = { name, size, read: open }
  const kind = encoding?.startsWith('utf-16') ? undefined : kindOf(await firstPiece(await open()))
  if (kind) {
    const content = await wholeOf(await open(), size)
    const asked = { kind, content, sheet: sheet ?? undefined }
    const table = await readTable(offload, file.company_id, asked, refusedFile)
    return { ...source, table: { ...table, kind } }
  }
  // Without a mark, UTF-16 looks like anything but text.
  const isWide = type === 'application/octet-stream' && encoding?.startsWith('utf-16')
  if (type !== 'text/csv' && type !== 'text/plain' && !isWide) throw notCsv(type)
  return source
}

async function firstPiece(content: AsyncIterable<Uint8Array>) {
  for await (const piece of content) return piece
  return new Uint8Array()
}

async function wholeOf(content: AsyncIterable<Uint8Array>, size: number) {
  const whole = new Uint8Array(size)
  let at = 0
  for await (const piece of content) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const noFile = () => refused('file_id', 'File not found or expired. Upload it again')

const notCsv = (type: string) =>
  refusedFile(
    `It is not a table${type === 'application/octet-stream' ? ', or an old or protected workbook' : ''}. Save it as .xlsx without a password or as CSV (UTF-8), or choose its encoding if it is UTF-16`,
  )
