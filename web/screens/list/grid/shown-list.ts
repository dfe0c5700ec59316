import type { ObjectShape } from '../../../records/data/schema.ts'
import type { Aggregates } from '../../../records/lists/calculations.ts'
import type { Shown } from '../../../records/lists/use-columns.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import type { Rows } from '../../../records/lists/use-rows.ts'
import type { Lines } from './use-groups.ts'

/** What a list shows, as a grid or as cards. */
export type ShownList = {
  object: ObjectShape
  state: ListState
  rows: Rows
  columns: Shown[]
  lines: Lines
  numbers: Aggregates | undefined
  /** How many match; nothing: not known yet, or only roughly. */
  count: number | undefined
}
