import type { RefObject } from 'react'
import type { Editing } from '../../../records/use-field-edit.ts'

/** Always the newest functions in the same place: rows need not be rendered again for them. */
export type RowActions = RefObject<
  Pick<Editing, 'change' | 'cancel' | 'commit'> & {
    touch: (id: string, key: string, isSecond: boolean) => void
    toggle: (id: string, isRange: boolean) => void
    open: (id: string) => void
  }
>
