import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { durationPhrase } from '../../../contract/filter/explain.ts'
import { type Filter, operators } from '../../../contract/filter/index.ts'
import { Chip, type ChipAction } from './chip.tsx'
import { ConditionForm } from './condition-form.tsx'
import type { Draft, Subject } from './draft.ts'
import { fittingOp, wordsFor } from './operator-words.ts'
import { QuietForm } from './quiet-form.tsx'
import { SearchForm } from './search-form.tsx'
import { ValueWords } from './value-words.tsx'

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
