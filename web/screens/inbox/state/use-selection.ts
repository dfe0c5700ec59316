import { useRef, useState } from 'react'

/** Conversations that are selected, in the order of the list; with Shift all between two. */
export function useSelection(ids: string[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  const toggle = (id: string, isRange: boolean) => {
    const next = new Set(selected)
    const [from, to] = [ids.indexOf(last.current ?? ''), ids.indexOf(id)].sort((a, b) => a - b)
    if (isRange && from! >= 0) for (const one of ids.slice(from, to! + 1)) next.add(one)
    else if (next.has(id)) next.delete(id)
    else next.add(id)
    last.current = id
    setSelected(next)
  }
  return { ids: selected, toggle, clear: () => setSelected(new Set()) }
}
