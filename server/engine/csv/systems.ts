// Which product wrote a file, by the columns that only its exports have.

import type { System } from './known-exports/known-file.ts'
import { knownExport } from './known-exports.ts'

/** Of files whose rows are of another kind than those that are known. Each pattern must match a column. */
const signs: Partial<Record<System, RegExp[]>> = {
  Salesforce: [/^Id$/, /^(IsDeleted|SystemModstamp|CreatedById|OwnerId|LastModifiedById)$/],
  Attio: [/^Record ID$/, /^(Record|List entries|.+ > .+)$/],
  HubSpot: [/^Record ID$/, /^((Contact|Company|Deal|Ticket) owner|Associated \w+|Create Date|Lifecycle Stage)/],
  Twenty: [/^Id$/, /^(.+ Id|Creation date|.+ \/ .+)$/],
}

export function systemOf(columns: string[]): System | undefined {
  const known = Object.entries(signs) as [System, RegExp[]][]
  return (
    knownExport(columns)?.system ??
    known.find(([, patterns]) => patterns.every((pattern) => columns.some((column) => pattern.test(column))))?.[0]
  )
}

/** That of most files. */
export function commonSystem(found: (System | undefined)[]): System | null {
  const counts = Map.groupBy(
    found.filter((one) => one !== undefined),
    (one) => one,
  )
  const [most] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)
  return most?.[0] ?? null
}
