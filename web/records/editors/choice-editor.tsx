import { Autocomplete, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { fold } from '../../../contract/filter/fold.ts'
import { useSignedIn } from '../../client/session.ts'
import { type Pick, Picker } from '../../ui/picker.tsx'
import { countryOf, findCountries } from '../countries.ts'
import { OptionBadge } from '../field-value.tsx'
import { asCountry, isEmpty, optionOf } from '../value-text.ts'
import { type EditorProps, inputProps, selectUnlessTyped } from './editor.ts'
import { useTypedText } from './unmatched.ts'

/** One of the options, or several. In a cell, choosing one is the whole answer. */
export function ChoiceEditor(props: EditorProps) {
  const { field, onChange, onDone, isCell } = props
  const isMulti = field.type === 'multi_select'
  const isKnown = (key: string) => optionOf(field, key) !== undefined
  const { chosen, asked, stopTyping, picker } = useTypedText(props, isMulti, isKnown)
  const options = (field.options ?? []).filter(({ label }) => fold(label).includes(fold(asked)))
  const pickOf = (key: string): Pick => {
    const option = optionOf(field, key)
    return { value: key, label: option?.label ?? key, shown: <OptionBadge option={option} value={key} /> }
  }
  const pick = (key: string) => {
    stopTyping()
    if (isMulti) return onChange(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])
    const next = chosen[0] === key && !field.is_required ? null : key
    onChange(next)
    onDone(next)
  }
  return (
    <Picker
      {...picker}
      isMulti={isMulti}
      items={options.map(({ key }) => pickOf(key))}
      chosen={chosen.map(pickOf)}
      startsOpen={isCell}
      nothing={field.options?.length ? 'No match' : <NoOptions />}
      onPick={pick}
      onRemove={(key) => onChange(chosen.filter((one) => one !== key))}
      onClear={
        field.is_required
          ? undefined
          : () => {
              stopTyping()
              onChange(isMulti ? [] : null)
            }
      }
      onLeave={() => {
        picker.onLeave()
        // What only one option begins with was meant.
        if (asked && options.length === 1 && !isCell) pick(options[0]!.key)
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
  // An emptied field means no value. Enter would choose the first entry of the list.
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
