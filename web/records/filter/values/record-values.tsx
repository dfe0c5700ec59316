import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { findTitled } from '../find-titled.ts'
import { PickList } from '../pick-list.tsx'
import { toggled } from './option-values.tsx'
import type { ValueProps } from './value-editor.tsx'

/** Records go by their id: titles change, and two may share one. */
export function RecordValues({ field, values, onChange }: ValueProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 150)
  const to = field.to ?? []
  const { data } = useQuery({
    queryKey: ['records', 'filter', to, asked],
    queryFn: ({ signal }) => findTitled(to, asked, undefined, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <PickList
      label={`Records for ${field.label}`}
      items={(data ?? []).map(({ id, title, object }) => ({
        value: id,
        label: title,
        detail: to.length === 1 ? '' : object,
      }))}
      picked={values.map(String)}
      search={search}
      onSearch={setSearch}
      onPick={(id) => onChange(toggled(values, id))}
      nothing={data ? (asked ? 'Nothing of that name' : 'Type to search') : 'Looking…'}
    />
  )
}
