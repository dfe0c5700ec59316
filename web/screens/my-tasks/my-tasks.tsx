import { Button, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronRight, CircleCheckBig, Users } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import { useSignedIn } from '../../client/session.ts'
import { useBuiltIn } from '../../records/data/built-in.ts'
import { countQuery, type RecordShape, recordPagesQuery } from '../../records/data/records-api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { isFree, useKeys } from '../../ui/basics/keys.ts'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { Loaded, LoadMore } from '../../ui/basics/loaded.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Message, Missing } from '../../ui/basics/states.tsx'
import { asWeekday } from '../../ui/text/moments.ts'
import { useNow } from '../../ui/text/now.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import { UserSelect } from '../../users/user-select.tsx'
import { useUser } from '../../users/users.ts'
import { AddTask } from './add-task.tsx'
import { type Here, sectionsOf } from './days.ts'
import css from './my-tasks.module.css'
import { TaskRow } from './task-row.tsx'

const open = 'status not in (done, cancelled)'

export function MyTasks() {
  const tasks = useBuiltIn('tasks')
  const { me } = useSignedIn()
  const { user } = useSearch({ from: '/frame/my-tasks' })
  const id = user ?? me.id
  if (!tasks) return <Missing what="page" back={pages.records} />
  return <TasksOf key={id} tasks={tasks} user={id} />
}

function TasksOf({ tasks, user }: { tasks: ObjectShape; user: string }) {
  const { me } = useSignedIn()
  const name = useUser(user)?.name
  const isMine = user === me.id
  const title = isMine ? 'My tasks' : `${name ?? '…'}’s tasks`
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const here = useHere()
  const assigned = `assignee = ${isMine ? 'me' : `"${user}"`}`
  const query = useInfiniteQuery(
    recordPagesQuery({ object: tasks.key, filter: `${assigned} and ${open}`, sort: ['due_at'] }),
  )
  useTaskKeys(list, input)
  return (
    <Page
      title={title}
      actions={
        <>
          <ButtonLink to="/records/$object" params={{ object: tasks.key }} variant="default">
            All tasks
          </ButtonLink>
          {tasks.rights.read === 'all' && <TeamSwitch user={user} />}
        </>
      }
    >
      {tasks.rights.create && <AddTask key={user} tasks={tasks} user={user} here={here} input={input} />}
      <div ref={list}>
        <Loaded query={query} what="tasks">
          {({ pages: loaded }) => (
            <Sections tasks={tasks} of={loaded.flatMap(({ records }) => records)} here={here} isMine={isMine} />
          )}
        </Loaded>
        <LoadMore of={query} mt="md" />
        <Done tasks={tasks} filter={`${assigned} and status = done`} here={here} />
      </div>
    </Page>
  )
}

type SectionsProps = { tasks: ObjectShape; of: RecordShape[]; here: Here; isMine: boolean }

function Sections({ tasks, of, here, isMine }: SectionsProps) {
  const { late, today, upcoming, someday } = sectionsOf(of, here)
  if (!of.length)
    return (
      <Message icon={CircleCheckBig} title="All done">
        {isMine ? 'You have no open tasks. Add one above, or see what your team is working on.' : 'No open tasks.'}
      </Message>
    )
  const rows = (list: RecordShape[], withDay = true) =>
    list.map((task) => <TaskRow key={task.id} tasks={tasks} task={task} here={here} withDay={withDay} />)
  return (
    <>
      {late.length > 0 && (
        <Section title="Overdue" count={late.length} isLate>
          {rows(late)}
        </Section>
      )}
      {today.length > 0 && (
        <Section title="Today" count={today.length}>
          {rows(today)}
        </Section>
      )}
      {[...upcoming].map(([day, list]) => (
        <Section key={day} title={asWeekday(day, here.now)} count={list.length}>
          {rows(list, false)}
        </Section>
      ))}
      {someday.length > 0 && (
        <Section title="No date" count={someday.length}>
          {rows(someday)}
        </Section>
      )}
    </>
  )
}

type SectionProps = { title: string; count: number; isLate?: boolean; children: ReactNode }

function Section({ title, count, isLate, children }: SectionProps) {
  const id = useId()
  return (
    <section className={css.section} aria-labelledby={id}>
      <h2 id={id} className={css.day} data-late={isLate || undefined}>
        {title} <span className={css.count}>{count}</span>
      </h2>
      <ul className={css.list}>{children}</ul>
    </section>
  )
}

/** Folded until someone asks. */
function Done({ tasks, filter, here }: { tasks: ObjectShape; filter: string; here: Here }) {
  const [isOpen, setOpen] = useState(false)
  const { data: counted } = useQuery(countQuery({ object: tasks.key, filter }))
  const query = useInfiniteQuery({
    ...recordPagesQuery({ object: tasks.key, filter, sort: ['-completed_at'], limit: 20 }),
    enabled: isOpen,
  })
  if (!counted?.count) return null
  return (
    <section className={css.section} aria-label="Done">
      <UnstyledButton className={css.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={14} />
        Done <span className={css.count}>{`${asNumber(counted.count)}${counted.is_exact ? '' : '+'}`}</span>
      </UnstyledButton>
      {isOpen && (
        <Loaded query={query} what="done tasks" small>
          {({ pages: loaded }) => (
            <ul className={css.list}>
              {loaded
                .flatMap(({ records }) => records)
                .map((task) => (
                  <TaskRow key={task.id} tasks={tasks} task={task} here={here} withDay />
                ))}
            </ul>
          )}
        </Loaded>
      )}
      {isOpen && <LoadMore of={query} mt="sm" size="compact-sm" />}
    </section>
  )
}

function TeamSwitch({ user }: { user: string }) {
  const { me } = useSignedIn()
  const navigate = useNavigate()
  const [isChoosing, setChoosing] = useState(user !== me.id)
  const show = (id: string | null) =>
    void navigate({ to: pages.myTasks, search: id === null || id === me.id ? {} : { user: id } })
  if (!isChoosing)
    return (
      <Button variant="default" leftSection={<Users size={15} />} onClick={() => setChoosing(true)}>
        Team
      </Button>
    )
  return (
    <div className={css.team}>
      <UserSelect aria-label="Team member" state="active" value={user} autoFocus={user === me.id} onChange={show} />
    </div>
  )
}

/** The time and zone that days are counted in. Tasks become due while the page is open. */
function useHere(): Here {
  const { me, company } = useSignedIn()
  return { now: useNow(), zone: me.time_zone ?? company.time_zone }
}

type Ref<T> = { current: T | null }

/** `n` writes a new task, and arrows go into the list and through it, from title to title. */
function useTaskKeys(list: Ref<HTMLElement>, input: Ref<HTMLElement>) {
  const isHere = () => isFree('h1, main, [data-task]')
  const step = (by: number) => () => {
    const titles = [...(list.current?.querySelectorAll<HTMLElement>('[data-task]') ?? [])]
    const next = titles[Math.max(0, titles.indexOf(document.activeElement as HTMLElement) + by)]
    if (!isHere() || !next) return false
    next.focus()
  }
  useKeys({ ArrowDown: step(1), ArrowUp: step(-1), n: () => isHere() && input.current?.focus() })
}
