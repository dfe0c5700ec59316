import { Kbd } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CopyCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { groupsQuery } from '../../records/data/duplicates.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { pluralOf } from '../../records/data/value-text.ts'
import { type Choice, undecided } from '../../records/merge/choice.ts'
import { isFree, useKeys } from '../../ui/basics/keys.ts'
import { LoadedList } from '../../ui/basics/loaded.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import css from './duplicates.module.css'
import { GroupCard } from './group-card.tsx'
import { MergeAll } from './merge-all.tsx'
import type { DuplicateSearch } from './search.ts'

export type Choices = Record<string, Choice>

type Props = { object: ObjectShape; show: DuplicateSearch['show'] }

/** One group after the other, by mouse or keyboard. */
export function GroupList({ object, show }: Props) {
  const query = useInfiniteQuery(groupsQuery(object.key, show === 'certain' ? { likeness: 'certain' } : {}))
  const [choices, setChoices] = useState<Choices>({})
  /** Merges that run in the background, by group. */
  const [jobs, setJobs] = useState<Record<string, string>>({})
  useKeys({ ArrowDown: focusFirst })
  const { ref: end, inViewport: isAtEnd } = useInViewport()
  const { hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    if (isAtEnd && hasNextPage && !isFetching) void fetchNextPage()
  }, [isAtEnd, hasNextPage, isFetching, fetchNextPage])
  const total = query.data?.pages[0]?.total
  /** How many there were while this page is open. */
  const [most, setMost] = useState(0)
  if (total !== undefined && total > most) setMost(total)
  const none = (
    <Message
      icon={CopyCheck}
      title={`No ${show === 'certain' ? 'certain ' : ''}duplicates among your ${pluralOf(object)}`}
    >
      Kith compares names, addresses, phone numbers and more whenever a record is created or changed.
    </Message>
  )
  const run = (ids: string[], job_id: string) =>
    setJobs((now) => ({ ...now, ...Object.fromEntries(ids.map((id) => [id, job_id])) }))
  return (
    <>
      {total !== undefined && total > 0 && (
        <div className={css.bar}>
          <p role="status">
            <b>{asNumber(total)}</b> {total === 1 ? 'group' : 'groups'}
            {most > total && ` left, ${asNumber(most - total)} of ${asNumber(most)} done`}
          </p>
          <p className={css.keys} aria-hidden="true">
            <span>
              <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> next group
            </span>
            <span>
              <Kbd size="xs">1</Kbd> <Kbd size="xs">2</Kbd> which to keep
            </span>
            <span>
              <Kbd size="xs">Enter</Kbd> merge
            </span>
            <span>
              <Kbd size="xs">n</Kbd> not duplicates
            </span>
          </p>
          <MergeAll object={object} choices={choices} onStarted={run} />
        </div>
      )}
      <LoadedList query={query} what="duplicates" empty={none} height={420}>
        {(groups) => (
          <div className={css.groups}>
            {groups.map((group) => (
              <GroupCard
                key={group.id}
                object={object}
                group={group}
                choice={choices[group.id!] ?? undecided}
                onChoice={(choice) => setChoices((now) => ({ ...now, [group.id!]: choice }))}
                job_id={jobs[group.id!]}
                onStarted={(job_id) => run([group.id!], job_id)}
              />
            ))}
            <div ref={end} />
          </div>
        )}
      </LoadedList>
    </>
  )
}

/** From the heading, where one arrives. */
function focusFirst() {
  const first = isFree() && document.querySelector<HTMLElement>('[data-group]')
  if (!first) return false
  first.focus()
}
