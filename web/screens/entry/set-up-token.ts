import { useEffect, useState } from 'react'

const kept = 'kith-set-up-token'
const inAddress = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined

/** The secret of the one-time link. It leaves the address bar at once, so that it stays out of the history. */
export function useSetUpToken() {
  const [token, setToken] = useState(() => inAddress() ?? sessionStorage.getItem(kept) ?? undefined)
  useEffect(() => {
    const take = () => {
      const found = inAddress()
      if (!found) return
      setToken(found)
      sessionStorage.setItem(kept, found) // For a reload of this tab.
      history.replaceState(history.state, '', location.pathname + location.search)
    }
    take()
    // Pasting the link into an open set-up page changes only the fragment.
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return token
}
