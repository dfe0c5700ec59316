import type { contract } from '../../../contract/index.ts'
import { mostUploadMb } from '../../../contract/shared/limits.ts'
import { routes } from '../../../contract/shared/routes.ts'
import { createClient } from '../../client/api.ts'
import { wordsOf } from '../../ui/basics/errors.ts'
import { sendWithProgress } from '../../ui/form/file-drop.tsx'

/** For the file picker. */
export const importable =
  '.csv,.tsv,.txt,.xlsx,.xlsm,.vcf,.json,.jsonl,.ndjson,text/csv,text/tab-separated-values,text/vcard'

export function uploadForImport(file: File, onPercent: (percent: number) => void, signal: AbortSignal) {
  const client = createClient<Pick<typeof contract, 'uploadFile'>>(
    { uploadFile: routes.uploadFile },
    '/app/api',
    sendWithProgress(onPercent, signal),
  )
  return client.uploadFile({ purpose: 'import', name: file.name, file })
}

class Refused extends Error {}

export function refuseUnusable({ name, size }: File) {
  const refusal = refusalOf(name, size)
  if (refusal) throw new Refused(refusal)
}

const otherSpreadsheet = /\.(xls|ods|numbers)$/i

function refusalOf(name: string, size: number) {
  if (otherSpreadsheet.test(name)) return 'Save this spreadsheet as .xlsx or CSV first, then choose that file.'
  if (size === 0) return 'This file is empty. Choose another one.'
  return size > mostUploadMb * 1024 * 1024 ? `This file is larger than ${mostUploadMb} MB. Split it first.` : undefined
}

export const whyNotUploaded = (error: Error) => (error instanceof Refused ? error.message : wordsOf(error))
