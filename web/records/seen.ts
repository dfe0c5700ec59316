import { useQueryClient } from '@tanstack/react-query'
import type { RecordShape } from './records-api.ts'
import { plain } from './related.ts'

/** A value as it stood when somebody began to edit it. */
export type Seen = { version: number; value: unknown } | undefined

/** While a change of one's own is on its way, a newer value is no news from others. */
export function useSeen() {
  const client = useQueryClient()
  return (record: RecordShape, key: string): Seen =>
    client.isMutating() ? undefined : { version: record.version, value: record[key] }
}

/** The version to send: the old one when somebody else changed this very value meanwhile, so that both are shown. */
export const versionSince = (seen: Seen, record: RecordShape, key: string) =>
  seen && JSON.stringify(plain(seen.value) ?? null) !== JSON.stringify(plain(record[key]) ?? null)
    ? seen.version
    : undefined
