import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'

/**
 * The text of a search whose words are in the address. `send` gets them, trimmed, after a pause. Your own words come back
 * later than the letters you type next, so only others, such as those of the Back button, replace what is typed.
 */
export function useAddressText(value: string, send: (words: string) => void, pauseMs = 200) {
  const [text, setText] = useState(value)
  const [given, setGiven] = useState(value)
  const onTheWay = useRef<string[]>([])
  if (given !== value) {
    setGiven(value)
    const at = onTheWay.current.indexOf(value)
    onTheWay.current = at < 0 ? [] : onTheWay.current.slice(at + 1)
    if (at < 0) setText(value)
  }
  const later = useDebouncedCallback((typed: string) => {
    const words = typed.trim()
    if (words !== (onTheWay.current.at(-1) ?? value)) onTheWay.current.push(words)
    send(words)
  }, pauseMs)
  const type = (next: string) => {
    setText(next)
    later(next)
  }
  return { text, type, sendNow: later.flush }
}
