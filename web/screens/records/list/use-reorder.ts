import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'

export type Side = 'before' | 'after'
type Settings = {
  /** Things of one kind change places with each other only. */
  kind: string
  key: string
  isAcross: boolean
  handle?: RefObject<HTMLElement | null>
  onDrop: (key: string, side: Side) => void
}

/** Lets an element be dragged to another place among its like; tells on which side of this one it would land. */
export function useReorder(element: RefObject<HTMLElement | null>, settings: Settings) {
  const [side, setSide] = useState<Side>()
  const [isDragged, setDragged] = useState(false)
  const latest = useRef(settings)
  latest.current = settings
  const { kind, key } = settings
  // biome-ignore lint/correctness/useExhaustiveDependencies: what else it needs it reads when something is dragged
  useEffect(() => {
    const node = element.current
    if (!node) return
    const sideOf = (x: number, y: number): Side => {
      const box = node.getBoundingClientRect()
      const isFirst = latest.current.isAcross ? x < box.left + box.width / 2 : y < box.top + box.height / 2
      return isFirst ? 'before' : 'after'
    }
    return combine(
      draggable({
        element: node,
        ...(settings.handle?.current && { dragHandle: settings.handle.current }),
        getInitialData: () => ({ kind, key }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element: node,
        canDrop: ({ source }) => source.data.kind === kind && source.data.key !== key,
        onDrag: ({ location }) => setSide(sideOf(location.current.input.clientX, location.current.input.clientY)),
        onDragLeave: () => setSide(undefined),
        onDrop: ({ source, location }) => {
          setSide(undefined)
          const { clientX, clientY } = location.current.input
          latest.current.onDrop(String(source.data.key), sideOf(clientX, clientY))
        },
      }),
    )
  }, [kind, key])
  return { side, isDragged }
}
