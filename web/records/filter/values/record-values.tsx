import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
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
    queryFn: () => find(to, asked),
    placeholderData: keepPreviousData,
  })
  return (
    <PickList
      label={`Records for ${field.label}`}
      items={(data ?? []).map(({ id, title, detail }) => ({ value: id, label: title, detail }))}
      picked={values.map(String)}
      search={search}
      onSearch={setSearch}
      onPick={(id) => onChange(toggled(values, id))}
      nothing={data ? (asked ? 'Nothing of that name' : 'Type to search') : 'Looking…'}
    />
  )
}

async function find(objects: string[], search: string) {
  const [object] = objects
  if (!object || objects.length > 1) {
    const found = search ? (await api.searchRecords({ q: search, limit: 50 })).items : []
    return found.filter((one) => !object || objects.includes(one.object)).map((one) => ({ ...one, detail: one.object }))
  }
  const filter = search ? { field: 'title', op: 'contains' as const, value: search } : undefined
  const { records } = await api.queryRecords({ object, filter, sort: ['title'], fields: ['title'], limit: 50 })
  return records.map(({ id, title }) => ({ id, title: String(title), detail: undefined }))
}
