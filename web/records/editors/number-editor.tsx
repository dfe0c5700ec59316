import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { asTyped, asTypedDecimal, readDecimal } from '../../ui/numbers.ts'
import type { Money } from '../value-text.ts'
import { type EditorProps, inputProps, useTypedAtFirst } from './editor.ts'
import css from './editors.module.css'

/** What is no number goes on as it was typed, so that nothing is lost and the check can say so. */
export function NumberEditor(props: EditorProps) {
  const [text, setText] = useState(props.typed ?? asText(props.value))
  const tell = (typed: string) => {
    const read = readDecimal(typed)
    props.onChange(typed.trim() === '' ? null : read === undefined ? typed : Number(read))
  }
  useTypedAtFirst(props.typed, tell)
  return (
    <TextInput
      {...inputProps(props)}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        tell(value)
      }}
    />
  )
}

const asText = (value: unknown) => (typeof value === 'number' ? asTyped(value) : typeof value === 'string' ? value : '')

/** The currency stays when the amount is typed again; at first it is the company's. */
export function MoneyEditor(props: EditorProps) {
  const { company } = useSignedIn()
  const value = props.value as Money | null
  const [currency, setCurrency] = useState(value?.currency ?? company.currency)
  const [text, setText] = useState(props.typed ?? asTypedDecimal(value?.amount ?? ''))
  const tell = (typed: string, code: string) =>
    props.onChange(typed.trim() === '' ? null : { amount: readDecimal(typed) ?? typed, currency: code })
  useTypedAtFirst(props.typed, (typed) => tell(typed, currency))
  const { label, ...rest } = inputProps(props) as ReturnType<typeof inputProps> & { label?: string }
  return (
    <div className={css.money}>
      <TextInput
        {...rest}
        label={label}
        // The currency stands beside the amount, whatever is said of it.
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        className={css.amount}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          tell(value, currency)
        }}
      />
      <Select
        className={css.currency}
        aria-label={`Currency of ${props.field.label}`}
        label={label && '\u00a0'}
        searchable
        allowDeselect={false}
        withCheckIcon={false}
        data={currenciesFrom([company.currency, currency, ...company.rates.map((rate) => rate.currency)])}
        value={currency}
        comboboxProps={{ width: 110 }}
        onChange={(code) => {
          if (!code) return
          setCurrency(code)
          tell(text, code)
        }}
      />
    </div>
  )
}

const currenciesFrom = (first: string[]) => [...new Set([...first, ...Intl.supportedValuesOf('currency')])]
