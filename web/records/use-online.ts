import { useSyncExternalStore } from 'react'

function listen(tell: () => void) {
  window.addEventListener('online', tell)
  window.addEventListener('offline', tell)
  return () => {
    window.removeEventListener('online', tell)
    window.removeEventListener('offline', tell)
  }
}

export const useOnline = () => useSyncExternalStore(listen, () => navigator.onLine)
