// Where the CSV of an import comes from: a file that was uploaded, or text that was sent with the call.
import type { CsvFormat } from '../../../contract/csv.ts'
import { type Files, findOwnFile, readFile } from '../../files/queries.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import { refusedFile, type Source } from './rows.ts'

type Encoding = CsvFormat['encoding'] | undefined
type CsvInput = { file_id?: string | undefined; csv?: string | undefined }

/** `encoding`: if it was chosen. */
export async function sourceOf(
  files: Files,
  context: Context,
  { file_id, csv }: CsvInput,
  encoding: Encoding,
): Promise<Source> {
  if ((file_id === undefined) === (csv === undefined))
    throw new AppError('invalid_input', 'Send either file_id or csv.', {
      errors: [{ path: 'file_id', message: 'Send either file_id or csv' }],
    })
  return csv === undefined ? storedSource(files, context, file_id!, encoding) : inlineSource(csv)
}

export const inlineName = 'import.csv'

function inlineSource(csv: string): Source {
  const content = Buffer.from(csv)
  return { name: inlineName, size: content.length, read: async () => piecesOf(content) }
}

async function* piecesOf(content: Buffer) {
  yield content
}

export async function storedSource(files: Files, context: Context, id: string, encoding: Encoding): Promise<Source> {
  const file = await findOwnFile(context, id, 'import')
  if (!file) throw noFile()
  const { name, size, type } = file
  // Without a mark, UTF-16 looks like anything but text.
  const isWide = type === 'application/octet-stream' && encoding?.startsWith('utf-16')
  if (type !== 'text/csv' && type !== 'text/plain' && !isWide) throw notCsv(type)
  return {
    name,
    size,
    async read() {
      const content = await readFile(files, file)
      if (!content) throw noFile()
      return content
    },
  }
}

const noFile = () => refused('file_id', 'File not found or expired. Upload it again')

const notCsv = (type: string) =>
  refusedFile(
    type.includes('spreadsheet') || type === 'application/zip'
      ? 'It is a workbook or an archive, not CSV. Open it in a spreadsheet and save it as CSV (UTF-8)'
      : 'It is not text. Save it as CSV (UTF-8), or choose its encoding if it is UTF-16',
  )
