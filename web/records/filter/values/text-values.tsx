import { TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fitValue } from '../../../../contract/filter/check-value.ts'
import type { ValueProps } from './value-editor.tsx'

/** A text, as it is typed. It holds after a short pause, and at once with Enter. */
export function TextValue({ field, op, values, onChange, onDone }: ValueProps) {
  const [text, setText] = useState(String(values[0] ?? ''))
  const fit = text === '' ? undefined : fitValue({ field, op, hasCaller: true }, text, undefined)
  const write = (typed: string) => {
    setText(typed)
    if (typed === '') onChange([])
    else if ('value' in fitValue({ field, op, hasCaller: true }, typed, undefined)) onChange([typed])
  }
  return (
    <TextInput
      data-autofocus
      aria-label={`Text for ${field.label}`}
      placeholder="Type a text"
      value={text}
      error={fit && 'message' in fit && fit.message}
      onChange={(event) => write(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && onDone()}
    />
  )
}

export const TextValues = ({ field, values, onChange }: ValueProps) => (
  <TagsInput
    data-autofocus
    aria-label={`Texts for ${field.label}`}
    placeholder={values.length ? undefined : 'Type a text, then Enter'}
    value={values.map(String)}
    onChange={(texts) => onChange(texts.filter(Boolean))}
    acceptValueOnBlur
    clearable
    clearButtonProps={{ 'aria-label': 'Take all out' }}
  />
)
