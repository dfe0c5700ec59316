import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fold, type Value } from '../../../../contract/filter/index.ts'
import { api } from '../../../client/api.ts'
import { Initials } from '../../../ui/initials.tsx'
import { PickList } from '../pick-list.tsx'
import { toggled } from './option-values.tsx'
import type { ValueProps } from './value-editor.tsx'

const me: Value = { me: true }

export function UserValues({ field, values, onChange }: ValueProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 150)
  const { data } = useQuery({
    queryKey: ['users', 'filter', asked],
    queryFn: () => api.listUsers({ search: asked || undefined, limit: 50 }),
    placeholderData: keepPreviousData,
  })
  // By id: an email address changes, and not everyone may see it.
  const users = (data?.items ?? []).map(({ id, name, picture_id }) => ({
    value: id,
    label: name,
    icon: <Initials name={name} pictureId={picture_id} size={20} />,
  }))
  const isMe = fold('Me').includes(fold(search))
  const idOf = (value: Value) => data?.items.find(({ email }) => email === value)?.id ?? String(value)
  const picked = values.map((value) => (typeof value === 'object' ? 'me' : idOf(value)))
  return (
    <PickList
      label={`Users for ${field.label}`}
      items={[...(isMe ? [{ value: 'me', label: 'Me', detail: 'whoever opens the view' }] : []), ...users]}
      picked={picked}
      search={search}
      onSearch={setSearch}
      onPick={(value) =>
        onChange(
          toggled(
            values.map((one) => (typeof one === 'object' ? one : idOf(one))),
            value === 'me' ? me : value,
          ),
        )
      }
      nothing={data ? 'No match' : 'Looking…'}
    />
  )
}
