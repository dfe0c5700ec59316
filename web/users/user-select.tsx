import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../client/api.ts'
import { useSignedIn } from '../client/session.ts'
import { type UserFilter, userQuery } from './users.ts'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  state: UserFilter['state']
  value: string | null
  /** A user who cannot be chosen. */
  except?: string
  onChange: (id: string | null) => void
}

/** One user, found by typing a part of the name: a company may have more than a list can show. */
export function UserSelect({ state, value, except, onChange, ...rest }: Props) {
  const { me } = useSignedIn()
  const [typed, setTyped] = useState('')
  const { data: user } = useQuery({ ...userQuery(value ?? me.id), enabled: value !== null && value !== me.id })
  const chosen = user && value === user.id ? { value: user.id, label: user.name } : { value: me.id, label: me.name }
  // The field holds the name of the chosen user, which is not a search.
  const [search] = useDebouncedValue(typed === chosen.label ? '' : typed.trim(), 200)
  const { data } = useQuery({
    queryKey: ['users', 'choices', state, search],
    queryFn: ({ signal }) => api.listUsers({ state, search: search || undefined, limit: 100 }, { signal }),
    placeholderData: keepPreviousData,
  })
  const found = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const choices = [chosen, ...found.filter((one) => one.value !== chosen.value)]
  return (
    <Select
      searchable
      selectFirstOptionOnChange={false}
      nothingFoundMessage="No match"
      data={choices.filter((one) => one.value !== except)}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
      {...rest}
    />
  )
}
