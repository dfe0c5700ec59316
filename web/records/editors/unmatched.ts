// Text typed for a record or a user that nothing was chosen for: it stays in the field, as the value, until it is
// corrected. `faultOf` refuses it, so it is never sent.
import { useRef, useState } from 'react'
import { isId } from '../../../contract/ids.ts'
import { idOf, relatedIn } from '../related.ts'
import { unmatchedText } from '../value-fault.ts'
import { type EditorProps, useSelectedName, useTypedAtFirst } from './editor.ts'

/** The text of a searchable field, and whether its list is open. */
export function useTypedText(props: EditorProps) {
  const { field, value, typed, onChange, isCell, error } = props
  const unmatched = relatedIn(value)
    .map(idOf)
    .find((one) => !isId(one))
  const [text, setText] = useState(typed ?? unmatched ?? '')
  const [isOpen, setOpen] = useState(isCell)
  const [isLeft, setLeft] = useState(false)
  const { ref, onInput } = useSelectedName(props, text)
  const isTyping = useRef(false)
  const ids = relatedIn(value).map(idOf).filter(isId)
  const type = (next: string) => {
    setText(next)
    const left = next.trim()
    if (field.is_multi) onChange(left ? [...ids, left] : ids)
    else onChange(left || null)
  }
  useTypedAtFirst(typed, type)
  return {
    ids,
    text,
    setText,
    setOpen,
    input: {
      ref,
      searchValue: text,
      dropdownOpened: isOpen,
      onDropdownOpen: () => setOpen(true),
      onDropdownClose: () => setOpen(false),
      error: error ?? (isLeft && unmatched && !isOpen ? unmatchedText(unmatched) : undefined),
      onInput: () => {
        onInput()
        isTyping.current = true
      },
      // The field itself empties its text when it is left.
      onSearchChange: (next: string) => {
        if (isTyping.current) type(next)
        else if (unmatched === undefined || next !== '') setText(next)
        isTyping.current = false
      },
      onBlur: () => setLeft(true),
    },
  }
}
