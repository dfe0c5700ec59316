import { Button, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowUp, CircleCheckBig } from 'lucide-react'
import { pages } from '../../../contract/shared/pages.ts'
import { builtInField } from '../../records/data/built-in.ts'
import { openCreate } from '../../records/data/open-create.ts'
import { type RecordShape, relatedIn, titledIn, useUpdateRecord } from '../../records/data/records-api.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { Message } from '../../ui/basics/states.tsx'
import { asFull, asNearDay, asNearMoment } from '../../ui/text/moments.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import { countOf, type Figure, type WidgetAnswer } from './dashboard-api.ts'
import { FigureLink, WidgetCard } from './widget-card.tsx'
import css from './widgets.module.css'

const names: Record<string, string> = { overdue: 'Overdue', today: 'Today' }

/** What is overdue and what is due today, with a box to tick. */
export function TaskWidget({ title, of: { figures } }: { title: string; of: WidgetAnswer }) {
  const objects = useSchema()
  const tasks = objects.find(({ key }) => key === figures[0]?.object)
  const due = figures.filter((figure) => countOf(figure) > 0)
  return (
    <WidgetCard
      title={title}
      action={
        <Link to={pages.myTasks} className={css.more}>
          All my tasks
        </Link>
      }
    >
      {tasks && due.length > 0 ? (
        due.map((figure) => <TaskGroup key={figure.key} tasks={tasks} of={figure} />)
      ) : (
        <Message
          size="small"
          icon={CircleCheckBig}
          action={
            tasks?.rights.create && (
              <Button variant="default" size="compact-sm" onClick={() => openCreate(tasks.key)}>
                Add a task
              </Button>
            )
          }
        >
          No tasks are due today.
        </Message>
      )}
    </WidgetCard>
  )
}

function TaskGroup({ tasks, of: figure }: { tasks: ObjectShape; of: Figure }) {
  const count = countOf(figure)
  const name = names[figure.key ?? ''] ?? ''
  const records = figure.records as RecordShape[]
  return (
    <section className={css.group} aria-label={name}>
      <h3 className={css.groupName} data-late={figure.key === 'overdue' || undefined}>
        <FigureLink of={figure}>
          {name} <span className={css.count}>{asNumber(count)}</span>
        </FigureLink>
      </h3>
      <ul className={css.list}>
        {records.map((task) => (
          // A newer version is no longer what was ticked here.
          <Task key={`${task.id} ${task.version}`} tasks={tasks} task={task} isLate={figure.key === 'overdue'} />
        ))}
      </ul>
      {count > records.length && (
        <FigureLink of={figure} className={css.rest}>
          Show all {asNumber(count)}
        </FigureLink>
      )}
    </section>
  )
}

function Task({ tasks, task, isLate }: { tasks: ObjectShape; task: RecordShape; isLate: boolean }) {
  const keyOf = (name: string) => builtInField(tasks, name)?.key ?? name
  const [status, due, priority] = [keyOf('status'), task[keyOf('due_at')], task[keyOf('priority')]]
  const about = builtInField(tasks, 'about')
  const related = about ? relatedIn(task[about.key]).flatMap((one) => titledIn(one, about) ?? [])[0] : undefined
  const title = String(task.title)
  const { mutate, variables, isPending, isSuccess } = useUpdateRecord(tasks.key, {
    said: ({ values }) => (values[status] === 'done' ? `“${title}” completed.` : `“${title}” reopened.`),
    isAnnounced: true,
  })
  const isDone = (isPending || isSuccess) && variables?.values[status] === 'done'
  const tick = () =>
    mutate({
      id: task.id,
      values: { [status]: isDone ? 'open' : 'done' },
      ...(!isSuccess && { version: task.version }),
    })
  return (
    <li className={css.row} data-done={isDone || undefined}>
      <Checkbox
        aria-label={`${title}: done`}
        radius="xl"
        checked={isDone}
        disabled={tasks.rights.edit === 'none'}
        classNames={{ root: css.tick, body: css.tickBody }}
        onChange={tick}
      />
      <div className={css.what}>
        <Link to="/records/$object/$id" params={{ object: tasks.key, id: task.id }} className={css.title}>
          <span dir="auto">{title}</span>
        </Link>
        {related?.is_private && <bdi className={css.note}>{related.title}</bdi>}
        {related && !related.is_private && (
          <Link to="/records/$object/$id" params={{ object: related.object, id: related.id }} className={css.note}>
            <bdi>{related.title}</bdi>
          </Link>
        )}
      </div>
      {priority === 'high' && (
        <span className={css.high} role="img" aria-label="High priority" title="High priority">
          <ArrowUp size={14} />
        </span>
      )}
      {typeof due === 'string' && (
        <time dateTime={due} title={asFull(due)} className={css.end} data-late={isLate || undefined}>
          {shortDue(due)}
        </time>
      )}
    </li>
  )
}

/** "10:00 AM" today, and the day otherwise: there is little room. */
function shortDue(due: string) {
  const day = asNearDay(due)
  return day === 'Today' ? asNearMoment(due).replace(/^Today, /, '') : day
}
