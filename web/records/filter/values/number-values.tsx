import { TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { operators, type Value } from '../../../../contract/filter/index.ts'
import { useSignedIn } from '../../../client/session.ts'
import { asNumber, asTyped, readDecimal } from '../../../ui/text/numbers.ts'
import type { ValueProps } from './value-editor.tsx'
import css from './values.module.css'

export function NumberValues(props: ValueProps) {
  const { operands } = operators[props.op]
  if (operands === 'list') return <SeveralNumbers {...props} />
  return operands === 'pair' ? <NumberPair {...props} /> : <NumberInput {...props} name="Number" at={0} />
}

const NumberPair = (props: ValueProps) => (
  <div className={css.pair}>
    <NumberInput {...props} name="From" at={0} />
    <NumberInput {...props} name="To" at={1} />
  </div>
)

function readNumber(typed: string) {
  const number = Number(readDecimal(typed))
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined
}

function NumberInput({ field, op, values, onChange, onDone, name, at }: ValueProps & { name: string; at: number }) {
  const { company } = useSignedIn()
  const [text, setText] = useState(typeof values[at] === 'number' ? asTyped(values[at]) : '')
  const write = (typed: string) => {
    setText(typed)
    const number = readNumber(typed)
    if (number === undefined) return
    const both: (Value | undefined)[] = op === 'between' ? [values[0] ?? number, values[1] ?? number] : [number]
    both[at] = number
    onChange(both as Value[])
  }
  const read = readNumber(text)
  return (
    <TextInput
      data-autofocus={at === 0 || undefined}
      label={op === 'between' ? name : undefined}
      aria-label={op === 'between' ? undefined : `${name} for ${field.label}`}
      inputMode="decimal"
      placeholder="10000 or 10k"
      description={read !== undefined && /\p{L}/u.test(text) && asNumber(read)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={text}
      error={text.trim() !== '' && read === undefined && `Enter a number such as 10000, ${asTyped(12.5)} or 10k`}
      rightSection={field.type === 'money' && <span className={css.unit}>{company.currency}</span>}
      onChange={(event) => write(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && onDone()}
    />
  )
}

const SeveralNumbers = ({ field, values, onChange }: ValueProps) => (
  <TagsInput
    data-autofocus
    aria-label={`Numbers for ${field.label}`}
    placeholder={values.length ? undefined : 'Type a number, then press Enter'}
    value={values.map((value) => asTyped(Number(value)))}
    onChange={(texts) => onChange(texts.map(readNumber).filter((number) => number !== undefined))}
    acceptValueOnBlur
    clearable
    clearButtonProps={{ 'aria-label': 'Clear all' }}
  />
)
