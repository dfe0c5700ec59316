import { Autocomplete, Checkbox } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { fold } from '../../../contract/filter/fold.ts'
import { api } from '../../client/api.ts'
import { useSignedIn } from '../../client/session.ts'
import { complain } from '../../ui/basics/notices.tsx'
import { type Pick, Picker } from '../../ui/form/picker.tsx'
import { builtInName } from '../data/built-in.ts'
import { type FieldShape, schemaQuery, useSchema } from '../data/schema.ts'
import { asCountry, isEmpty, optionOf } from '../data/value-text.ts'
import { countryOf, findCountries } from './countries.ts'
import { type EditorProps, inputProps, selectUnlessTyped } from './editor.ts'
import { OptionBadge } from './field-value.tsx'
import { useTypedText } from './unmatched.ts'

/** One of the options, or several. In a cell, choosing one is the whole answer. */
export function ChoiceEditor(props: EditorProps) {
  const { onChange, onDone, isCell } = props
  const { field, mayCreate, create } = useOptions(props.field)
  const isMulti = field.type === 'multi_select'
  const isKnown = (key: string) => optionOf(field, key) !== undefined
  const { chosen, asked, stopTyping, picker } = useTypedText(props, isMulti, isKnown)
  const options = (field.options ?? []).filter(
    ({ key, label, is_archived }) => (!is_archived || chosen.includes(key)) && fold(label).includes(fold(asked)),
  )
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
  // Chosen once the field has it.
  const [created, setCreated] = useState<string>()
  useEffect(() => {
    if (created === undefined || !isKnown(created)) return
    setCreated(undefined)
    pick(created)
  })
  const isNew = mayCreate && asked !== '' && !options.some(({ label }) => fold(label) === fold(asked))
  const offer: Pick[] = isNew ? [{ value: newOption, label: `Create “${asked}”`, isNew: true }] : []
  return (
    <Picker
      {...picker}
      isMulti={isMulti}
      items={[...options.map(({ key }) => pickOf(key)), ...offer]}
      chosen={chosen.map(pickOf)}
      startsOpen={isCell}
      nothing={field.options?.length ? 'No match' : <NoOptions />}
      onPick={(key) => (key === newOption ? create(asked, setCreated) : pick(key))}
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

/** No key of an option has a space. */
const newOption = 'new option'

/** The field with its options as they are by now, and a way to add one for those who manage fields. */
function useOptions(given: FieldShape) {
  const { may } = useSignedIn()
  const client = useQueryClient()
  const object = useSchema().find(({ key }) => key === given.object)
  // What an option of a built-in field stands for is known to Kith, as with stages and the states of a task.
  const isOpen = given.type === 'multi_select' || !fixed.has(builtInName(given) ?? '')
  // Those of a stage are only the ones that fit the pipeline.
  const options = (isOpen ? object?.byKey.get(given.key)?.options : undefined) ?? given.options ?? []
  const { mutate } = useMutation({
    mutationFn: async (label: string) => {
      const known = options.find((option) => fold(option.label) === fold(label))
      if (known) return known.key
      const field = await api.updateField({
        object: object!.key,
        field: given.key,
        options: [...options, { label }],
      })
      await client.invalidateQueries({ queryKey: schemaQuery.queryKey })
      return field.options!.at(-1)!.key
    },
    onError: (error) => complain('The option was not created', error),
  })
  const mayCreate = isOpen && object !== undefined && !given.is_read_only && may('objects.manage')
  const create = (label: string, onSuccess: (key: string) => void) => mutate(label, { onSuccess })
  return { field: { ...given, options }, mayCreate, create }
}

const fixed = new Set(['pipeline', 'stage', 'status', 'kind', 'priority', 'repeats', 'direction'])

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
