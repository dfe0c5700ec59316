// Where the CSV of an import comes from: a file that was uploaded, or text that was sent with the call.
import { type Files, findOwnFile, readFile } from '../../files/queries.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import { refusedFile, type Source } from './rows.ts'

type Given = { file_id?: string | undefined; csv?: string | undefined }

export async function sourceOf(files: Files, context: Context, { file_id, csv }: Given): Promise<Source> {
  if ((file_id === undefined) === (csv === undefined))
    throw new AppError('invalid_input', 'Send either file_id or csv.', {
      errors: [{ path: 'file_id', message: 'Send either file_id or csv' }],
    })
  return csv === undefined ? storedSource(files, context, file_id!) : inlineSource(csv)
}

export const inlineName = 'import.csv'

function inlineSource(csv: string): Source {
  const content = Buffer.from(csv)
  return { name: inlineName, size: content.length, read: async () => piecesOf(content) }
}

async function* piecesOf(content: Buffer) {
  yield content
}

export async function storedSource(files: Files, context: Context, id: string): Promise<Source> {
  const file = await findOwnFile(context, id, 'import')
  if (!file) throw noFile()
  const { name, size, type } = file
  if (type !== 'text/csv' && type !== 'text/plain') throw notCsv(type)
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

const noFile = () => new AppError('not_found', 'There is no such file, or it has expired. Upload it again.')

const notCsv = (type: string) =>
  refusedFile(
    type.includes('spreadsheet') || type === 'application/zip'
      ? 'It is a workbook or an archive, not CSV. Open it in a spreadsheet and save it as CSV (UTF-8)'
      : 'It is not text. Save it as CSV (UTF-8)',
  )
