import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Op } from '../../../contract/filter/index.ts'
import { type Draft, type FieldSubject, withOp } from './tree.ts'
import { ValueEditor } from './values/value-editor.tsx'
import { offeredOps, shownOp, wordsFor } from './values/words.ts'

type Props = {
  subject: FieldSubject
  draft: Draft
  onChange: (draft: Draft) => void
  onDone: () => void
}

export function ConditionForm({ subject, draft, onChange, onDone }: Props) {
  const { field, label } = subject
  const op = shownOp(field, draft.op)
  return (
    <>
      <NativeSelect
        label={label}
        data={offeredOps(field).map((one) => ({ value: one, label: wordsFor(one, field) }))}
        value={op}
        onChange={(event) => onChange(withOp(field, event.currentTarget.value as Op, draft.values))}
      />
      <ValueEditor
        key={op}
        field={field}
        op={draft.op}
        values={draft.values}
        onChange={(values) => onChange({ op: draft.op, values })}
        onDone={onDone}
      />
    </>
  )
}

type SearchFormProps = { value: string; onChange: (text: string) => void; onDone: () => void }

export function SearchForm({ value, onChange, onDone }: SearchFormProps) {
  const [typed, setTyped] = useState(value)
  return (
    <TextInput
      data-autofocus
      label="Words anywhere in the record"
      placeholder="acme berlin"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(currentTarget.value)
      }}
      onKeyDown={(event) => event.key === 'Enter' && onDone()}
    />
  )
}
