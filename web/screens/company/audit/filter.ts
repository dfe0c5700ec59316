import type { AuditAction } from '../../../../contract/audit.ts'

/** As it stands in the fields; the days are those of this browser. */
export type AuditFilter = { action: AuditAction | null; actor_id: string | null; from: string; to: string }

export const noFilter: AuditFilter = { action: null, actor_id: null, from: '', to: '' }

/** As the server wants it: the last day is meant to its end. */
export const asked = ({ action, actor_id, from, to }: AuditFilter) => ({
  action: action ?? undefined,
  actor_id: actor_id ?? undefined,
  since: from ? midnight(from, 0) : undefined,
  until: to ? midnight(to, 1) : undefined,
})

export function exportLink(filter: AuditFilter) {
  const given = Object.entries(asked(filter)).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const query = new URLSearchParams(given).toString()
  return `/app/api/audit-events/export${query && `?${query}`}`
}

function midnight(day: string, later: number) {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year!, month! - 1, date! + later).toISOString()
}
