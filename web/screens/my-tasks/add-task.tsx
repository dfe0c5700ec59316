import { Button } from '@mantine/core'
import { CalendarClock, Plus, X } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { useKept } from '../../records/data/kept.ts'
import { useCreateRecord } from '../../records/data/records-api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { saidAndUndoable } from '../../records/data/undo.ts'
import { takeMoment } from '../../records/fields/read-moment.ts'
import { IconButton } from '../../ui/basics/icon-button.tsx'
import { OneLine } from '../../ui/form/one-line.tsx'
import { asNearMoment } from '../../ui/text/moments.ts'
import type { Here } from './days.ts'
import css from './my-tasks.module.css'

type Props = { tasks: ObjectShape; user: string; here: Here; input: RefObject<HTMLInputElement | null> }

/** One line. A date at its end becomes the due date, which is shown before it is saved and can be refused. */
export function AddTask({ tasks, user, here, input }: Props) {
  const { me, company } = useSignedIn()
  const [text, keep] = useKept(`new task of ${user}`, '')
  const [refused, setRefused] = useState<string>()
  const { mutate, isPending, error, reset } = useCreateRecord(tasks.key, ({ record, change_set_id }) => {
    keep(undefined)
    setRefused(undefined)
    saidAndUndoable(`“${record.title}” added.`, change_set_id, [record.id])
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
  return (
    <div className={css.adding}>
      <OneLine
        ref={input}
        label="New task"
        placeholder="Add a task, e.g. Call Anna tomorrow 10:00"
        icon={<Plus size={16} />}
        value={text}
        error={error}
        onEnter={save}
        onChange={(next) => {
          reset()
          keep(next)
        }}
      />
      {due && (
        <span className={css.chip} role="status">
          <CalendarClock size={13} />
          {asNearMoment(due.moment, here.now)}
          <IconButton
            icon={X}
            label={`No due date: keep “${words}” in the title`}
            size={24}
            variant="transparent"
            onClick={() => {
              setRefused(words)
              input.current?.focus()
            }}
          />
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
