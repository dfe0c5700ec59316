import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { apiConnectors } from '../../client/areas.ts'
import { ActivityList } from '../../history/activity-list.tsx'
import { Message } from '../../ui/message.tsx'
import { Page } from '../../ui/page.tsx'
import { ActivityFilters } from './activity-filters.tsx'
import { asked, useActivitySearch } from './search.ts'

export function AgentActivity() {
  const { search, change } = useActivitySearch()
  return (
    <Page
      title="Agent activity"
      lead="What keys and their clients changed, field by field. Undo one change, an hour, or a selection."
      wide
    >
      <ActivityFilters search={search} onChange={change} />
      <ActivityList
        filter={asked(search)}
        onNarrow={change}
        nothing={<Nothing isFiltered={Object.keys(search).length > 0} onClear={() => change(noFilter)} />}
      />
    </Page>
  )
}

const noFilter = { key: null, client: null, by: null, from: null, to: null }

const Nothing = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
    <Message
      icon={Bot}
      title="No matches"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Choose another key, another client or a longer time.
    </Message>
  ) : (
    <Message
      icon={Bot}
      title="No agent has changed anything yet"
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} to={apiConnectors} />}>
          Connect an agent
        </Button>
      }
    >
      Everything an agent or a program changes with a key appears here, field by field, and can be undone.
    </Message>
  )
