import type { AuditAction } from '../../../../contract/audit.ts'
import { momentsOf } from '../../../ui/moments.ts'

/** As it stands in the fields; days are those of the reader's time zone. */
export type AuditFilter = { action: AuditAction | null; actor_id: string | null; from: string; to: string }

export const noFilter: AuditFilter = { action: null, actor_id: null, from: '', to: '' }

/** As the server wants it. */
export const asked = ({ action, actor_id, from, to }: AuditFilter) => ({
  action: action ?? undefined,
  actor_id: actor_id ?? undefined,
  ...momentsOf({ from, to }),
})

export function exportLink(filter: AuditFilter) {
  const given = Object.entries(asked(filter)).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const query = new URLSearchParams(given).toString()
  return `/app/api/audit-events/export${query && `?${query}`}`
}
