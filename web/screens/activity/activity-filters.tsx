import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../client/api.ts'
import { useSignedIn } from '../../client/session.ts'
import css from '../../history/activity.module.css'
import type { ActivitySearch } from '../../history/read-search.ts'
import { keysQuery } from '../../keys/keys.ts'
import { useIsAdmin } from '../../roles/roles.ts'
import { DateRange } from '../../ui/date-range.tsx'
import { UserSelect } from '../../users/user-select.tsx'

type Props = {
  search: ActivitySearch
  onChange: (patch: Partial<Record<keyof ActivitySearch, string | null>>) => void
}

export function ActivityFilters({ search, onChange }: Props) {
  const keys = useKeys()
  const isAdmin = useIsAdmin()
  return (
    <search className={css.filters}>
      <Select
        label="Key"
        placeholder="Any key"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Any key' }}
        nothingFoundMessage="No such key"
        data={keys}
        value={search.key ?? null}
        onChange={(key) => onChange({ key })}
      />
      <ClientInput value={search.client ?? ''} onChange={(client) => onChange({ client })} />
      {isAdmin && (
        <UserSelect
          className={css.actor}
          label="Acting as"
          placeholder="Anyone"
          clearable
          clearButtonProps={{ 'aria-label': 'Anyone' }}
          state="all"
          value={search.by ?? null}
          onChange={(by) => onChange({ by })}
        />
      )}
      <DateRange from={search.from} to={search.to} onChange={onChange} />
      {Object.keys(search).length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => onChange({ key: null, client: null, by: null, from: null, to: null })}
        >
          Clear
        </Button>
      )}
    </search>
  )
}

const pauseMs = 300

function ClientInput({ value, onChange }: { value: string; onChange: (client: string) => void }) {
  const [typed, setTyped] = useState(value)
  const tell = useDebouncedCallback(onChange, pauseMs)
  useEffect(() => setTyped(value), [value])
  return (
    <TextInput
      label="Client"
      placeholder="Begins with"
      autoComplete="off"
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        tell(event.currentTarget.value)
      }}
    />
  )
}

/** One's own, and for those who manage members those of everybody. */
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
