import { useState } from 'react'

/** The text as it will be once whoever holds it has heard: two quick edits must not undo each other. */
export function useShownText(value: string, onChange: (text: string) => void) {
  const [shown, setShown] = useState({ text: value, given: value })
  if (shown.given !== value) setShown({ text: value, given: value })
  const change = (text: string) => {
    setShown({ text, given: value })
    onChange(text)
  }
  return [shown.given === value ? shown.text : value, change] as const
}
