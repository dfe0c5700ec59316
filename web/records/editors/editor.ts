import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { FieldShape } from '../schema.ts'

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

/** The name of the chosen one comes into the field after the focus: it is selected when it is there. */
export function useSelectedName({ isCell, typed }: EditorProps, text: string) {
  const ref = useRef<HTMLInputElement>(null)
  const isTouched = useRef(!isCell || typed !== undefined)
  useEffect(() => {
    if (text && !isTouched.current && ref.current === document.activeElement) ref.current?.select()
  }, [text])
  return {
    ref,
    onInput: () => {
      isTouched.current = true
    },
  }
}

/** A list of choices writes the name of its value into the field; where somebody types already, it has none. */
export const singleValue = (value: string | null, typed: string | undefined) => (typed === undefined ? { value } : {})

/** The first letter, with which editing began, is a change already. */
export function useTypedAtFirst(typed: string | undefined, change: (typed: string) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the beginning
  useEffect(() => {
    if (typed !== undefined) change(typed)
  }, [])
}

type Found = { text: string; isCurrent: boolean; first: string | undefined; pick: (id: string) => void }

/** Enter takes the first that was found, once the server has answered to what is typed now. */
export const enterPicks =
  ({ text, isCurrent, first, pick }: Found) =>
  (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || !text || event.nativeEvent.isComposing) return
    if (document.querySelector('[data-combobox-option][data-combobox-selected]')) return
    event.preventDefault()
    if (isCurrent && first) pick(first)
  }
