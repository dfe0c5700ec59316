import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CalendarClock, UserRound } from 'lucide-react'
import { type RecordShape, useUpdateRecord } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import { useObject } from '../../../records/data/schema.ts'
import { TitleChip } from '../../../records/fields/field-value.tsx'
import { Initials } from '../../../ui/basics/avatar.tsx'
import { PartTitle } from '../../../ui/basics/layout.tsx'
import { asFull, asMinute } from '../../../ui/text/moments.ts'
import { useUser } from '../../../users/users.ts'
import { EditInPlace } from '../fields/edit-in-place.tsx'
import { ActivityIcon } from './entries.tsx'
import { Due, isOpen } from './new-task.tsx'
import css from './next-steps.module.css'
import type { NextStep } from './use-timeline.ts'

/** Open tasks and planned activities, the soonest first. */
export const NextSteps = ({ steps }: { steps: NextStep[] }) =>
  steps.length > 0 && (
    <section aria-labelledby="next-steps" className={css.steps}>
      <PartTitle id="next-steps" title="Next steps" count={steps.length} />
      <ul className={css.list} aria-label="Open tasks">
        {steps.map((step) =>
          step.kind === 'task' ? (
            <TaskRow key={step.record.id} of={step} />
          ) : (
            <PlannedRow key={step.record.id} of={step} />
          ),
        )}
      </ul>
    </section>
  )

function TaskRow({ of: { object, record: task, through } }: { of: NextStep }) {
  const tasks = useObject(object)
  const isFixed = !useRights(tasks).mayEdit(task)
  const { mutate } = useUpdateRecord(object, {
    said: () => (isOpen(task) ? 'Task done.' : 'Task reopened.'),
    isAnnounced: true,
  })
  if (!tasks) return null
  const due = tasks.byKey.get('due_at')
  const assignee = tasks.byKey.get('assignee')
  const title = String(task.title)
  return (
    <li className={css.step} data-done={!isOpen(task) || undefined}>
      <Checkbox
        aria-label={`${title}: done`}
        radius="xl"
        checked={!isOpen(task)}
        disabled={isFixed || !tasks.byKey.has('status')}
        onChange={(event) => mutate({ id: task.id, values: { status: event.currentTarget.checked ? 'done' : 'open' } })}
      />
      <StepTitle object={object} record={task} through={through} />
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
          empty={<UserRound size={15} className={css.unset} role="img" aria-label="Unassigned" />}
        />
      )}
    </li>
  )
}

const PlannedRow = ({ of: { object, record, at, through } }: { of: NextStep }) => (
  <li className={css.step}>
    <ActivityIcon kind={record.kind} />
    <StepTitle object={object} record={record} through={through} />
    {at && (
      <time dateTime={at} title={asFull(at)} className={css.when}>
        {asMinute(at)}
      </time>
    )}
  </li>
)

const StepTitle = ({ object, record, through }: Pick<NextStep, 'object' | 'through'> & { record: RecordShape }) => (
  <span className={css.title}>
    <Link to="/records/$object/$id" params={{ object, id: record.id }}>
      <span dir="auto">{String(record.title)}</span>
    </Link>
    {through && <TitleChip titled={through} />}
  </span>
)

function Face({ id }: { id: string }) {
  const user = useUser(id)
  return (
    <span title={user?.name} role="img" aria-label={user?.name ?? 'Unknown user'}>
      <Initials name={user?.name ?? '…'} pictureId={user?.picture_id} size={22} />
    </span>
  )
}
