import { NativeSelect } from '@mantine/core'
import type { Op } from '../../../contract/filter/index.ts'
import { type Draft, type FieldSubject, withOp } from './tree.ts'
import { offeredOps, shownOp, wordsFor } from './words.ts'
import { ValueEditor } from './values/value-editor.tsx'

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
