// Whether the server has a newer build of the web app than this tab.
import { useSyncExternalStore } from 'react'
import { isReachable } from './connection.ts'

const listeners = new Set<() => void>()
let isOld = false

function becomeOld() {
  isOld = true
  for (const tell of listeners) tell()
}

/** With the build that an answer names. */
export function seeBuild(build: string | null) {
  const mine = document.querySelector<HTMLMetaElement>('meta[name="kith-build"]')?.content
  // The development server fills in nothing.
  if (build && mine && mine !== '__BUILD__' && build !== mine && !isOld) becomeOld()
}

/** A script or style of this build that the server no longer has. */
export function noticeMissingFiles() {
  window.addEventListener('vite:preloadError', async () => {
    if (await isReachable()) becomeOld()
  })
}

function subscribe(tell: () => void) {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export const useNewVersion = () => useSyncExternalStore(subscribe, () => isOld)
