import { MultiSelect, type OptionsFilter, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { isId } from '../../../contract/ids.ts'
import { inSentence } from '../../../contract/in-sentence.ts'
import { api } from '../../client/api.ts'
import { Initials } from '../../ui/avatar.tsx'
import { knownUsersQuery, type User } from '../../users/users.ts'
import { idOf, type Related, relatedIn, type Titled, titledIn, titleQuery } from '../records-api.ts'
import { type FieldShape, useSchema } from '../schema.ts'
import { type EditorProps, enterPicks, inputProps, selectUnlessTyped, singleValue } from './editor.ts'
import css from './editors.module.css'
import { findRecords, useCreatable, useCreateInPlace, useTypedText } from './unmatched.ts'

/** One record or several, found by a part of the title, or created by it. */
export function RecordEditor(props: EditorProps) {
  const { field, value, onChange, onDone, isCell, typed } = props
  const { ids, text, setText, setOpen, input } = useTypedText(props)
  const related = relatedIn(value).filter((one) => isId(idOf(one)))
  const chosen = useChosen(related, field)
  const asked = chosen.some(({ title }) => title === text) ? '' : text.trim()
  const [search] = useDebouncedValue(asked, 150)
  const { found, isCurrent } = useFound(field.to_objects ?? [], search)
  const labels = useObjectLabels()
  const isAnswered = search === asked && isCurrent
  const same = found.filter(({ title }) => title.toLowerCase() === asked.toLowerCase())
  const creatable = useCreatable(field)
  const create = useCreateInPlace()
  const pick = (picked: string | null) => {
    setOpen(false)
    if (!field.is_multi) {
      onChange(picked)
      return onDone(picked)
    }
    setText('')
    onChange(picked ? [...ids, picked] : ids)
  }
  const pickOption = async (option: string | null) => {
    const object = creatable.find(({ key }) => option === newOption(key))
    if (!object) return pick(option)
    setOpen(false)
    const id = await create(object, asked)
    if (id) pick(id)
  }
  const all = new Map<string, Titled>([...chosen, ...found].map((one) => [one.id, one]))
  const offers = asked && isAnswered && !same.length ? creatable : []
  const shared = {
    ...inputProps(props),
    ...input,
    data: [
      ...[...all.values()].map(({ id, title }) => ({ value: id, label: title })),
      ...offers.map(({ key, label }) => ({
        value: newOption(key),
        label: `Create ${inSentence(label)} “${asked}”`,
      })),
    ],
    // The server has searched already.
    filter: (({ options }) => options) satisfies OptionsFilter,
    searchable: true,
    // Enter waits for the answer to what is typed now.
    selectFirstOptionOnChange: false,
    // The list would cover the error.
    openOnFocus: !props.error,
    clearable: !field.is_required,
    onFocus: selectUnlessTyped(typed),
    nothingFoundMessage: search ? 'No match' : 'Type to search',
    onKeyDown: enterPicks({
      text: asked,
      isCurrent: isAnswered,
      first: found.find(({ id }) => !ids.includes(id))?.id,
      pick,
    }),
    onBlur: () => {
      input.onBlur()
      // Whoever typed the whole title has chosen it.
      if (asked && isAnswered && same.length === 1 && !isCell) pick(same[0]!.id)
    },
    renderOption: ({ option }: { option: { value: string; label?: string } }) => (
      <span className={css.record}>
        <span dir="auto">{option.label}</span>
        {field.to_objects?.length !== 1 && <small>{labels.get(all.get(option.value)?.object ?? '')}</small>}
      </span>
    ),
  }
  if (field.is_multi)
    return (
      <MultiSelect
        {...shared}
        value={ids}
        onChange={(next) => {
          const added = next.find((one) => !ids.includes(one))
          if (added) void pickOption(added)
          else onChange(next)
        }}
        hidePickedOptions
      />
    )
  return (
    <Select
      {...shared}
      {...singleValue(ids[0] ?? null, typed)}
      allowDeselect={!field.is_required}
      withCheckIcon={false}
      onChange={(option) => void pickOption(option)}
    />
  )
}

const newOption = (object: string) => `new ${object}`

const useChosen = (related: Related[], field: FieldShape): Titled[] =>
  useQueries({
    queries: related.map((one) => titleQuery(idOf(one), titledIn(one, field))),
    combine: (answers) =>
      answers.flatMap(({ data }, i) =>
        data === undefined ? [] : [data ?? { id: idOf(related[i]!), object: '', title: 'Not found' }],
      ),
  })

/** The newest ones before anything is typed. */
function useFound(objects: string[], search: string) {
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['record-titles', 'found', objects, search],
    queryFn: ({ signal }) => findRecords(objects, search, signal),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
  return { found: data ?? noneFound, isCurrent: !isPlaceholderData }
}

const noneFound: Titled[] = []

const useObjectLabels = () => new Map(useSchema().map(({ key, label }) => [key, label]))

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
    queryFn: ({ signal }) => api.listUsers({ search: search || undefined, limit: 50 }, { signal }),
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
