import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'

/** Opens the links in an element in the app; clicks with a modifier key are the browser's. */
export function useOpenLink() {
  const router = useRouter()
  return (event: MouseEvent) => {
    const target = event.target as Element
    // Lines are too thin to be hit: there, the nearest point is meant.
    const isNearest = target.hasAttribute('data-nearest')
    const link = isNearest ? event.currentTarget.querySelector('a[data-active]') : target.closest('a')
    const href = link?.getAttribute('href')
    if (!href || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate({ href })
  }
}
