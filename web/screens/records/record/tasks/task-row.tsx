import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CalendarClock, UserRound } from 'lucide-react'
import { type RecordShape, useUpdateRecord } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { Initials } from '../../../../ui/initials.tsx'
import { useUser } from '../../../../users/directory.ts'
import { EditInPlace } from '../fields/edit-in-place.tsx'
import { useRights } from '../rights.ts'
import { Due, isOpen } from './due.tsx'
import css from './tasks.module.css'

export function TaskRow({ tasks, task }: { tasks: ObjectShape; task: RecordShape }) {
  const isFixed = !useRights(tasks).mayEdit(task)
  const { mutate } = useUpdateRecord('tasks', {
    said: () => (isOpen(task) ? 'Task done.' : 'Task is open again.'),
    isAnnounced: true,
  })
  const due = tasks.byKey.get('due_at')
  const assignee = tasks.byKey.get('assignee')
  const title = String(task.title)
  return (
    <li className={css.task} data-done={!isOpen(task) || undefined}>
      <Checkbox
        aria-label={`${title}: done`}
        radius="xl"
        checked={!isOpen(task)}
        disabled={isFixed || !tasks.byKey.has('status')}
        onChange={(event) => mutate({ id: task.id, values: { status: event.currentTarget.checked ? 'done' : 'open' } })}
      />
      <Link to="/records/$object/$id" params={{ object: 'tasks', id: task.id }} className={css.title}>
        <span dir="auto">{title}</span>
      </Link>
      {due && (
        <EditInPlace
          object={tasks}
          record={task}
          field={due}
          isFixed={isFixed}
          className={css.due}
          shown={<Due at={String(task.due_at)} isOpen={isOpen(task)} />}
          empty={<CalendarClock size={15} className={css.unset} role="img" aria-label="No due date" />}
        />
      )}
      {assignee && (
        <EditInPlace
          object={tasks}
          record={task}
          field={assignee}
          isFixed={isFixed}
          className={css.assignee}
          shown={<Face id={String(task.assignee)} />}
          empty={<UserRound size={15} className={css.unset} role="img" aria-label="Nobody" />}
        />
      )}
    </li>
  )
}

function Face({ id }: { id: string }) {
  const user = useUser(id)
  return (
    <span title={user?.name} role="img" aria-label={user?.name ?? 'Somebody'}>
      <Initials name={user?.name ?? '…'} pictureId={user?.picture_id} size={22} />
    </span>
  )
}
