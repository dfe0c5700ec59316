import { Autocomplete, Checkbox, MultiSelect, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { countryOf, findCountries } from '../countries.ts'
import { OptionBadge } from '../field-value.tsx'
import { asCountry, isEmpty, optionOf } from '../value-text.ts'
import { type EditorProps, inputProps, selectUnlessTyped, singleValue } from './editor.ts'

/** One of the options, or several. In a cell, choosing one is the whole answer. */
export function ChoiceEditor(props: EditorProps) {
  const { field, value, onChange, onDone, isCell, typed } = props
  const shared = {
    ...inputProps(props),
    data: (field.options ?? []).map(({ key, label }) => ({ value: key, label })),
    searchable: true,
    // The list would cover the error.
    openOnFocus: !props.error,
    selectFirstOptionOnChange: true,
    clearable: !field.is_required,
    defaultDropdownOpened: isCell,
    onFocus: selectUnlessTyped(typed),
    nothingFoundMessage: field.options?.length ? 'No such option' : <NoOptions />,
    renderOption: ({ option }: { option: { value: string } }) => (
      <OptionBadge option={optionOf(field, option.value)} value={option.value} />
    ),
    comboboxProps: { shadow: 'md' },
  }
  if (field.type === 'multi_select')
    return (
      <MultiSelect {...shared} value={(value as string[] | null) ?? []} onChange={onChange} hidePickedOptions={false} />
    )
  return (
    <Select
      {...shared}
      {...singleValue((value as string | null) ?? null, typed)}
      defaultSearchValue={typed}
      allowDeselect={!field.is_required}
      withCheckIcon={false}
      onChange={(chosen) => {
        onChange(chosen)
        onDone(chosen)
      }}
    />
  )
}

function NoOptions() {
  const { may } = useSignedIn()
  return (
    <>
      This field has no options yet.{' '}
      {may('objects.manage') && (
        // The field keeps the focus, or the list would be gone before the click.
        <Link to="/company/objects" onMouseDown={(event) => event.preventDefault()}>
          Add some
        </Link>
      )}
    </>
  )
}

export const BooleanEditor = (props: EditorProps) => (
  <Checkbox
    {...(props.isCell ? { 'aria-label': props.field.label } : { label: props.field.label })}
    description={props.isCell ? undefined : props.field.description || undefined}
    error={props.error}
    autoFocus={props.autoFocus}
    checked={props.value === true}
    onChange={(event) => props.onChange(event.currentTarget.checked)}
  />
)

/** A country from the list, found by its name or code. Other text is kept as it is. */
export function CountryEditor(props: EditorProps) {
  const { value, onChange, onDone, isCell, typed } = props
  const [text, setText] = useState(typed ?? (isEmpty(value) ? '' : asCountry(value)))
  const [isTyped, setTyped] = useState(typed !== undefined)
  // Whoever empties the field means nothing, and Enter would take the first of a list.
  const isEmptied = isTyped && text.trim() === ''
  const found = isEmptied ? [] : findCountries(isTyped ? text : '')
  // Of a name that was picked the list tells twice: that it was, and only then what it is.
  const isPicked = useRef(false)
  const write = (next: string) => {
    setText(next)
    setTyped(true)
    onChange(countryOf(next))
    if (isPicked.current) onDone(countryOf(next))
    isPicked.current = false
  }
  return (
    <Autocomplete
      {...inputProps(props)}
      data={found.map(({ name }) => name)}
      filter={({ options }) => options}
      autoComplete="off"
      dir="auto"
      value={text}
      selectFirstOptionOnChange
      defaultDropdownOpened={isCell}
      comboboxProps={{ shadow: 'md' }}
      onFocus={isCell ? selectUnlessTyped(typed) : undefined}
      onChange={write}
      onOptionSubmit={() => {
        isPicked.current = true
      }}
      onKeyDown={(event) => {
        const [first] = found
        if (event.key === 'Tab' && isTyped && first) write(first.name)
      }}
    />
  )
}
