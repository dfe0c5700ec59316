import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { useSignedIn } from '../../../client/session.ts'
import { valuesFromFilter } from '../../../records/data/known-values.ts'
import { openCreate } from '../../../records/data/open-create.ts'
import { isStageField, stageCalled, usePipelines } from '../../../records/data/pipelines.ts'
import { useCreateRecord } from '../../../records/data/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { saidAndUndoable } from '../../../records/data/undo.ts'
import type { Values } from '../../../records/data/update-record.ts'
import { useScope } from '../../../records/filter/tree.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { complain } from '../../../ui/basics/notices.tsx'
import css from './board.module.css'
import type { BoardColumn } from './use-board.ts'

type Props = { object: ObjectShape; state: ListState; field: FieldShape; column: BoardColumn; onClose: () => void }

/** A name and Enter make a card; the next one can follow. What needs more than a name is asked in the form. */
export function QuickCard({ object, state, field, column, onClose }: Props) {
  const { me, company } = useSignedIn()
  const pipelines = usePipelines()
  const name = object.titleField
  const scope = useScope(object.key)
  const caller = { me: me.id, currency: company.currency }
  const values = {
    ...valuesFromFilter(object, state.filter, scope, caller),
    ...(column.value !== null && { [field.key]: column.value }),
  }
  const needsMore = object.fields.some(
    (one) => one.is_required && one.key !== name?.key && one.default_value === null && !(one.key in values),
  )
  const stage = stageCalled(isStageField(object, field) ? pipelines : [], column.value)
  const asks = stage && (stage.required_fields.length > 0 || (stage.kind === 'lost' && stage.pipeline.asks_lost_reason))
  const isForm = !name || needsMore || asks
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (!isForm) return
    openCreate(object.key, values)
    onClose()
  }, [])
  return isForm ? null : <NameInput object={object} name={name} values={values} column={column} onClose={onClose} />
}

type NameProps = Omit<Props, 'field' | 'state'> & { name: FieldShape; values: Values }

function NameInput({ object, name, values, column, onClose }: NameProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const create = useCreateRecord(object.key, ({ record, change_set_id }) =>
    saidAndUndoable(`${String(record.title)} created.`, change_set_id),
  )
  useEffect(() => input.current?.focus(), [])
  const save = () => {
    const title = text.trim()
    if (!title) return onClose()
    setText('')
    create.mutate(
      { [name.key]: title, ...values },
      {
        onError: (error) => {
          setText(title)
          complain('This was not created', error)
        },
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') save()
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <TextInput
      ref={input}
      size="sm"
      className={css.quick ?? ''}
      aria-label={`Name of the new ${inSentence(object.label)} in ${column.label}`}
      placeholder={`${name.label}, then Enter`}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => !text.trim() && onClose()}
    />
  )
}
