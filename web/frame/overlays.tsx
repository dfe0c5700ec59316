import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { hearCreate, type ToCreate } from '../records/open-create.ts'
import { QuickCreate } from '../screens/records/create/quick-create.tsx'
import { hearPalette } from './palette/open-palette.ts'
import { Palette } from './palette/palette.tsx'

/** Quick create and the palette, over any page. They open at once, so that the next key is typed into them. */
export function Overlays() {
  const [asked, setAsked] = useState<ToCreate>()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  useEffect(() => hearCreate((one) => flushSync(() => setAsked((now) => now ?? one))), [])
  useEffect(() => hearPalette(() => flushSync(() => setPaletteOpen(true))), [])
  return (
    <>
      {asked && <QuickCreate asked={asked} onClose={() => setAsked(undefined)} />}
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </>
  )
}
