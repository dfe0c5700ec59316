import { lazy, Suspense, useEffect, useState } from 'react'
import { hearCreate, type ToCreate } from '../../records/open-create.ts'
import { hearPalette } from '../palette/open-palette.ts'

const QuickCreate = lazy(() => import('../records/create/quick-create.tsx'))
const Palette = lazy(() => import('../palette/palette.tsx'))

/** What may open over any page: quick create and the palette, fetched when first asked for. */
export function Overlays() {
  const [asked, setAsked] = useState<ToCreate>()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  useEffect(() => hearCreate(setAsked), [])
  useEffect(() => hearPalette(() => setPaletteOpen(true)), [])
  return (
    <Suspense>
      {asked && <QuickCreate asked={asked} onClose={() => setAsked(undefined)} />}
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </Suspense>
  )
}
