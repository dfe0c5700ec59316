import { Menu, UnstyledButton } from '@mantine/core'
import { CalendarClock, CalendarDays, CalendarX2, Hourglass, Sun, Sunrise } from 'lucide-react'
import { useState } from 'react'
import { type RecordShape, useUpdateRecord } from '../../records/data/records-api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { FieldEditor } from '../../records/fields/field-editor.tsx'
import { asFull, asNearMoment, asTime } from '../../ui/text/moments.ts'
import { dueIn, dueInHours, type Here, isLate, isWholeDay, untilMonday } from './days.ts'
import css from './my-tasks.module.css'

type Props = { tasks: ObjectShape; task: RecordShape; here: Here; withDay: boolean; isFixed: boolean }

/** When the task is due. A click offers other days. */
export function DueMenu({ tasks, task, here, withDay, isFixed }: Props) {
  const [isPicking, setPicking] = useState(false)
  const field = tasks.byKey.get('due_at')
  const due = typeof task.due_at === 'string' ? task.due_at : null
  const { mutate } = useUpdateRecord(tasks.key, {
    said: () => `Due date of “${task.title}” changed.`,
    isAnnounced: true,
  })
  if (!field) return null
  const set = (due_at: string | null) => mutate({ id: task.id, values: { due_at } })
  const shown = due ? <Due at={due} here={here} withDay={withDay} isDone={isFixed} /> : <NoDue />
  if (isFixed) return <span className={css.due}>{due && shown}</span>
  const pick = (at: string | null | undefined) => {
    setPicking(false)
    if (at !== undefined) set(at)
  }
  if (isPicking) return <Pick field={field} due={due} onDone={pick} />
  return (
    <Menu position="bottom-end" shadow="md" width={210} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton
          className={css.due}
          aria-label={`Due: ${due ? asNearMoment(due, here.now) : 'no date'}. Change`}
        >
          {shown}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Sun size={15} />} onClick={() => set(dueIn(0, here, due))}>
          Today
        </Menu.Item>
        <Menu.Item leftSection={<Sunrise size={15} />} onClick={() => set(dueIn(1, here, due))}>
          Tomorrow
        </Menu.Item>
        <Menu.Item leftSection={<CalendarDays size={15} />} onClick={() => set(dueIn(untilMonday(here), here, due))}>
          Next week
        </Menu.Item>
        <Menu.Item leftSection={<CalendarClock size={15} />} onClick={() => setPicking(true)}>
          Pick a date
        </Menu.Item>
        <Menu.Divider />
        {[1, 3].map((hours) => (
          <Menu.Item key={hours} leftSection={<Hourglass size={15} />} onClick={() => set(dueInHours(hours, here))}>
            {hours === 1 ? 'Snooze for an hour' : `Snooze for ${hours} hours`}
          </Menu.Item>
        ))}
        {due && <Menu.Divider />}
        {due && (
          <Menu.Item leftSection={<CalendarX2 size={15} />} onClick={() => set(null)}>
            Remove date
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

type PickProps = {
  field: ObjectShape['fields'][number]
  due: string | null
  onDone: (at: string | null | undefined) => void
}

function Pick({ field, due, onDone }: PickProps) {
  const [value, setValue] = useState<unknown>(due)
  return (
    <div className={css.picking}>
      <FieldEditor
        variant="cell"
        autoFocus
        field={field}
        value={value}
        onChange={setValue}
        onCommit={() => onDone(value === due ? undefined : (value as string | null))}
        onCancel={() => onDone(undefined)}
      />
    </div>
  )
}

type DueProps = { at: string; here: Here; withDay: boolean; isDone: boolean }

function Due({ at, here, withDay, isDone }: DueProps) {
  const late = !isDone && isLate(at, here)
  const words = withDay ? asNearMoment(at, here.now) : isWholeDay(at, here.zone) ? 'All day' : asTime(at)
  return (
    <time dateTime={at} title={asFull(at)} data-late={late || undefined}>
      {words}
    </time>
  )
}

const NoDue = () => <CalendarClock size={15} className={css.unset} />
