import { Button, Checkbox, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { Fragment, useId, useState } from 'react'
import { type ObjectShape, useSchema } from '../records/data/schema.ts'
import { Badge } from '../ui/basics/avatar.tsx'
import { asFull, asTime } from '../ui/text/moments.ts'
import css from './activity.module.css'
import { ChangeFields } from './change-entry.tsx'
import { type Change, type ChangeSet, useRecordTitles } from './change-sets.ts'
import { detailsIn, inWords, mergedInWords, nounOf, verbOf } from './change-words.ts'
import { nameOfDoor } from './done-by.tsx'

type Props = {
  of: ChangeSet
  titles: Map<string, string>
  canUndo: boolean
  isPicked: boolean
  isPending: boolean
  onPick: (on: boolean) => void
  onUndo: () => void
}

/** One call of a client; what it changed opens below. */
export function SetRow({ of: set, titles, canUndo, isPicked, isPending, onPick, onUndo }: Props) {
  const isUndone = set.undone_by !== null
  const [isOpen, setOpen] = useState(false)
  const objects = useSchema()
  const id = useId()
  const [what, title] = wordsOf(set, titles, objects)
  const words = title ? `${what} ${title}` : what
  return (
    <li className={css.set}>
      <Checkbox
        aria-label={`Select: ${words}`}
        disabled={!canUndo || isUndone}
        checked={isPicked}
        onChange={(event) => onPick(event.currentTarget.checked)}
      />
      <UnstyledButton
        className={css.summary}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={14} className={css.arrow} />
        <span className={css.words} dir="auto">
          {title ? (
            <>
              <span className={css.what}>{what}</span> <bdi>{title}</bdi>
            </>
          ) : (
            what
          )}{' '}
          <span className={css.what}>{detailsIn(set, objects)}</span>
        </span>
        {isUndone && <Badge>Undone</Badge>}
        {set.undo_of && <Badge tone="accent">Undo</Badge>}
        <span className={css.small}>
          {nameOfDoor(set.via)}
          <time dateTime={set.at} title={asFull(set.at)}>
            {asTime(set.at)}
          </time>
        </span>
      </UnstyledButton>
      {canUndo && !isUndone && (
        <Button variant="default" size="compact-sm" loading={isPending} onClick={onUndo} aria-label={`Undo: ${words}`}>
          Undo
        </Button>
      )}
      {isOpen && <Diffs id={id} changes={set.changes} objects={objects} />}
    </li>
  )
}

/** What was done, and the title if one record changed; several are counted. */
export function wordsOf(
  { changes, other_changes: others, merged }: Pick<ChangeSet, 'changes' | 'other_changes' | 'merged'>,
  titles: Map<string, string>,
  objects: ObjectShape[],
) {
  if (merged) {
    const into = merged.record_id ? titles.get(merged.record_id) : undefined
    return mergedInWords(merged, into, objects)
  }
  const [only] = changes
  const title = changes.length === 1 && !others && only ? titles.get(only.record_id) : undefined
  if (title && only) return [`${verbOf(only.action)} ${nounOf(only.object, 1, objects)}`, title]
  return [others ? `${inWords(changes, objects)} and ${others} more` : inWords(changes, objects)]
}

type DiffsProps = { id: string; changes: Change[]; objects: ObjectShape[] }

/** What one call changed, field by field; the same change to several records is shown once. */
export function Diffs({ id, changes, objects }: DiffsProps) {
  const titles = useRecordTitles(changes.map(({ record_id }) => record_id))
  const groups = alike(changes)
  return (
    <div id={id} className={css.diffs}>
      {groups.map((group) => {
        const [first] = group as [Change]
        const object = objects.find(({ key }) => key === first.object)
        return (
          <div key={first.record_id + first.action} className={css.diff}>
            <p>
              {groups.length > 1 && `${inWords(group, objects)}: `}
              {group.map(({ record_id }, i) => (
                <Fragment key={record_id}>
                  {i > 0 && ', '}
                  <Title object={object} id={record_id} title={titles.get(record_id)} />
                </Fragment>
              ))}
            </p>
            <ChangeFields change={first} object={object} />
          </div>
        )
      })}
    </div>
  )
}

function alike(changes: Change[]) {
  const same = ({ object, action, fields }: Change) => JSON.stringify([object, action, fields])
  return [...Map.groupBy(changes, same).values()]
}

type TitleProps = { object: ObjectShape | undefined; id: string; title: string | undefined }

function Title({ object, id, title = 'A deleted record' }: TitleProps) {
  // Settings, users and roles have no title of their own here.
  if (!object) return null
  const name = <bdi className={css.title}>{title}</bdi>
  return (
    <Link to="/records/$object/$id" params={{ object: object.key, id }} className={css.link}>
      {name}
    </Link>
  )
}
