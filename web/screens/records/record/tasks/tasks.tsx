import { Checkbox, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CalendarClock, ChevronRight, UserRound } from 'lucide-react'
import { useState } from 'react'
import { type RecordShape, useUpdateRecord } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { Initials } from '../../../../ui/avatar.tsx'
import { Part } from '../../../../ui/layout.tsx'
import { Loaded, LoadMore } from '../../../../ui/loaded.tsx'
import { useUser } from '../../../../users/users.ts'
import { EditInPlace } from '../fields/edit-in-place.tsx'
import { useAbout } from '../related/relations.ts'
import { useRights } from '../rights.ts'
import { Due, isOpen, NewTask } from './new-task.tsx'
import css from './tasks.module.css'

type Props = { object: ObjectShape; tasks: ObjectShape; record: RecordShape }

/** What is to be done about this record, the next one first; what is done waits behind a button. */
export function Tasks({ object, tasks, record }: Props) {
  const { query, records } = useAbout(tasks, object, record.id, { sort: ['due_at'] })
  const [withDone, setWithDone] = useState(false)
  const open = records.filter(isOpen)
  const done = records.filter((task) => !isOpen(task))
  return (
    <Part title="Tasks" count={open.length || undefined}>
      <Loaded query={query} what="tasks" small>
        {() => open.length > 0 && <TaskList tasks={tasks} of={open} label="Open tasks" />}
      </Loaded>
      {tasks.rights.create && <NewTask record={record} tasks={tasks} />}
      <LoadMore of={query} size="compact-sm" />
      {done.length > 0 && (
        <UnstyledButton className={css.done} aria-expanded={withDone} onClick={() => setWithDone(!withDone)}>
          <ChevronRight size={14} aria-hidden="true" />
          {done.length} done
        </UnstyledButton>
      )}
      {withDone && <TaskList tasks={tasks} of={done} label="Done tasks" />}
    </Part>
  )
}

const TaskList = ({ tasks, of, label }: { tasks: ObjectShape; of: RecordShape[]; label: string }) => (
  <ul className={css.list} aria-label={label}>
    {of.map((task) => (
      <TaskRow key={task.id} tasks={tasks} task={task} />
    ))}
  </ul>
)

function TaskRow({ tasks, task }: { tasks: ObjectShape; task: RecordShape }) {
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
