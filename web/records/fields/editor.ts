import { useEffect } from 'react'
import type { FieldShape } from '../data/schema.ts'

export type EditorProps = {
  field: FieldShape
  value: unknown
  onChange: (value: unknown) => void
  /** Done, with what was chosen: for editors in which one click is the whole answer. */
  onDone: (value: unknown) => void
  error: string | undefined
  autoFocus: boolean
  isCell: boolean
  /** The first letter typed on a cell, with which editing began. */
  typed: string | undefined
}

/** What Mantine's inputs share: a form shows the label, a cell only says it. */
export function inputProps({ field, error, autoFocus, isCell }: EditorProps) {
  const focus = autoFocus && { autoFocus: true, 'data-autofocus': true }
  if (isCell) return { 'aria-label': field.label, error, size: 'sm' as const, ...focus }
  const description = field.description || undefined
  return { label: field.label, description, withAsterisk: field.is_required, error, size: 'sm' as const, ...focus }
}

/** Typing replaces what stands there, unless one is typing already. */
export const selectUnlessTyped = (typed: string | undefined) =>
  typed === undefined ? (event: { currentTarget: HTMLInputElement }) => event.currentTarget.select() : undefined

/** The first letter, with which editing began, is a change already. */
export function useTypedAtFirst(typed: string | undefined, change: (typed: string) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the beginning
  useEffect(() => {
    if (typed !== undefined) change(typed)
  }, [])
}
