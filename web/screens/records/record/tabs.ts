const recordTabs = ['overview', 'activities', 'history'] as const

export type RecordTab = (typeof recordTabs)[number]

/** What the address says of a record's page. */
export const readRecordSearch = ({ tab }: Record<string, unknown>): { tab?: RecordTab } => {
  const known = recordTabs.find((one) => one === tab)
  return known && known !== 'overview' ? { tab: known } : {}
}
