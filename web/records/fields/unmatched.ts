// Text typed in a field whose value is chosen from a list. While nothing is chosen for it, it is the value: it stays in
// the field until it is corrected, and `faultOf` refuses it, so it is never sent.
import { useState } from 'react'
import { isCreatingInPlace } from '../data/create-in-place.ts'
import { idOf, relatedIn } from '../data/records-api.ts'
import { type EditorProps, inputProps, useTypedAtFirst } from './editor.ts'
import { unmatchedText } from './value-fault.ts'

/** `isKnown`: whether a value is one that was chosen. */
export function useTypedText(props: EditorProps, isMulti: boolean, isKnown: (value: string) => boolean) {
  const { field, value, typed, onChange, error } = props
  const all = relatedIn(value).map(idOf)
  const unmatched = all.find((one) => !isKnown(one))
  const [text, setText] = useState(typed ?? unmatched)
  const [isLeft, setLeft] = useState(false)
  // The letter with which editing began replaces what was chosen, but has not been told yet.
  const [isTold, setTold] = useState(typed === undefined)
  const chosen = isTold || isMulti ? withoutTyped(all, text?.trim()).filter(isKnown) : []
  const type = (next: string) => {
    setTold(true)
    setText(next || (isMulti ? '' : undefined))
    const left = next.trim()
    if (isMulti) onChange(left ? [...chosen, left] : chosen)
    else onChange(left || null)
  }
  useTypedAtFirst(typed, type)
  return {
    chosen,
    /** What to search for. */
    asked: text?.trim() ?? '',
    /** After something was chosen, or everything was emptied. */
    stopTyping: () => setText(undefined),
    picker: {
      text,
      onType: type,
      onLeave: () => setLeft(!isCreatingInPlace()),
      clearLabel: `Clear ${field.label}`,
      input: inputProps({
        ...props,
        error: error ?? (isLeft && unmatched ? unmatchedText(unmatched) : undefined),
      }),
    },
  }
}

/** What is being typed is the last value, and not chosen even if it is the key of an option. */
const withoutTyped = (all: string[], typed: string | undefined) =>
  typed && all.at(-1) === typed ? all.slice(0, -1) : all
