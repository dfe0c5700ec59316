// Other kinds of files than CSV, read in a thread: which kind a file is, and its rows.
import type { AppError } from '../../kernel/app-error.ts'
import { type Offload, workIn } from '../../platform/offload.ts'
import { readJsonTable } from './json.ts'
import { type Table, UnreadableTable } from './table.ts'
import { readCards } from './vcard.ts'
import { readWorkbook } from './xlsx.ts'

export type Kind = 'xlsx' | 'json' | 'vcard'
type Converted = Table | { refused: string }

const inThread = workIn<typeof convert>(new URL('./convert.ts', import.meta.url), 'convert')
/** Of CPU time, beyond the usual. */
const moreMsPerMb = 2000

/** By its first bytes; undefined: probably CSV. */
export function kindOf(head: Uint8Array): Kind | undefined {
  const text = Buffer.from(head)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  if (text.startsWith('PK\x03\x04')) return 'xlsx'
  if (/^\s*BEGIN:VCARD\s/i.test(text)) return 'vcard'
  return /^\s*(\{\s*"|\[\s*\{)/.test(text) ? 'json' : undefined
}

/** Runs in the thread. Why it refuses is part of what it returns, because errors lose their words on the way. */
export async function convert(kind: Kind, content: Uint8Array, sheet?: string): Promise<Converted> {
  try {
    if (kind === 'xlsx') return await readWorkbook(content, sheet)
    return kind === 'json' ? readJsonTable(content) : readCards(content)
  } catch (error) {
    if (error instanceof UnreadableTable) return { refused: error.message }
    throw error
  }
}

/** `refuse` makes an error of the reason. */
export async function readTable(
  offload: Offload,
  company_id: string,
  { kind, content, sheet }: { kind: Kind; content: Uint8Array<ArrayBuffer>; sheet?: string | undefined },
  refuse: (problem: string) => AppError,
): Promise<Table> {
  const moreMs = Math.ceil(content.length / 1e6) * moreMsPerMb
  const outcome = await offload.run(company_id, inThread, [kind, content, sheet], { moved: [content.buffer], moreMs })
  if ('failure' in outcome)
    throw refuse(
      outcome.failure === 'error'
        ? 'It is damaged. Open it in a spreadsheet and save it again'
        : 'It is too large to be read whole. Split it into several files, or save it as CSV',
    )
  if ('refused' in outcome.value) throw refuse(outcome.value.refused)
  return outcome.value
}
