import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowUp, Repeat } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { useSignedIn } from '../../client/session.ts'
import { type RecordShape, relatedIn, titledIn, useUpdateRecord } from '../../records/data/records-api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import type { Here } from './days.ts'
import { DueMenu } from './due-menu.tsx'
import css from './my-tasks.module.css'

/** `withDay`: the heading does not say the day. */
type Props = { tasks: ObjectShape; task: RecordShape; here: Here; withDay: boolean }

export const isOpen = ({ status }: RecordShape) => status !== 'done' && status !== 'cancelled'

export function TaskRow({ tasks, task, here, withDay }: Props) {
  const isFixed = !useMayEdit(tasks, task)
  const title = String(task.title)
  const { mutate } = useUpdateRecord(tasks.key, {
    said: ({ values }) => (values.status === 'done' ? `“${title}” completed.` : `“${title}” reopened.`),
    isAnnounced: true,
  })
  const finish = () => {
    if (!isFixed) mutate({ id: task.id, values: { status: isOpen(task) ? 'done' : 'open' } })
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'x' && event.key !== ' ') return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    // The row leaves the list, and the focus would go with it.
    neighborOf(event.currentTarget)?.focus()
    finish()
  }
  return (
    <li className={css.task} data-done={!isOpen(task) || undefined}>
      <Checkbox
        aria-label={`${title}: done`}
        radius="xl"
        checked={!isOpen(task)}
        disabled={isFixed}
        classNames={{ root: css.tick }}
        onChange={finish}
      />
      <div className={css.what}>
        <Link
          to="/records/$object/$id"
          params={{ object: tasks.key, id: task.id }}
          className={css.title}
          data-task
          onKeyDown={press}
        >
          <span dir="auto">{title}</span>
        </Link>
        <About tasks={tasks} task={task} />
      </div>
      <Marks tasks={tasks} task={task} />
      <DueMenu tasks={tasks} task={task} here={here} withDay={withDay} isFixed={isFixed || !isOpen(task)} />
    </li>
  )
}

function neighborOf(link: HTMLElement) {
  const all = [...document.querySelectorAll<HTMLElement>('[data-task]')]
  const at = all.indexOf(link)
  return all[at + 1] ?? all[at - 1]
}

function useMayEdit({ rights }: ObjectShape, task: RecordShape) {
  const { me } = useSignedIn()
  return rights.edit === 'all' || (rights.edit === 'own' && (task.assignee === me.id || task.owner === me.id))
}

const shownAbout = 2

/** The records that the task is about. */
function About({ tasks, task }: Pick<Props, 'tasks' | 'task'>) {
  const about = tasks.byKey.get('about')
  const all = about ? relatedIn(task.about).flatMap((one) => titledIn(one, about) ?? []) : []
  if (!all.length) return null
  return (
    <span className={css.about}>
      {all.slice(0, shownAbout).map(({ object, id, title, is_private }) =>
        is_private ? (
          <bdi key={id}>{title}</bdi>
        ) : (
          <Link key={id} to="/records/$object/$id" params={{ object, id }}>
            <bdi>{title}</bdi>
          </Link>
        ),
      )}
      {all.length > shownAbout && <span>and {all.length - shownAbout} more</span>}
    </span>
  )
}

/** Only what is out of the ordinary. */
function Marks({ tasks, task }: Pick<Props, 'tasks' | 'task'>) {
  const option = (key: string) => tasks.byKey.get(key)?.options?.find((one) => one.key === task[key])?.label
  const [priority, repeats] = [option('priority'), option('repeats')]
  return (
    <span className={css.marks}>
      {repeats && (
        <span role="img" aria-label={`Repeats ${inSentence(repeats)}`} title={`Repeats: ${repeats}`}>
          <Repeat size={14} />
        </span>
      )}
      {task.priority === 'high' && (
        <span className={css.high} role="img" aria-label={`Priority: ${priority}`} title={`Priority: ${priority}`}>
          <ArrowUp size={14} />
        </span>
      )}
    </span>
  )
}
