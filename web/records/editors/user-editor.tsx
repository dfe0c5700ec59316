import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../client/api.ts'
import { Initials } from '../../ui/initials.tsx'
import { knownUsersQuery, type User } from '../../users/directory.ts'
import { type EditorProps, enterPicks, inputProps, selectUnlessTyped, singleValue } from './editor.ts'
import css from './editors.module.css'
import { useTypedText } from './unmatched.ts'

/** Someone in the company, found by a part of the name. */
export function UserEditor(props: EditorProps) {
  const { onChange, onDone, field, typed } = props
  const { data: known } = useQuery(knownUsersQuery)
  const { ids, text, setOpen, input } = useTypedText(props)
  const chosen = ids[0] ? known?.get(ids[0]) : undefined
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
    setOpen(false)
    onChange(id)
    onDone(id)
  }
  return (
    <Select
      {...inputProps(props)}
      {...input}
      data={[...users.values()].map(({ id, name }) => ({ value: id, label: name }))}
      // The server has searched already, and the field may hold the name of the chosen one.
      filter={({ options }) => options}
      searchable
      // Enter waits for the answer to what is typed now.
      selectFirstOptionOnChange={false}
      openOnFocus={!props.error}
      clearable={!field.is_required}
      onFocus={selectUnlessTyped(typed)}
      nothingFoundMessage="No match"
      {...singleValue(ids[0] ?? null, typed)}
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
