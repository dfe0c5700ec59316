import { Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { asNumber, asTyped, asTypedDecimal, readDecimal } from '../../ui/text/numbers.ts'
import { asMoney, type Money } from '../data/value-text.ts'
import { type EditorProps, inputProps, useTypedAtFirst } from './editor.ts'
import css from './editors.module.css'
import { readMoney } from './read-money.ts'

/** What is no number goes on as it was typed, so that nothing is lost and the check can say so. */
export function NumberEditor(props: EditorProps) {
  const [text, setText] = useState(props.typed ?? asText(props.value))
  const tell = (typed: string) => {
    const read = readDecimal(typed)
    props.onChange(typed.trim() === '' ? null : read === undefined ? typed : Number(read))
  }
  useTypedAtFirst(props.typed, tell)
  const read = readDecimal(text)
  return (
    <>
      <TextInput
        {...inputProps(props)}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onBlur={() => read !== undefined && setText(asTypedDecimal(read))}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          tell(value)
        }}
      />
      <Understood isCell={props.isCell}>{read !== undefined && hasLetters(text) && asNumber(Number(read))}</Understood>
    </>
  )
}

const asText = (value: unknown) => (typeof value === 'number' ? asTyped(value) : typeof value === 'string' ? value : '')

/** Digits alone show what they are. */
const hasLetters = (text: string) => /[\p{L}\p{Sc}]/u.test(text)

/** The currency stays when the amount is typed again, unless another one is typed with it; at first it is the company's. */
export function MoneyEditor(props: EditorProps) {
  const { company } = useSignedIn()
  const value = props.value as Money | null
  const [currency, setCurrency] = useState(value?.currency ?? company.currency)
  const [saved] = useState(value?.meant ? null : value)
  const savedText = asTypedDecimal(saved?.amount ?? '')
  const [text, setText] = useState(props.typed ?? asTypedDecimal(value?.amount ?? ''))
  // A saved 1.125 has one meaning.
  const readText = (typed: string): Money | undefined =>
    saved && typed === savedText ? { amount: saved.amount, currency } : readMoney(typed, currency)
  const tell = (typed: string) => {
    const read = readText(typed)
    if (read) setCurrency(read.currency)
    props.onChange(typed.trim() === '' ? null : (read ?? { amount: typed, currency }))
  }
  useTypedAtFirst(props.typed, tell)
  const read = readText(text)
  const plain = read ? asTypedDecimal(read.amount) : text
  const isClear = read && !read.meant
  const { label, ...rest } = inputProps(props) as ReturnType<typeof inputProps> & { label?: string }
  return (
    <>
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
          onBlur={() => setText(plain)}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            tell(currentTarget.value)
          }}
        />
        <Select
          className={css.currency}
          aria-label={`Currency of ${props.field.label}`}
          label={label && '\u00a0'}
          searchable
          withCheckIcon={false}
          data={currenciesFrom([company.currency, currency, ...company.rates.map((rate) => rate.currency)])}
          value={currency}
          comboboxProps={{ width: 110 }}
          onChange={(code) => {
            if (!code) return
            setCurrency(code)
            setText(plain)
            if (text.trim() !== '') props.onChange({ amount: text, ...read, currency: code })
          }}
        />
      </div>
      <Understood isCell={props.isCell}>{isClear && hasLetters(text) && asMoney(read)}</Understood>
    </>
  )
}

const currenciesFrom = (first: string[]) => [...new Set([...first, ...Intl.supportedValuesOf('currency')])]

/** What is going to be saved, where it is not what was typed. */
export const Understood = ({ isCell, children }: { isCell: boolean; children: ReactNode }) => (
  <p className={css.understood} data-cell={isCell || undefined} aria-live="polite">
    {children}
  </p>
)
