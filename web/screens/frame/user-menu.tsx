import { useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { UserButton } from './user-button.tsx'

const AccountMenu = lazyPart(() => import('./account-menu.tsx'), { waiting: () => <UserButton />, isQuiet: true })

/** The button is there at once; the menu and its positioning code come when one reaches for them. */
export function UserMenu() {
  const [wanted, setWanted] = useState(false)
  if (wanted) return <AccountMenu />
  return (
    <UserButton onPointerEnter={AccountMenu.prepare} onFocus={AccountMenu.prepare} onClick={() => setWanted(true)} />
  )
}
