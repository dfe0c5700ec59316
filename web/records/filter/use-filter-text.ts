import { useState } from 'react'

/** `given`: what the owner of the filter last said. `sent`: what it was told and has not confirmed yet. */
type Kept = { text: string; isTyped: boolean; version: number; given: string; sent: string[] }

/**
 * The text of a filter whose owner, such as the address, follows a moment later: quick edits must not undo each other.
 * `version` is the `key` of the box: it changes with every text that was not typed in the box itself.
 */
export function useFilterText(given: string, onChange: (text: string, isTyped: boolean) => void) {
  const [kept, setKept] = useState<Kept>({ text: given, isTyped: false, version: 0, given, sent: [] })
  const now = kept.given === given ? kept : heard(kept, given)
  if (now !== kept) setKept(now)
  const send = (text: string, isTyped: boolean) => {
    setKept((last) => ({
      text,
      isTyped,
      version: isTyped ? last.version : last.version + 1,
      given: last.given,
      sent: text === (last.sent.at(-1) ?? last.given) ? last.sent : [...last.sent, text],
    }))
    onChange(text, isTyped)
  }
  return {
    ...now,
    /** From the box. */
    type: (text: string) => send(text, true),
    /** From anywhere else. */
    replace: (text: string) => send(text, false),
  }
}

function heard(kept: Kept, given: string): Kept {
  const place = kept.sent.indexOf(given)
  if (place >= 0) return { ...kept, given, sent: kept.sent.slice(place + 1) }
  return { text: given, isTyped: false, version: kept.version + 1, given, sent: [] }
}
