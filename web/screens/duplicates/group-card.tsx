import { Button, Skeleton, Switch, Tooltip } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CopyX, LoaderCircle, Merge as MergeIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  allPairs,
  type DuplicateGroup,
  dropFromGroups,
  reasonsOf,
  useMarkDifferent,
} from '../../records/data/duplicates.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import { useRights } from '../../records/data/rights.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { counted } from '../../records/data/value-text.ts'
import { type Choice, type Merge, mergeOf, withPart } from '../../records/merge/choice.ts'
import { Comparison } from '../../records/merge/comparison.tsx'
import { useLinking } from '../../records/merge/rows.tsx'
import { comparedQuery, useIsRunning, useMerge, useMergeRefusal } from '../../records/merge/use-merge.ts'
import { Badge } from '../../ui/basics/avatar.tsx'
import { useKeys } from '../../ui/basics/keys.ts'
import { Loaded } from '../../ui/basics/loaded.tsx'
import css from './duplicates.module.css'

type Props = {
  object: ObjectShape
  group: DuplicateGroup
  choice: Choice
  onChoice: (choice: Choice) => void
  job_id: string | undefined
  onStarted: (job_id: string) => void
}

/** A group side by side: what to keep of it, or that these are different. */
export function GroupCard({ object, group, ...rest }: Props) {
  const { ref: sight, inViewport } = useInViewport()
  const box = useRef<HTMLElement>(null)
  const linking = useLinking(object).map(({ key }) => key)
  const ids = [group.id!, ...group.duplicates.map(({ id }) => id)]
  const [wasSeen, setSeen] = useState(false)
  if (inViewport && !wasSeen) setSeen(true)
  const query = useQuery({ ...comparedQuery(object.key, ids, linking), enabled: wasSeen })
  useKeys(
    {
      ArrowDown: () => focusOf(box.current?.nextElementSibling),
      ArrowUp: () => focusOf(box.current?.previousElementSibling),
    },
    { when: () => box.current?.contains(document.activeElement) ?? false },
  )
  const isCertain = group.duplicates.some(({ likeness }) => likeness === 'certain')
  return (
    <article
      ref={(element) => {
        box.current = element
        sight(element)
      }}
      className={css.group}
      tabIndex={-1}
      data-group
      aria-label={`${group.title} and ${group.duplicates.length} more`}
    >
      <header className={css.title}>
        <h2>
          <bdi>{group.title}</bdi>
        </h2>
        <Badge {...(isCertain && { tone: 'accent' })}>{isCertain ? 'Certain' : 'Likely'}</Badge>
        <span className={css.count}>{counted(ids.length, object)}</span>
      </header>
      <Loaded query={query} waiting={<Waiting />}>
        {(records) =>
          records.length > 1 && <Group {...rest} object={object} group={group} records={records} box={box} />
        }
      </Loaded>
    </article>
  )
}

/** About as high as a short comparison. */
const Waiting = () => (
  <div className={css.waiting} role="status" aria-label="Loading records">
    {[60, 80, 70, 40, 50].map((width) => (
      <Skeleton key={width} height={14} width={`${width}%`} />
    ))}
  </div>
)

function focusOf(element: Element | null | undefined) {
  if (!(element instanceof HTMLElement)) return false
  element.focus()
}

type GroupProps = Props & { records: RecordShape[]; box: React.RefObject<HTMLElement | null> }

function Group({ object, group, records, choice, onChoice, job_id, onStarted, box }: GroupProps) {
  const client = useQueryClient()
  const [isWhole, setWhole] = useState(false)
  const isRunning = useIsRunning(job_id)
  const { mayEdit } = useRights(object)
  const merge = mergeOf(object, records, choice)
  const refusalOf = useMergeRefusal(object)
  const refusal = merge.others.length ? refusalOf(merge) : 'Nothing is left to merge'
  /** The next group, before this one goes away with its focus. */
  const leave = () => {
    if (!box.current?.contains(document.activeElement)) return
    const next = box.current.nextElementSibling ?? box.current.previousElementSibling
    if (focusOf(next) === false) document.querySelector('h1')?.focus()
  }
  const merging = useMerge(object, {
    marksApart: true,
    hide: ({ kept, others, apart }) => {
      leave()
      const gone = new Set([...others, ...apart].map(({ id }) => id))
      return dropFromGroups(client, object.key, (one, id) =>
        one.id === group.id ? true : gone.has(id) && others.some((other) => other.id === id) && id !== kept.id,
      )
    },
    onDone: (_, job_id) => job_id && onStarted(job_id),
  })
  const marking = useMarkDifferent(object.key, () => {
    leave()
    return dropFromGroups(client, object.key, (one) => one.id === group.id)
  })
  const canMerge = !isRunning && !refusal
  const canMark = !isRunning && records.some(mayEdit)
  const mergeNow = () => canMerge && merging.mutate(merge)
  const markNow = () => canMark && marking.mutate(differentIn(object, merge))
  const keepers = records.map(({ id }, index) => [
    String(index + 1),
    () => onChoice({ ...withPart(choice, id, true), keep: id }),
  ])
  useKeys(
    {
      ...Object.fromEntries(keepers),
      Enter: ({ target }) => (isControl(target) ? false : mergeNow()),
      n: markNow,
    },
    { when: () => box.current?.contains(document.activeElement) ?? false },
  )
  return (
    <>
      <Comparison
        object={object}
        records={records}
        choice={choice}
        onChange={onChoice}
        isWhole={isWhole}
        about={(id) => {
          const duplicate = group.duplicates.find((one) => one.id === id)
          return duplicate && <span className={css.why}>{reasonsOf(duplicate)}</span>
        }}
      />
      <footer className={css.actions}>
        <Switch
          size="xs"
          label="All fields"
          checked={isWhole}
          onChange={(event) => setWhole(event.currentTarget.checked)}
        />
        {group.hidden > 0 && <span className={css.hidden}>{group.hidden} more that you cannot see</span>}
        {isRunning ? (
          <span className={css.running} role="status">
            <LoaderCircle size={15} /> Merging in the background
          </span>
        ) : (
          <>
            {canMark && (
              <Button variant="default" leftSection={<CopyX size={15} />} onClick={markNow}>
                {merge.apart.length ? `${merge.apart.length} not duplicates` : 'Not duplicates'}
              </Button>
            )}
            <Tooltip label={refusal} disabled={!refusal}>
              <Button
                leftSection={<MergeIcon size={15} />}
                {...(refusal && { 'data-disabled': true, 'aria-disabled': true })}
                onClick={mergeNow}
              >
                Merge {counted(merge.others.length + 1, object)}
              </Button>
            </Tooltip>
          </>
        )}
      </footer>
    </>
  )
}

const isControl = (target: EventTarget | null) => target instanceof Element && target.closest('a, button') !== null

/** Those that are unticked differ from the others; if none is, all differ. */
function differentIn(object: ObjectShape, { kept, others, apart }: Merge) {
  const part = [kept, ...others].map(({ id }) => id)
  if (!apart.length) return { pairs: allPairs(part), said: `${counted(part.length, object)} marked as different.` }
  return {
    pairs: apart.map(({ id }): [string, string[]] => [id, part]),
    said: `${counted(apart.length, object)} marked as different.`,
  }
}
