import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Initials } from '../../ui/initials.tsx'
import { knownUsersQuery, type User } from '../users.ts'
import { type EditorProps, enterPicks, inputProps, selectUnlessTyped, singleValue, useSelectedName } from './editor.ts'
import css from './editors.module.css'

/** Somebody of the company, found by a part of the name. */
export function UserEditor(props: EditorProps) {
  const { value, onChange, onDone, isCell, field, typed } = props
  const { data: known } = useQuery(knownUsersQuery)
  const [text, setText] = useState(typed ?? '')
  const selected = useSelectedName(props, text)
  const chosen = typeof value === 'string' ? known?.get(value) : undefined
  const asked = chosen?.name === text ? '' : text.trim()
  const [search] = useDebouncedValue(asked, 150)
  const { data: found, isPlaceholderData } = useQuery({
    queryKey: ['users', 'found', search],
    queryFn: () => api.listUsers({ search: search || undefined, limit: 50 }),
    placeholderData: keepPreviousData,
  })
  const first = chosen && !asked ? [chosen] : []
  const users = new Map<string, User>([...first, ...(found?.items ?? [])].map((one) => [one.id, one]))
  const pick = (id: string | null) => {
    onChange(id)
    onDone(id)
  }
  return (
    <Select
      {...inputProps(props)}
      {...selected}
      data={[...users.values()].map(({ id, name }) => ({ value: id, label: name }))}
      // The server has searched already, and the field may hold the name of the chosen one.
      filter={({ options }) => options}
      searchable
      clearable={!field.is_required}
      defaultDropdownOpened={isCell}
      onFocus={selectUnlessTyped(typed)}
      nothingFoundMessage="Nobody of that name"
      searchValue={text}
      onSearchChange={(next) => setText(next)}
      {...singleValue((value as string | null) ?? null, typed)}
      allowDeselect={!field.is_required}
      withCheckIcon={false}
      renderOption={({ option }) => (
        <span className={css.user}>
          <Initials name={option.label ?? ''} pictureId={users.get(option.value)?.picture_id} size={22} />
          {option.label}
        </span>
      )}
      onChange={pick}
      onKeyDown={enterPicks({
        text: asked,
        isCurrent: search === asked && !isPlaceholderData,
        first: found?.items[0]?.id,
        pick,
      })}
    />
  )
}
