import { Button, Select } from '@mantine/core'
import { jobKinds, jobStates } from '../../../contract/jobs.ts'
import { kindLabel, stateLabel } from '../../jobs/job-words.ts'
import { useIsAdmin } from '../../roles/roles.ts'
import { UserSelect } from '../../users/user-select.tsx'
import css from './jobs.module.css'
import type { JobSearch } from './search.ts'

type Props = {
  search: JobSearch
  onChange: (patch: Partial<Record<keyof JobSearch, string | null>>) => void
  onClear: () => void
}

const states = jobStates.map((value) => ({ value, label: stateLabel(value) }))
const kinds = jobKinds.map((value) => ({ value, label: kindLabel(value) }))

/** Others than Admins see their own jobs only, so they need not choose a user. */
export function JobFilters({ search, onChange, onClear }: Props) {
  const isAdmin = useIsAdmin()
  return (
    <search className={css.filters}>
      <Select
        label="State"
        placeholder="Any state"
        clearable
        clearButtonProps={{ 'aria-label': 'Any state' }}
        data={states}
        value={search.state ?? null}
        onChange={(state) => onChange({ state })}
      />
      <Select
        label="Kind"
        placeholder="Any kind"
        clearable
        clearButtonProps={{ 'aria-label': 'Any kind' }}
        data={kinds}
        value={search.kind ?? null}
        onChange={(kind) => onChange({ kind })}
      />
      {isAdmin && (
        <UserSelect
          label="Started by"
          placeholder="Anyone"
          clearable
          clearButtonProps={{ 'aria-label': 'Anyone' }}
          state="all"
          value={search.by ?? null}
          onChange={(by) => onChange({ by })}
        />
      )}
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          Clear
        </Button>
      )}
    </search>
  )
}
