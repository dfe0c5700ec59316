import { type FC, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { queryClient } from '../../queries.ts'
import { hearCreate, type ToCreate } from '../../records/open-create.ts'
import { schemaQuery } from '../../records/schema.ts'
import { complain } from '../../ui/notices.tsx'
import { hearPalette } from '../palette/open-palette.ts'
import { fetchCreate, fetchPalette } from './overlay-parts.ts'

/** What somebody typed before there was a field for it. */
export type Typed = { current: string }

/** What may open over any page: quick create and the palette, fetched when first asked for. */
export function Overlays() {
  const [asked, setAsked] = useState<ToCreate>()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const typed = useRef('')
  // At once: the next letter may be on its way already.
  useEffect(() => hearCreate((one) => flushSync(() => setAsked((now) => now ?? one))), [])
  useEffect(() => hearPalette(() => flushSync(() => setPaletteOpen(true))), [])
  const close = () => {
    typed.current = ''
    setAsked(undefined)
    setPaletteOpen(false)
  }
  const QuickCreate = useFetched(fetchCreate, asked !== undefined, close)
  const Palette = useFetched(fetchPalette, isPaletteOpen, close)
  return (
    <>
      {(asked || isPaletteOpen) && <Typing typed={typed} />}
      <Suspense>
        {asked && QuickCreate && <QuickCreate asked={asked} typed={typed} onClose={close} />}
        {isPaletteOpen && Palette && <Palette typed={typed} onClose={close} />}
      </Suspense>
    </>
  )
}

/**
 * With the schema that it draws, and not by lazy(): Suspense holds back for a while what is there already,
 * and what is typed meanwhile would be lost.
 */
function useFetched<Props>(fetch: () => Promise<{ default: FC<Props> }>, isWanted: boolean, onFailed: () => void) {
  const [fetched, keep] = useState<FC<Props>>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is wanted
  useEffect(() => {
    if (!isWanted || fetched) return
    Promise.all([fetch(), queryClient.ensureQueryData(schemaQuery)]).then(
      ([module]) => flushSync(() => keep(() => module.default)),
      (error) => {
        onFailed()
        complain('This could not be opened', error)
      },
    )
  }, [isWanted])
  return fetched
}

/** Whoever types on before it is there, or while a page that arrives takes the focus, finds it in its first field. */
function Typing({ typed }: { typed: Typed }) {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isLetter = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isLetter && event.key !== 'Backspace') return
      const dialog = document.querySelector('[role="dialog"][aria-modal="true"]')
      if (dialog?.contains(document.activeElement)) return
      const field = dialog?.querySelector<HTMLElement>('[data-autofocus]')
      // The letter itself follows the focus.
      if (field) return field.focus()
      event.preventDefault()
      event.stopPropagation()
      typed.current = isLetter ? typed.current + event.key : typed.current.slice(0, -1)
    }
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [typed])
  return null
}
