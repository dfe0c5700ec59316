import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { type Filter, operators } from '../../../contract/filter/index.ts'
import { Chip, type ChipAction } from './chip.tsx'
import { ConditionForm } from './condition-form.tsx'
import type { Draft, Subject } from './draft.ts'
import { fittingOp, wordsFor } from './operator-words.ts'
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
  const isSearch = subject === 'search'
  return (
    <Chip
      {...rest}
      field={isSearch ? 'Any text' : subject.label}
      words={isSearch ? 'contains' : wordsFor(fittingOp(subject.field, op, values.length), subject.field)}
      value={isSearch ? JSON.stringify(values[0] ?? '') : <ValueWords field={subject.field} values={values} />}
      onOpen={() => setDraft(given)}
      onClose={close}
      onRemove={() => onChange(undefined)}
    >
      {(done) =>
        isSearch ? (
          <SearchForm text={String(values[0] ?? '')} onChange={(text) => edit({ op, values: [text] })} onDone={done} />
        ) : (
          <ConditionForm subject={subject} draft={{ op, values }} onChange={edit} onDone={done} />
        )
      }
    </Chip>
  )
}

function filterOf(subject: Subject, { op, values }: Draft): Filter | undefined {
  const [first] = values
  if (subject === 'search') return typeof first === 'string' && first.trim() ? { search: first } : undefined
  const { path, field } = subject
  if (operators[op].operands === 'none') return { field: path, op }
  if (first === undefined) return undefined
  const fitting = fittingOp(field, op, values.length)
  return { field: path, op: fitting, value: operators[fitting].operands === 'one' ? first : values }
}
