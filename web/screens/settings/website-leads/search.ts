import { useNavigate, useSearch } from '@tanstack/react-router'
import { isId } from '../../../../contract/shared/ids.ts'
import type { Submission } from './lead-source.ts'

export const areaTabs = ['forms', 'submissions', 'settings'] as const
export const sourceTabs = ['form', 'leads', 'embed', 'submissions'] as const
export type AreaTab = (typeof areaTabs)[number]
export type SourceTab = (typeof sourceTabs)[number]

// Not from the contract: every page loads what reads addresses.
const states: Record<Submission['state'], true> = {
  received: true,
  unconfirmed: true,
  lead: true,
  failed: true,
  spam: true,
  expired: true,
}

/** What the address says: the tab, and which submissions its list shows. */
export type LeadSearch = {
  tab?: AreaTab | SourceTab
  source?: string
  state?: Submission['state']
  submission?: string
}

export function readLeadSearch({ tab, source, state, submission }: Record<string, unknown>): LeadSearch {
  const known = [...areaTabs, ...sourceTabs].find((one) => one === tab)
  return {
    ...(known && known !== 'forms' && known !== 'form' && { tab: known }),
    ...(isId(String(source)) && { source: String(source) }),
    ...(Object.keys(states).some((one) => one === state) && { state: state as Submission['state'] }),
    ...(isId(String(submission)) && { submission: String(submission) }),
  }
}

export function useLeadSearch() {
  const search = readLeadSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const go = (next: Record<string, unknown>, replace: boolean) =>
    void navigate({ to: '.', search: readLeadSearch(next), replace, resetScroll: false })
  return {
    search,
    /** Back leads away from the page, not through everything that was looked at. */
    change: (patch: Partial<Record<keyof LeadSearch, string | null>>) => go({ ...search, ...patch }, true),
    openTab: (tab: string) => go({ tab }, false),
  }
}
