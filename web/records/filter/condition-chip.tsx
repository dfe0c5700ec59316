import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isDay, isMomentText } from '../../../contract/filter/days.ts'
import { durationPhrase, valuePhrase } from '../../../contract/filter/explain.ts'
import { isPartial } from '../../../contract/filter/fields.ts'
import {
  type CheckedFilter,
  type Filter,
  type FilterField,
  type Op,
  operators,
  type Scope,
  type Value,
} from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { asMinute } from '../../ui/text/moments.ts'
import { knownUsersQuery } from '../../users/users.ts'
import { useTitle } from '../data/records-api.ts'
import { asCountry, asDate } from '../data/value-text.ts'
import { Chip, type ChipAction } from './chip.tsx'
import { ConditionForm, SearchForm } from './condition-form.tsx'
import { QuietForm } from './quiet-form.tsx'
import type { Draft, Subject } from './tree.ts'
import { fittingOp, isMoment, wordsFor } from './values/words.ts'

type Props = {
  subject: Subject
  draft: Draft
  isNot: boolean
  /** Not in the filter yet: it comes in with its first value. */
  isNew: boolean
  actions: ChipAction[]
  /** Nothing: take it out. */
  onChange: (filter: Filter | undefined) => void
}

const pauseMs = 200

/** One condition. What one picks or types holds after a short pause, and at the latest when the form closes. */
export function ConditionChip({ subject, draft: given, onChange, ...rest }: Props) {
  const [draft, setDraft] = useState<Draft | undefined>(rest.isNew ? given : undefined)
  const { op, values } = draft ?? given
  const commit = useDebouncedCallback((filter: Filter | undefined) => filter && onChange(filter), pauseMs)
  const edit = (next: Draft) => {
    setDraft(next)
    commit(filterOf(subject, next))
  }
  const close = () => {
    commit.cancel()
    setDraft(undefined)
    const [now, before] = [filterOf(subject, { op, values }), filterOf(subject, given)]
    if (rest.isNew || !now || JSON.stringify(now) !== JSON.stringify(before)) onChange(now)
  }
  const [first] = values
  return (
    <Chip
      {...rest}
      {...facesOf(subject, { op, values })}
      onOpen={() => setDraft(given)}
      onClose={close}
      onRemove={() => onChange(undefined)}
    >
      {(done) => {
        const one = {
          value: String(first ?? ''),
          onChange: (text: string) => edit({ op, values: [text] }),
          onDone: done,
        }
        if (subject === 'search') return <SearchForm {...one} />
        if (subject === 'quiet') return <QuietForm {...one} />
        return <ConditionForm subject={subject} draft={{ op, values }} onChange={edit} onDone={done} />
      }}
    </Chip>
  )
}

function facesOf(subject: Subject, { op, values }: Draft) {
  const first = String(values[0] ?? '')
  if (subject === 'search') return { field: 'Any text', words: 'contains', value: JSON.stringify(first) }
  if (subject === 'quiet') return { field: 'Quiet', words: 'for', value: durationPhrase(first) }
  const { field, label } = subject
  const words = wordsFor(fittingOp(field, op, values.length), field)
  return { field: label, words, value: <ValueWords field={field} op={op} values={values} /> }
}

function filterOf(subject: Subject, { op, values }: Draft): Filter | undefined {
  const [first] = values
  if (subject === 'search') return typeof first === 'string' && first.trim() ? { search: first } : undefined
  if (subject === 'quiet') return { quiet_for: String(first) }
  const { path, field } = subject
  if (operators[op].operands === 'none') return { field: path, op }
  if (first === undefined) return undefined
  const fitting = fittingOp(field, op, values.length)
  return { field: path, op: fitting, value: operators[fitting].operands === 'one' ? first : values }
}

type ValueWordsProps = { field: FilterField; op: Op; values: Value[] }

const mostShown = 3

/** The values of a condition as one would say them. */
const ValueWords = ({ field, op, values }: ValueWordsProps) => (
  <>
    {values.slice(0, mostShown).map((value, i) => (
      <span key={JSON.stringify(value)} dir="auto">
        {i > 0 && ', '}
        <ValueWord field={field} op={op} value={value} />
      </span>
    ))}
    {values.length > mostShown && ` and ${values.length - mostShown} more`}
  </>
)

function ValueWord({ field, op, value }: { field: FilterField; op: Op; value: Value }) {
  if (field.type === 'user' && typeof value === 'string') return <UserWord named={value} />
  if (field.type === 'relation' && typeof value === 'string' && isId(value)) return <TitleWord id={value} />
  if (field.type === 'boolean') return value ? 'yes' : 'no'
  if (field.type === 'country' && !isPartial(op)) return asCountry(value)
  if (isPartial(op)) return JSON.stringify(value)
  if (typeof value === 'string' && isDay(value)) return asDate(value)
  if (typeof value === 'string' && isMoment(field) && isMomentText(value)) return asMinute(value)
  return valuePhrase(field, value)
}

function UserWord({ named }: { named: string }) {
  const { data } = useQuery(knownUsersQuery)
  const wanted = named.toLowerCase()
  const user = [...(data?.values() ?? [])].find(({ id, email }) => id === wanted || email === wanted)
  return user?.name ?? named
}

function TitleWord({ id }: { id: string }) {
  const { data: titled, isError } = useTitle(id)
  return titled === null ? 'a deleted record' : (titled?.title ?? (isError ? 'a record' : '…'))
}

/** `quick`: conditions that a click adds or takes away, as they are printed. They stand before the chips. */
export type FilterChipsProps = {
  scope: Scope
  filter: CheckedFilter
  quick?: { label: string; filter: string }[]
  onChange: (text: string) => void
  onText: () => void
}
