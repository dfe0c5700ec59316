import { Button, Checkbox, UnstyledButton } from '@mantine/core'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { type ObjectShape, useSchema } from '../records/schema.ts'
import { Badge } from '../ui/badge.tsx'
import { asFull, asTime } from '../ui/moments.ts'
import css from './activity.module.css'
import type { ChangeSet } from './change-sets.ts'
import { fieldsInWords, inWords, nounOf, verbOf } from './change-words.ts'
import { Diffs } from './diffs.tsx'
import { nameOfDoor } from './doors.ts'

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
        <ChevronRight size={14} className={css.arrow} aria-hidden="true" />
        <span className={css.words} dir="auto">
          {title ? (
            <>
              <span className={css.what}>{what}</span> <bdi>{title}</bdi>
            </>
          ) : (
            what
          )}{' '}
          <span className={css.what}>{fieldsInWords(set.changes, objects)}</span>
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

/** By name where one record changed, else counted. */
function wordsOf({ changes }: ChangeSet, titles: Map<string, string>, objects: ObjectShape[]) {
  const [only] = changes
  const title = changes.length === 1 && only ? titles.get(only.record_id) : undefined
  return title && only
    ? [`${verbOf(only.action)} ${nounOf(only.object, 1, objects)}`, title]
    : [inWords(changes, objects)]
}
