import { Button, UnstyledButton } from '@mantine/core'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { RecordShape } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { Part } from '../part.tsx'
import { PartFailed, PartLoading } from '../small-states.tsx'
import { useAbout } from '../use-about.ts'
import { isOpen } from './due.tsx'
import { NewTask } from './new-task.tsx'
import { TaskRow } from './task-row.tsx'
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
      {query.isPending && <PartLoading what="tasks" />}
      {query.isError && !query.data && <PartFailed what="tasks" onRetry={query.refetch} busy={query.isFetching} />}
      {open.length > 0 && <TaskList tasks={tasks} of={open} label="Open tasks" />}
      {tasks.rights.create && <NewTask record={record} tasks={tasks} />}
      {query.hasNextPage && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => query.fetchNextPage()}>
          Load more
        </Button>
      )}
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
