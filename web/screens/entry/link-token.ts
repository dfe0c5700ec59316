import { useEffect, useState } from 'react'

const inAddress = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined

/** The secret of a link, from behind the #. It leaves the address bar at once, so that it stays out of the history. */
export function useLinkToken(storeAs?: string) {
  const [token, setToken] = useState(() => inAddress() ?? (storeAs && sessionStorage.getItem(storeAs)) ?? undefined)
  useEffect(() => {
    const take = () => {
      const found = inAddress()
      if (!found) return
      setToken(found)
      if (storeAs) sessionStorage.setItem(storeAs, found) // For a reload of this tab.
      history.replaceState(history.state, '', location.pathname + location.search)
    }
    take()
    // Pasting another link into an open page changes only the fragment.
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [storeAs])
  return token || undefined
}

export const forgetLinkToken = (storedAs: string) => sessionStorage.removeItem(storedAs)
