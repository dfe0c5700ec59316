import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { hearCreate, type ToCreate } from '../../records/open-create.ts'
import { hearPalette } from '../palette/open-palette.ts'

const QuickCreate = lazy(() => import('../records/create/quick-create.tsx'))
const Palette = lazy(() => import('../palette/palette.tsx'))

/** What somebody typed before there was a field for it. */
export type Typed = { current: string }

/** What may open over any page: quick create and the palette, fetched when first asked for. */
export function Overlays() {
  const [asked, setAsked] = useState<ToCreate>()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const typed = useRef('')
  useEffect(() => hearCreate((one) => setAsked((now) => now ?? one)), [])
  useEffect(() => hearPalette(() => setPaletteOpen(true)), [])
  const close = () => {
    typed.current = ''
    setAsked(undefined)
    setPaletteOpen(false)
  }
  return (
    <Suspense fallback={<Meanwhile typed={typed} />}>
      {asked && <QuickCreate asked={asked} typed={typed} onClose={close} />}
      {isPaletteOpen && <Palette typed={typed} onClose={close} />}
    </Suspense>
  )
}

/** Whoever types on before it is there finds what was typed in its first field. */
function Meanwhile({ typed }: { typed: Typed }) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isLetter = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isLetter && event.key !== 'Backspace') return
      event.preventDefault()
      event.stopPropagation()
      typed.current = isLetter ? typed.current + event.key : typed.current.slice(0, -1)
    }
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [typed])
  return null
}
