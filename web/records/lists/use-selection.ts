import { useCallback, useMemo, useRef, useState } from 'react'
import type { RecordShape } from '../data/records-api.ts'

export type Selection = ReturnType<typeof useSelection>

/** `isAll`: everything that matches, also what has not come yet, but for `except`. */
type Marked = { question: string; ids: Set<string>; isAll: boolean; except: Set<string> }

/** Which records are marked. */
export function useSelection(rows: RecordShape[], question: string) {
  const [marked, setMarked] = useState<Marked>(() => markedOf(question, []))
  const last = useRef<string>(undefined)
  const isCurrent = marked.question === question
  const { ids, isAll, except } = useMemo(
    () => (isCurrent ? marked : markedOf(question, [])),
    [isCurrent, marked, question],
  )
  const latest = useRef({ rows, ids, isAll, except })
  latest.current = { rows, ids, isAll, except }

  /** With shift: all from the one that was touched last. */
  const toggle = useCallback(
    (id: string, isRange: boolean) => {
      const now = latest.current
      const isOn = now.isAll ? now.except.has(id) : !now.ids.has(id)
      const range = isRange ? between(now.rows, last.current, id) : [id]
      const [nextIds, nextExcept] = [new Set(now.ids), new Set(now.except)]
      for (const one of range) {
        const [gaining, losing] = isOn || isRange ? [nextIds, nextExcept] : [nextExcept, nextIds]
        gaining.add(one)
        losing.delete(one)
      }
      last.current = id
      // With nothing left, it is no longer all of anything.
      const stays = now.isAll && nextIds.size > 0
      setMarked({ question, ids: nextIds, isAll: stays, except: stays ? nextExcept : new Set() })
    },
    [question],
  )
  return {
    ids,
    isAll,
    except,
    has: (id: string) => (isAll ? !except.has(id) : ids.has(id)),
    toggle,
    selectLoaded: useCallback(() => setMarked(markedOf(question, idsOf(latest.current.rows))), [question]),
    selectAll: () => setMarked({ ...markedOf(question, idsOf(rows)), isAll: true }),
    clear: useCallback(() => setMarked(markedOf(question, [])), [question]),
  }
}

const idsOf = (rows: RecordShape[]) => rows.map(({ id }) => id)

const markedOf = (question: string, ids: string[]): Marked => ({
  question,
  ids: new Set(ids),
  isAll: false,
  except: new Set(),
})

function between(rows: RecordShape[], from: string | undefined, to: string) {
  const places = [rows.findIndex(({ id }) => id === from), rows.findIndex(({ id }) => id === to)]
  if (places.includes(-1)) return [to]
  return rows.slice(Math.min(...places), Math.max(...places) + 1).map(({ id }) => id)
}
