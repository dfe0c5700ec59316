import { type ComboboxRenderPillInput, Pill, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { hasKeyboard } from '../../ui/basics/keyboard.ts'
import type { FieldShape } from '../data/schema.ts'
import { PhoneText } from './contact.tsx'
import { type EditorProps, inputProps, selectUnlessTyped } from './editor.ts'
import { faultOf } from './value-fault.ts'

const modes = { email: 'email', phone: 'tel', url: 'url' } as const
const modeOf = ({ type }: FieldShape) => modes[type as keyof typeof modes]

/** Plain text, addresses and numbers of phones: one, several, or a long one. */
export function TextEditor(props: EditorProps) {
  if (props.field.is_multi) return <Several {...props} />
  if (props.field.type === 'long_text') return <Long {...props} />
  const { field, value, onChange, typed, isCell } = props
  return (
    <TextInput
      {...inputProps(props)}
      inputMode={modeOf(field)}
      autoComplete="off"
      dir="auto"
      value={typeof value === 'string' ? value : ''}
      // In a form, the focus may arrive while the user is already typing.
      onFocus={isCell ? selectUnlessTyped(typed) : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const Long = (props: EditorProps) => (
  <Textarea
    {...inputProps(props)}
    autosize
    minRows={props.isCell ? 4 : 3}
    maxRows={12}
    dir="auto"
    value={typeof props.value === 'string' ? props.value : ''}
    onChange={(event) => props.onChange(event.currentTarget.value)}
  />
)

const marks = [',', ';']

function Several(props: EditorProps) {
  const { field, value, onChange, typed } = props
  const [search, setSearch] = useState(typed ?? '')
  const [fault, setFault] = useState<string>()
  return (
    <TagsInput
      {...inputProps({ ...props, error: fault ?? props.error })}
      inputMode={modeOf(field)}
      splitChars={marks}
      placeholder={`${isBlank(value) ? 'Add' : 'Add another'}${hasKeyboard() ? ', then Enter' : ''}`}
      {...(field.type === 'phone' && { renderPill: PhonePill })}
      value={(value as string[] | null) ?? []}
      searchValue={search}
      onSearchChange={(next) => {
        setSearch(next)
        setFault(undefined)
      }}
      onChange={onChange}
      onKeyDown={(event) => {
        const rest = search.trim()
        if (!rest && event.key === 'Backspace' && !isBlank(value)) {
          // The last one is taken up again, to correct it.
          event.preventDefault()
          event.stopPropagation()
          onChange((value as string[]).slice(0, -1))
          return setSearch((value as string[]).at(-1)!)
        }
        if (!rest || event.nativeEvent.isComposing) return
        const isTaken = event.key === 'Tab' || event.key === 'Enter' || marks.includes(event.key)
        const refusal = isTaken ? faultOf(field, [rest]) : undefined
        if (refusal) {
          // It stays to be corrected, and does not become one of the values.
          event.preventDefault()
          event.stopPropagation()
          return setFault(refusal)
        }
        // Enter takes in what was typed, and on an empty line ends the editing; Tab does both.
        if (event.key === 'Tab') onChange([...((value as string[] | null) ?? []), rest])
      }}
    />
  )
}

/** As it is shown elsewhere. */
const PhonePill = ({ option, onRemove, disabled }: ComboboxRenderPillInput) => (
  <Pill withRemoveButton={!disabled} {...(onRemove && { onRemove })}>
    <PhoneText of={String(option.value)} />
  </Pill>
)

const isBlank = (value: unknown) => !Array.isArray(value) || value.length === 0
