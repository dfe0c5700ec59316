import { Page } from '../../ui/page.tsx'
import { ActivityFilters } from './activity-filters.tsx'
import { ActivityList } from './activity-list.tsx'
import { useActivitySearch } from './search.ts'

export function AgentActivity() {
  const { search, change } = useActivitySearch()
  return (
    <Page
      title="Agent activity"
      lead="What keys and their clients changed, field by field. Whatever they did can go back: one change, an hour, or what you select."
      wide
    >
      <ActivityFilters search={search} onChange={change} />
      <ActivityList key={JSON.stringify(search)} search={search} onNarrow={change} onClear={() => change(nothing)} />
    </Page>
  )
}

const nothing = { key: null, client: null, by: null, from: null, to: null }
