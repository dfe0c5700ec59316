// Which dashboard, and what narrows it, in the address.

import { isRange } from '../../../contract/filter/bare-words.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { readDays } from '../../../contract/shared/widget.ts'

export type DashboardSearch = { id?: string; range?: string; owner?: string }

export function readDashboardSearch(given: Record<string, unknown>): DashboardSearch {
  const { id, range, owner } = given
  return {
    ...(typeof id === 'string' && isId(id) && { id }),
    ...(typeof range === 'string' && (isRange(range) || readDays(range)) && { range }),
    ...(typeof owner === 'string' && (owner === 'me' || isId(owner)) && { owner }),
  }
}
