import { getRouteApi } from '@tanstack/react-router'
import { type JobKind, jobKinds, jobStates } from '../../../contract/jobs.ts'
import { isId } from '../../../contract/shared/ids.ts'
import type { Job } from '../../client/jobs.ts'

/** The filters as they stand in the address. */
export type JobSearch = { state?: Job['state']; kind?: JobKind; by?: string }

export function readJobSearch({ state, kind, by }: Record<string, unknown>): JobSearch {
  return {
    ...(jobStates.some((one) => one === state) && { state: state as Job['state'] }),
    ...(jobKinds.some((one) => one === kind) && { kind: kind as JobKind }),
    ...(isId(String(by)) && { by: String(by) }),
  }
}

const route = getRouteApi('/frame/jobs')

export function useJobSearch() {
  const search = readJobSearch(route.useSearch())
  const navigate = route.useNavigate()
  const go = (next: Record<string, unknown>) => void navigate({ search: readJobSearch(next), replace: true })
  return {
    search,
    change: (patch: Partial<Record<keyof JobSearch, string | null>>) => go({ ...search, ...patch }),
    clear: () => go({}),
  }
}
