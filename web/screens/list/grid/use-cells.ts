import type { ObjectShape } from '../../../records/data/schema.ts'
import type { Shown } from '../../../records/lists/use-columns.ts'
import type { Rows } from '../../../records/lists/use-rows.ts'
import { copyText } from '../../../ui/text/code.tsx'
import { cellText } from './paste-block.ts'
import { type Block, copyBlock, useRangeEdits } from './range-edits.ts'
import type { Active, Place } from './use-grid-scroll.ts'
import { useRangeMouse } from './use-range-mouse.ts'

type Settings = {
  object: ObjectShape
  rows: Rows
  columns: Shown[]
  active: Active
  focus: () => void
}

export type Cells = ReturnType<typeof useCells>

/** The selected cells, or the active one, and what is done to all of them. */
export function useCells({ object, rows, columns, active, focus }: Settings) {
  const { fill, clear } = useRangeEdits(object)
  const { range } = active
  const column = columns.findIndex(({ key }) => key === active.key)
  const [top, bottom] = range?.rows ?? [active.row, active.row]
  const [first, last] = range?.columns ?? [column, column]
  const fields = columns.slice(Math.max(0, first), last + 1).map(({ field }) => field)
  const block = (from = top, to = bottom): Block => ({
    records: rows.rows.slice(Math.max(0, from), to + 1),
    columns: fields,
  })
  const mouse = useRangeMouse(active, (row) => row > bottom && fill(block(bottom, row)), focus)
  const shownTo = Math.max(bottom, mouse.fillTo ?? 0)
  const isShown = range !== undefined || shownTo > bottom
  return {
    /** Are there several? */
    isRange: range !== undefined,
    top,
    first,
    block,
    copy: () => {
      const { records, columns: copied } = block()
      if (range) void copyBlock(object, { records, columns: copied })
      else if (records[0] && copied[0]) void copyText(cellText(object, copied[0], records[0]))
    },
    /** From the first of the selected rows, or from the row above. */
    fillDown: () => {
      if (bottom > top) fill(block())
      else if (top > 0) fill(block(top - 1, top))
    },
    clear: () => clear(block()),
    has: ({ id, key }: Place) => {
      const [row, place] = [active.indexOf.get(id) ?? -1, columns.findIndex((one) => one.key === key)]
      return range !== undefined && row >= top && row <= bottom && place >= first && place <= last
    },
    /** Which cells of a row are shown as selected: "1-3". */
    shownIn: (row: number) => (isShown && row >= top && row <= shownTo ? `${first}-${last}` : undefined),
    lastShown: shownTo,
    mouse: mouse.handlers,
  }
}
