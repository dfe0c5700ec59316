import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSignedIn } from '../client/session.ts'
import { Initials } from '../ui/avatar.tsx'
import css from './user-select.module.css'
import { type UserFilter, useFoundUsers, userQuery } from './users.ts'

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
  const { found = [] } = useFoundUsers(typed === chosen.label ? '' : typed.trim(), state)
  const others = found.filter(({ id }) => id !== chosen.value).map(({ id, name }) => ({ value: id, label: name }))
  const choices = [chosen, ...others]
  const pictureOf = (id: string) => [user, me, ...found].find((one) => one?.id === id)?.picture_id
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
      renderOption={({ option }) => <UserOption name={option.label} pictureId={pictureOf(option.value)} />}
      {...rest}
    />
  )
}

/** A user in a list to choose from. */
export const UserOption = ({ name, pictureId }: { name: string; pictureId: string | null | undefined }) => (
  <span className={css.user}>
    <Initials name={name} pictureId={pictureId} size={22} />
    {name}
  </span>
)
