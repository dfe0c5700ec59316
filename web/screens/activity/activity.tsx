import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { api } from '../../client/api.ts'
import { apiConnectors } from '../../client/areas.ts'
import { useSignedIn } from '../../client/session.ts'
import { ActivityList } from '../../history/activity-list.tsx'
import { type ActivitySearch, byKith, type ChangeFilter, readSearch } from '../../history/change-sets.ts'
import { keysQuery } from '../../keys/keys.ts'
import { useIsAdmin } from '../../roles/roles.ts'
import { Filters } from '../../ui/basics/layout.tsx'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Message, NoMatches } from '../../ui/basics/states.tsx'
import { DateRange } from '../../ui/form/date-range.tsx'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { useAddressText } from '../../ui/form/use-address-text.ts'
import { momentsOf } from '../../ui/text/moments.ts'
import { UserSelect } from '../../users/user-select.tsx'

export function AgentActivity() {
  const { search, change } = useActivitySearch()
  return (
    <Page
      title="Agent activity"
      lead="What API keys and their clients changed, field by field. Undo a single change, an hour or a selection."
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

const noFilter = { key: null, client: null, by: null, from: null, to: null, first: null, last: null }

const Nothing = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
    <NoMatches icon={Bot} title="No matches" onClear={onClear}>
      Choose another key, another client or a longer period.
    </NoMatches>
  ) : (
    <Message
      icon={Bot}
      title="No agent has changed anything yet"
      action={
        <ButtonLink variant="default" to={apiConnectors}>
          Connect an agent
        </ButtonLink>
      }
    >
      Everything agents and programs change with an API key appears here, field by field, and can be undone.
    </Message>
  )

type Props = {
  search: ActivitySearch
  onChange: (patch: Partial<Record<keyof ActivitySearch, string | null>>) => void
}

function ActivityFilters({ search, onChange }: Props) {
  const keys = useKeys()
  const isAdmin = useIsAdmin()
  return (
    <Filters onClear={Object.keys(search).length > 0 && (() => onChange(noFilter))}>
      <FilterSelect
        label="Key"
        placeholder="Any key"
        searchable
        nothingFoundMessage="No such key"
        data={isAdmin ? [{ value: byKith, label: 'None: by Kith itself' }, ...keys] : keys}
        value={search.key}
        onChange={(key) => onChange({ key })}
      />
      <ClientInput value={search.client ?? ''} onChange={(client) => onChange({ client })} />
      {isAdmin && (
        <UserSelect
          label="Acting as"
          placeholder="Anyone"
          clearLabel="Anyone"
          state="all"
          value={search.by ?? null}
          onChange={(by) => onChange({ by })}
        />
      )}
      <DateRange from={search.from} to={search.to} onChange={onChange} />
    </Filters>
  )
}

function ClientInput({ value, onChange }: { value: string; onChange: (client: string) => void }) {
  const { text, type } = useAddressText(value, onChange)
  return (
    <TextInput
      label="Client"
      placeholder="Begins with"
      autoComplete="off"
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
}

/** Your own keys, or everyone's if you manage members. */
function useKeys() {
  const { may } = useSignedIn()
  const all = may('members.manage')
  const { data: own = [] } = useQuery({ ...keysQuery, refetchInterval: false, enabled: !all })
  const { data: company } = useQuery({
    queryKey: ['company-keys', 'choices'],
    queryFn: () => api.listCompanyApiKeys({ limit: 100 }),
    enabled: all,
  })
  if (!all) return own.map(({ id, name }) => ({ value: id, label: name }))
  return (company?.items ?? []).map(({ id, name, user_name }) => ({ value: id, label: `${name} (${user_name})` }))
}

const route = getRouteApi('/frame/activity')

function useActivitySearch() {
  const search = readSearch(route.useSearch())
  const navigate = route.useNavigate()
  const change = (patch: Partial<Record<keyof ActivitySearch, string | null>>) =>
    void navigate({ search: readSearch(clean({ ...search, ...patch })), replace: true })
  return { search, change }
}

const clean = (search: object) => Object.fromEntries(Object.entries(search).filter(([, value]) => value))

/** As the server wants it. */
const asked = ({ key, client, by, from, to, first, last }: ActivitySearch): ChangeFilter => ({
  ...(key === byKith ? { by_kith: true } : { by_key: true, api_key_id: key }),
  client,
  actor_id: by,
  first_id: first,
  last_id: last,
  ...momentsOf({ from, to }),
})
