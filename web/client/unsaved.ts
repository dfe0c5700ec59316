import { createContext, useContext, useEffect, useId, useRef, useState } from 'react'

const unsaved = new Set<string>()

/** Is there anything typed that leaving would lose? */
export const hasUnsaved = () => unsaved.size > 0

window.addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault()
})

/** For what is kept outside of components. */
export function markUnsaved(id: string, is: boolean) {
  if (is) unsaved.add(id)
  else unsaved.delete(id)
}

type Tell = (id: string, is: boolean) => void
/** Around a part of a page that can be left by itself: hears of what is unsaved inside. */
export const UnsavedInside = createContext<Tell>(() => {})

/** Lets a form say whether it holds something that was typed and not saved. `isKept`: another page does not lose it. */
export function useUnsaved({ isKept = false } = {}) {
  const id = useId()
  const tellAround = useContext(UnsavedInside)
  const tell = (is: boolean) => {
    markUnsaved(id, is)
    if (!isKept) tellAround(id, is)
  }
  const last = useRef(tell)
  last.current = tell
  useEffect(() => () => last.current(false), [])
  return tell
}

/** Is anything unsaved inside? With what to give to UnsavedInside, and a way to look at the very moment. */
export function useUnsavedInside() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const latest = useRef(ids)
  const [[tell, look]] = useState((): [Tell, () => boolean] => [
    (id, is) => {
      if (latest.current.has(id) === is) return
      const next = new Set(latest.current)
      if (is) next.add(id)
      else next.delete(id)
      latest.current = next
      setIds(next)
    },
    () => latest.current.size > 0,
  ])
  return [ids.size > 0, tell, look] as const
}
