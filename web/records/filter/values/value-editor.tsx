import { SegmentedControl, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fitValue } from '../../../../contract/filter/check-value.ts'
import { isPartial } from '../../../../contract/filter/fields.ts'
import { type FilterField, type Op, operators, type Value } from '../../../../contract/filter/index.ts'
import { MomentPair, MomentRanges, MomentValue } from './moment-values.tsx'
import { NumberValues } from './number-values.tsx'
import { CountryValues, OptionValues, RecordValues, UserValues } from './picked-values.tsx'
import { isMoment } from './words.ts'

export type ValueProps = {
  field: FilterField
  op: Op
  values: Value[]
  /** What holds from now on; never called with what the field does not take. */
  onChange: (values: Value[]) => void
  /** Enter: this was the last of it. */
  onDone: () => void
}

/** Edits what follows an operator, by the type of the field. */
export function ValueEditor(props: ValueProps) {
  const { field, op } = props
  const { operands } = operators[op]
  if (operands === 'none') return null
  if (isMoment(field)) {
    if (operands === 'list') return <MomentRanges {...props} />
    return operands === 'pair' ? <MomentPair {...props} /> : <MomentValue {...props} />
  }
  switch (field.type) {
    case 'boolean':
      return <BooleanValue {...props} />
    case 'select':
    case 'multi_select':
      return <OptionValues {...props} />
    case 'country':
      return isPartial(op) ? <TextValue {...props} /> : <CountryValues {...props} />
    case 'user':
      return <UserValues {...props} />
    case 'relation':
      return <RecordValues {...props} />
    case 'number':
    case 'money':
      return <NumberValues {...props} />
    default:
      return operands === 'list' ? <TextValues {...props} /> : <TextValue {...props} />
  }
}

const BooleanValue = ({ field, values, onChange }: ValueProps) => (
  <SegmentedControl
    fullWidth
    aria-label={field.label}
    data={[
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ]}
    value={String(values[0] ?? true)}
    onChange={(value) => onChange([value === 'true'])}
  />
)

/** A text, as it is typed. It holds after a short pause, and at once with Enter. */
function TextValue({ field, op, values, onChange, onDone }: ValueProps) {
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
      placeholder="Type text"
      value={text}
      error={fit && 'message' in fit && fit.message}
      onChange={(event) => write(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && onDone()}
    />
  )
}

const TextValues = ({ field, values, onChange }: ValueProps) => (
  <TagsInput
    data-autofocus
    aria-label={`Text values for ${field.label}`}
    placeholder={values.length ? undefined : 'Type text, then press Enter'}
    value={values.map(String)}
    onChange={(texts) => onChange(texts.filter(Boolean))}
    acceptValueOnBlur
    clearable
    clearButtonProps={{ 'aria-label': 'Clear all' }}
  />
)
