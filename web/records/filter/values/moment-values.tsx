import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { valuePhrase } from '../../../../contract/filter/explain.ts'
import { fold, type Range, ranges, type Value } from '../../../../contract/filter/index.ts'
import { DayInput } from '../../../ui/form/date-range.tsx'
import { PickList } from '../../../ui/form/picker.tsx'
import { timeLanguage } from '../../../ui/text/moments.ts'
import { mannerIn, readDay } from '../../../ui/text/read-day.ts'
import { asDate, asWeekdayDate } from '../../data/value-text.ts'
import { toggled } from './picked-values.tsx'
import type { ValueProps } from './value-editor.tsx'
import css from './values.module.css'

/** Stretches of days, and single days among them. */
export function MomentRanges({ field, values, onChange }: ValueProps) {
  const [search, setSearch] = useState('')
  const named = (range: Range) => capital(valuePhrase(field, { range }))
  const days = values.filter((value) => typeof value === 'string')
  const typed = readDay(search, mannerIn(timeLanguage()))
  const items = [
    ...days.map((day) => ({ value: day, label: asDate(day) })),
    ...ranges.map((range) => ({ value: range, label: named(range) })),
  ]
  const add = (value: string) =>
    onChange(toggled(values, ranges.includes(value as Range) ? { range: value as Range } : value))
  return (
    <>
      <PickList
        label={`Ranges for ${field.label}`}
        items={[
          ...items.filter(({ label }) => fold(label).includes(fold(search))),
          ...(typed && !days.includes(typed) ? [{ value: typed, label: asWeekdayDate(typed) }] : []),
        ]}
        picked={values.map((value) => (typeof value === 'object' && 'range' in value ? value.range : String(value)))}
        search={search}
        onSearch={setSearch}
        onPick={add}
        nothing="No match"
      />
      <DayInput isNested label="Or a day" value="" onChange={(day) => day && !days.includes(day) && add(day)} />
    </>
  )
}

/** One moment: relative to now, or a day. */
export const MomentValue = ({ values, onChange, onDone }: ValueProps) => (
  <MomentInput value={values[0]} onChange={(value) => onChange([value])} onDone={onDone} />
)

export const MomentPair = ({ values, onChange, onDone }: ValueProps) => {
  const [from, to] = values
  return (
    <div className={css.stack}>
      <MomentInput name="From" value={from} onChange={(value) => onChange([value, to ?? value])} onDone={onDone} />
      <MomentInput name="To" value={to} onChange={(value) => onChange([from ?? value, value])} onDone={onDone} />
    </div>
  )
}

const directions = ['-', '+'] as const
export const units = { d: 'days', w: 'weeks', mo: 'months', q: 'quarters', y: 'years', h: 'hours', min: 'minutes' }
const forms = [
  { value: 'today', label: 'today' },
  { value: 'now', label: 'now' },
  ...directions.flatMap((sign) =>
    Object.entries(units).map(([unit, words]) => ({
      value: `${sign}${unit}`,
      label: `${words} ${sign === '-' ? 'ago' : 'from now'}`,
    })),
  ),
  { value: 'day', label: 'a day' },
]

type InputProps = { name?: string; value: Value | undefined; onChange: (value: Value) => void; onDone: () => void }

function MomentInput({ name = 'When', value, onChange, onDone }: InputProps) {
  const [form, setForm] = useState(formOf(value))
  const [amount, setAmount] = useState(amountOf(value))
  const [day, setDay] = useState(typeof value === 'string' ? value.slice(0, 10) : '')
  const change = (next: string, count: string, on: string) => {
    const made = momentOf(next, count, on)
    if (made) onChange(made)
  }
  const hasAmount = /^[+-]/.test(form)
  return (
    <div
      className={css.moment}
      data-wide={form === 'today' || form === 'now' || undefined}
      data-day={form === 'day' || undefined}
    >
      {hasAmount && (
        <TextInput
          data-autofocus
          label={name}
          inputMode="numeric"
          value={amount}
          error={!/^\d{1,4}$/.test(amount)}
          onChange={({ currentTarget }) => {
            setAmount(currentTarget.value)
            change(form, currentTarget.value, day)
          }}
          onKeyDown={(event) => event.key === 'Enter' && onDone()}
        />
      )}
      <NativeSelect
        label={hasAmount ? '\u00a0' : name}
        aria-label={`${name}, unit`}
        data={forms}
        value={form}
        onChange={({ currentTarget }) => {
          setForm(currentTarget.value)
          change(currentTarget.value, amount, day)
        }}
      />
      {form === 'day' && (
        <DayInput
          isNested
          label={'\u00a0'}
          name="Day"
          value={day}
          onChange={(chosen) => {
            setDay(chosen)
            change(form, amount, chosen)
          }}
        />
      )}
    </div>
  )
}

function formOf(value: Value | undefined) {
  if (typeof value === 'string') return 'day'
  if (typeof value !== 'object' || 'me' in value) return '-d'
  if ('range' in value) return 'today'
  return value.relative === 'now' ? 'now' : value.relative.replace(/\d+/, '')
}

const amountOf = (value: Value | undefined) =>
  (typeof value === 'object' && 'relative' in value && /\d+/.exec(value.relative)?.[0]) || '7'

function momentOf(form: string, amount: string, day: string): Value | undefined {
  if (form === 'today') return { range: 'today' }
  if (form === 'now') return { relative: 'now' }
  if (form === 'day') return day || undefined
  return /^\d{1,4}$/.test(amount) ? { relative: `${form[0]}${Number(amount)}${form.slice(1)}` } : undefined
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
