import { ActionIcon, Button, TextInput } from '@mantine/core'
import { CalendarClock, Plus, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { takeMoment } from '../../records/editors/read-moment.ts'
import { useKept } from '../../records/kept.ts'
import { useCreateRecord } from '../../records/records-api.ts'
import type { ObjectShape } from '../../records/schema.ts'
import { saidAndUndoable } from '../../records/undo.tsx'
import { fieldErrors, wordsOf } from '../../ui/form-errors.ts'
import type { Here } from './days.ts'
import { inWords } from './due-menu.tsx'
import css from './my-tasks.module.css'

type Props = { tasks: ObjectShape; user: string; here: Here; input: RefObject<HTMLInputElement | null> }

/** One line. A date at its end becomes the due date, which is shown before it is saved and can be refused. */
export function AddTask({ tasks, user, here, input }: Props) {
  const { me, company } = useSignedIn()
  const [text, keep] = useKept(`new task of ${user}`, '')
  const [refused, setRefused] = useState<string>()
  const { mutate, isPending, error, reset } = useCreateRecord('tasks', ({ record, change_set_id }) => {
    keep(undefined)
    setRefused(undefined)
    saidAndUndoable(`“${record.title}” added.`, change_set_id)
  })
  const place = { language: me.language ?? company.language, zone: here.zone }
  const found = tasks.byKey.has('due_at') ? takeMoment(text, place, here.now) : undefined
  const words = found && text.trim().slice(found.rest.length).trim()
  const due = words !== refused ? found : undefined
  const save = () => {
    const title = (due?.rest ?? text).trim()
    if (!title || isPending) return
    mutate({ title, ...(due && { due_at: due.moment }), ...(user !== me.id && { assignee: user }) })
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && !text) event.currentTarget.blur()
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    save()
  }
  return (
    <div className={css.adding}>
      <TextInput
        ref={input}
        variant="unstyled"
        className={css.line}
        leftSection={<Plus size={16} aria-hidden="true" />}
        placeholder="Add a task, such as: Call Anna tomorrow 10:00"
        aria-label="New task"
        autoComplete="off"
        dir="auto"
        value={text}
        error={error && (Object.values(fieldErrors(error))[0] ?? wordsOf(error))}
        onKeyDown={press}
        onChange={(event) => {
          reset()
          keep(event.currentTarget.value)
        }}
      />
      {due && (
        <span className={css.chip} role="status">
          <CalendarClock size={13} aria-hidden="true" />
          {inWords(due.moment, here)}
          <ActionIcon
            variant="transparent"
            color="gray"
            size={24}
            aria-label={`Not due: keep “${words}” in the title`}
            onClick={() => {
              setRefused(words)
              input.current?.focus()
            }}
          >
            <X size={13} aria-hidden="true" />
          </ActionIcon>
        </span>
      )}
      {text.trim() && (
        <Button size="compact-sm" loading={isPending} onClick={save}>
          Add
        </Button>
      )}
    </div>
  )
}
