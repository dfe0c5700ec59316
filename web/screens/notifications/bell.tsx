import { useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { BellButton } from './bell-button.tsx'

const BellPanel = lazyPart(() => import('./bell-panel.tsx'), { waiting: () => <BellButton />, isQuiet: true })

/** The button is there at once; the list and its positioning code come when one reaches for them. */
export function Bell() {
  const [wanted, setWanted] = useState(false)
  if (wanted) return <BellPanel />
  return <BellButton onPointerEnter={BellPanel.prepare} onFocus={BellPanel.prepare} onClick={() => setWanted(true)} />
}
