import { Button, VisuallyHidden } from '@mantine/core'
import { CalendarPlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSignedIn } from '../../../client/session.ts'
import { useKept } from '../../../records/data/kept.ts'
import { type RecordShape, useCreateRecord } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { saidAndUndoable } from '../../../records/data/undo.ts'
import { FieldEditor } from '../../../records/fields/field-editor.tsx'
import { takeMoment } from '../../../records/fields/read-moment.ts'
import { OneLine } from '../../../ui/form/one-line.tsx'
import { asFull, asNearMoment, isOver } from '../../../ui/text/moments.ts'
import css from './composer.module.css'
import steps from './next-steps.module.css'

type Draft = { title: string; due_at: string | null }
const blank: Draft = { title: '', due_at: null }

type Props = { tasks: ObjectShape; record: RecordShape; isAsked: boolean }

/** One line: what, by when, Enter. */
export function NewTask({ tasks, record, isAsked }: Props) {
  const { me, company } = useSignedIn()
  const [draft, keep] = useKept<Draft>(`task ${record.id}`, blank)
  const [isChoosing, setChoosing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { mutate, isPending, error, reset } = useCreateRecord(tasks.key, ({ record, change_set_id }) => {
    keep(undefined)
    saidAndUndoable('Task added.', change_set_id, [record.id])
  })
  useEffect(() => {
    if (isAsked) input.current?.focus()
  }, [isAsked])
  const due = tasks.byKey.get('due_at')
  const place = { language: me.language ?? company.language, zone: me.time_zone ?? company.time_zone }
  // "Call Anna tomorrow 10:00"; a date that was chosen counts more.
  const found = due && !draft.due_at ? takeMoment(draft.title, place) : undefined
  const due_at = draft.due_at ?? found?.moment
  const save = () => {
    const title = found?.rest ?? draft.title.trim()
    if (!title || isPending) return
    mutate({ title, about: [record.id], ...(due_at && { due_at }) }, { onSuccess: () => input.current?.focus() })
  }
  return (
    <div className={css.line}>
      <OneLine
        ref={input}
        label="New task"
        placeholder="What needs to be done?"
        value={draft.title}
        error={error}
        onEnter={save}
        onChange={(title) => {
          reset()
          keep({ ...draft, title })
        }}
      />
      {due && isChoosing && (
        <div className={css.when}>
          <FieldEditor
            variant="cell"
            autoFocus
            field={due}
            value={due_at ?? null}
            onChange={(due_at) => keep({ ...draft, due_at: due_at as string | null })}
            onCommit={() => {
              setChoosing(false)
              input.current?.focus()
            }}
            onCancel={() => setChoosing(false)}
          />
        </div>
      )}
      {due && draft.title && !isChoosing && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<CalendarPlus size={14} />}
          onClick={() => setChoosing(true)}
        >
          {due_at ? <Due at={due_at} isOpen /> : 'Due'}
        </Button>
      )}
      <Button size="compact-sm" loading={isPending} disabled={!draft.title.trim()} onClick={save}>
        Add task
      </Button>
    </div>
  )
}

/** When it is due, in the words that people use for near days. */
export function Due({ at, isOpen }: { at: string; isOpen: boolean }) {
  const isLate = isOpen && isOver(at)
  return (
    <time dateTime={at} title={asFull(at)} className={steps.when} data-late={isLate || undefined}>
      {isLate && <VisuallyHidden component="span">Overdue: </VisuallyHidden>}
      {asNearMoment(at)}
    </time>
  )
}

export const isOpen = ({ status }: RecordShape) => status !== 'done' && status !== 'cancelled'
