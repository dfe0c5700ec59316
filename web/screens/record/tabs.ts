import { readKind, type TimelineKind } from './timeline/use-timeline.ts'

const recordTabs = ['timeline', 'details', 'related'] as const

/** Where there is room, details and related records stand beside the timeline. */
export type RecordTab = (typeof recordTabs)[number]
export type RecordSearch = { tab?: RecordTab; show?: TimelineKind }

/** Of addresses from before version 0.3. */
const earlier: Record<string, TimelineKind> = { activities: 'activity', history: 'change' }

/** What the address says of a record's page. */
export function readRecordSearch({ tab, show }: Record<string, unknown>): RecordSearch {
  const kind = readKind(show) ?? earlier[String(tab)]
  const known = recordTabs.find((one) => one === tab)
  return { ...(known && known !== 'timeline' && { tab: known }), ...(kind && { show: kind }) }
}
