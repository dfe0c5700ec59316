import { lazy, Suspense, useState } from 'react'
import { UserButton } from './user-button.tsx'

const load = () => import('./account-menu.tsx')
const AccountMenu = lazy(load)

/** The button is there at once; the menu and its positioning code come when one reaches for them. */
export function UserMenu() {
  const [wanted, setWanted] = useState(false)
  const button = <UserButton onPointerEnter={load} onFocus={load} onClick={() => setWanted(true)} />
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <AccountMenu />
    </Suspense>
  )
}
