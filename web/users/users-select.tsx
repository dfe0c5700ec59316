import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Picker, type PickerInput } from '../ui/form/picker.tsx'
import { isAway, userPick } from './user-select.tsx'
import { knownUsersQuery, useFoundUsers, useNames } from './users.ts'

type Props = PickerInput & { value: string[]; onChange: (ids: string[]) => void }

/** Several users, in the order they were chosen. */
export function UsersSelect({ value, onChange, placeholder, ...input }: Props) {
  const [text, setText] = useState<string>()
  const { found = [], isCurrent } = useFoundUsers(text?.trim() ?? '', 'active')
  const nameOf = useNames()
  const { data: known } = useQuery(knownUsersQuery)
  return (
    <Picker
      input={{ ...input, placeholder: value.length ? undefined : placeholder }}
      isMulti
      items={found.map(userPick)}
      chosen={value.map((id) => ({ value: id, label: `${nameOf(id)}${isAway(known?.get(id)) ? ' (away)' : ''}` }))}
      text={text}
      isCurrent={isCurrent}
      onType={setText}
      onPick={(id) => {
        setText(undefined)
        onChange(value.includes(id) ? value.filter((one) => one !== id) : [...value, id])
      }}
      onRemove={(id) => onChange(value.filter((one) => one !== id))}
      onLeave={() => setText(undefined)}
    />
  )
}
