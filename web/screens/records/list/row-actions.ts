import type { Editing } from './use-editing.ts'

export type RowActions = Pick<Editing, 'change' | 'cancel' | 'commit'> & {
  touch: (id: string, key: string, isSecond: boolean) => void
  toggle: (id: string, isRange: boolean) => void
  open: (id: string) => void
}
