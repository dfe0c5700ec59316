import { useCallback, useMemo, useRef, useState } from 'react'
import type { RecordShape } from '../../../records/records-api.ts'

export type Selection = ReturnType<typeof useSelection>

/** Which records are marked. `isAll`: everything that matches, also what has not come yet. */
export function useSelection(rows: RecordShape[], question: string) {
  const [marked, setMarked] = useState<{ question: string; ids: Set<string>; isAll: boolean }>({
    question,
    ids: new Set(),
    isAll: false,
  })
  const last = useRef<string>(undefined)
  const isCurrent = marked.question === question
  const ids = useMemo(() => (isCurrent ? marked.ids : new Set<string>()), [isCurrent, marked.ids])
  const latest = useRef({ rows, ids })
  latest.current = { rows, ids }

  const put = useCallback((next: Set<string>, isAll = false) => setMarked({ question, ids: next, isAll }), [question])
  /** With shift: all from the one that was touched last. */
  const toggle = useCallback(
    (id: string, isRange: boolean) => {
      const next = new Set(latest.current.ids)
      const isOn = !next.has(id)
      const range = isRange ? between(latest.current.rows, last.current, id) : [id]
      for (const one of range) isOn || isRange ? next.add(one) : next.delete(one)
      last.current = id
      put(next)
    },
    [put],
  )
  const isAll = isCurrent && marked.isAll
  return {
    ids,
    isAll,
    has: (id: string) => isAll || ids.has(id),
    toggle,
    selectLoaded: useCallback(() => put(new Set(latest.current.rows.map(({ id }) => id))), [put]),
    selectAll: () => put(new Set(latest.current.rows.map(({ id }) => id)), true),
    clear: useCallback(() => put(new Set()), [put]),
  }
}

function between(rows: RecordShape[], from: string | undefined, to: string) {
  const places = [rows.findIndex(({ id }) => id === from), rows.findIndex(({ id }) => id === to)]
  if (places.includes(-1)) return [to]
  return rows.slice(Math.min(...places), Math.max(...places) + 1).map(({ id }) => id)
}
