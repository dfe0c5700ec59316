import { useEffect, useState } from 'react'

const read = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined

/** The secret of the one-time link. It leaves the address bar at once, so that it stays out of the history. */
export function useSetUpToken() {
  const [token, setToken] = useState(read)
  useEffect(() => {
    const take = () => {
      const found = read()
      if (!found) return
      setToken(found)
      history.replaceState(history.state, '', location.pathname + location.search)
    }
    take()
    // Pasting the link into an open set-up page changes only the fragment.
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return token
}
