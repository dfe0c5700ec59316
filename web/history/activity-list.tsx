import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { itemsOf, LoadedList } from '../ui/basics/loaded.tsx'
import { SelectionBar } from '../ui/page/selection-bar.tsx'
import { asNearDay } from '../ui/text/moments.ts'
import css from './activity.module.css'
import { type ActivitySearch, type ChangeFilter, changesQuery, type Session, sessionsOf } from './change-sets.ts'
import { SessionCard } from './session-card.tsx'
import { createsOf, UndoDialog, useUndo } from './undo.tsx'

const mostAtOnce = 100

type Props = {
  filter: ChangeFilter
  /** Left out: whose changes these are is not chosen here. */
  onNarrow?: (to: Pick<ActivitySearch, 'key' | 'client'>) => void
  /** Shown if there is nothing. */
  nothing: ReactNode
}

/** Change sets by day and client, newest first; one, several or a whole session of them can be undone. */
export function ActivityList({ filter, onNarrow, nothing }: Props) {
  const changes = useInfiniteQuery(changesQuery(filter))
  const [picked, pick] = useState<ReadonlySet<string>>(new Set())
  const { undoOne, pendingId, question, ask } = useUndo()
  const selected = itemsOf(changes).filter(({ id }) => picked.has(id))
  return (
    <>
      <LoadedList query={changes} what="activity" height={360} empty={nothing}>
        {(sets) =>
          byDay(sessionsOf(sets)).map(([day, sessions]) => (
            <section key={day} className={css.day} aria-label={day}>
              <h2>{day}</h2>
              {sessions.map((session) => (
                <SessionCard
                  key={session.id}
                  of={session}
                  picked={picked}
                  onPick={pick}
                  pendingId={pendingId}
                  onUndo={undoOne}
                  onAsk={ask}
                  onNarrow={onNarrow}
                />
              ))}
            </section>
          ))
        }
      </LoadedList>
      {selected.length > 0 && (
        <SelectionBar said={saidOf(selected.length)}>
          <Button variant="subtle" color="gray" onClick={() => pick(new Set())}>
            Clear
          </Button>
          <Button
            leftSection={<Undo2 size={15} />}
            disabled={selected.length > mostAtOnce}
            onClick={() =>
              ask({
                title: 'Undo the selected changes?',
                what: { change_set_ids: selected.map(({ id }) => id) },
                creates: createsOf(selected),
              })
            }
          >
            Undo selection
          </Button>
        </SelectionBar>
      )}
      {question && <UndoDialog of={question} onClose={() => ask(undefined)} onDone={() => pick(new Set())} />}
    </>
  )
}

function saidOf(count: number) {
  const said = count === 1 ? '1 change selected' : `${count} changes selected`
  return count > mostAtOnce ? `${said}. Undo at most ${mostAtOnce} at once` : said
}

const byDay = (sessions: Session[]) => [...Map.groupBy(sessions, ({ sets }) => asNearDay(sets[0]!.at))]
