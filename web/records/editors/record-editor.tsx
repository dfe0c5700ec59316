import { MultiSelect, type OptionsFilter, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { idOf, type Related, relatedIn, titledIn } from '../related.ts'
import { type FieldShape, useSchema } from '../schema.ts'
import { type Titled, titleQuery } from '../titles.ts'
import { type EditorProps, enterPicks, inputProps, selectUnlessTyped, singleValue, useSelectedName } from './editor.ts'
import css from './editors.module.css'
import { findRecords } from './find-records.ts'

/** One record or several, found by a part of the title. */
export function RecordEditor(props: EditorProps) {
  const { field, value, onChange, onDone, isCell, typed } = props
  const [text, setText] = useState(typed ?? '')
  const selected = useSelectedName(props, text)
  const related = relatedIn(value)
  const ids = related.map(idOf)
  const chosen = useChosen(related, field)
  const asked = chosen.some(({ title }) => title === text) ? '' : text.trim()
  const [search] = useDebouncedValue(asked, 150)
  const { found, isCurrent } = useFound(field.to_objects ?? [], search)
  const labels = useObjectLabels()
  const pick = (picked: string | string[] | null) => {
    onChange(picked)
    if (field.is_multi) setText('')
    else onDone(picked)
  }
  const all = new Map<string, Titled>([...chosen, ...found].map((one) => [one.id, one]))
  const shared = {
    ...inputProps(props),
    ...selected,
    data: [...all.values()].map(({ id, title }) => ({ value: id, label: title })),
    // The server has searched already.
    filter: (({ options }) => options) satisfies OptionsFilter,
    searchable: true,
    clearable: !field.is_required,
    defaultDropdownOpened: isCell,
    onFocus: selectUnlessTyped(typed),
    nothingFoundMessage: search ? 'Nothing of that name' : 'Type to search',
    searchValue: text,
    onKeyDown: enterPicks({
      text: asked,
      isCurrent: search === asked && isCurrent,
      first: found.find(({ id }) => !ids.includes(id))?.id,
      pick: (id) => pick(field.is_multi ? [...ids, id] : id),
    }),
    onSearchChange: setText,
    renderOption: ({ option }: { option: { value: string; label?: string } }) => (
      <span className={css.record}>
        <span dir="auto">{option.label}</span>
        {field.to_objects?.length !== 1 && <small>{labels.get(all.get(option.value)?.object ?? '')}</small>}
      </span>
    ),
  }
  if (field.is_multi) return <MultiSelect {...shared} value={ids} onChange={onChange} hidePickedOptions />
  return (
    <Select
      {...shared}
      {...singleValue(ids[0] ?? null, typed)}
      allowDeselect={!field.is_required}
      withCheckIcon={false}
      onChange={pick}
    />
  )
}

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
