import { useMemo, useRef, useState } from 'react'
import type { RecordShape } from '../../../records/records-api.ts'

/** The row of the headings, which one reaches with the arrow up. */
export const headRow = '#head'
/** The column of the boxes that mark records. */
export const markColumn = '#mark'

export type Place = { id: string; key: string }
export type Active = ReturnType<typeof useActive>

/** The cell on which the keys act. It stays with its record when rows come and go around it. */
export function useActive(rows: RecordShape[], keys: string[]) {
  const [place, put] = useState<Place>()
  /** Counts what the person did: rows that come and go by themselves move nothing. */
  const [moves, setMoves] = useState(0)
  const lastRow = useRef(0)
  const setPlace = (next: Place) => {
    put(next)
    setMoves((count) => count + 1)
  }
  const indexOf = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows])
  const key = place && keys.includes(place.key) ? place.key : (keys[1] ?? markColumn)
  // When the record is gone: where it was.
  const gone = Math.max(0, Math.min(lastRow.current, rows.length - 1))
  const row = place?.id === headRow ? -1 : ((place && indexOf.get(place.id)) ?? gone)
  lastRow.current = Math.max(0, row)
  const id = row === -1 ? headRow : rows[row]?.id
  const active = id === undefined ? undefined : { id, key }
  const at = (row: number) => (row < 0 ? headRow : rows[Math.min(row, rows.length - 1)]?.id)

  /** By so many rows and columns, as far as there are any. */
  const move = (down: number, right: number) => {
    const next = at(Math.max(-1, Math.min(rows.length - 1, row + down)))
    const column = keys[Math.max(0, Math.min(keys.length - 1, keys.indexOf(key) + right))]
    if (next && column) setPlace({ id: next, key: column })
  }
  const toRow = (row: number) => {
    const next = at(row)
    if (next) setPlace({ id: next, key })
  }
  return { active, row, key, moves, indexOf, move, toRow, setPlace }
}

export const cellId = ({ id, key }: Place) => `cell-${id}-${key}`
