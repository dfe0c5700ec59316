// Whether the server can be reached: the browser knows of its own network only, so a request without an answer has the
// server asked until it answers.
import { useSyncExternalStore } from 'react'

const askAgainMs = 3000
const listeners = new Set<() => void>()
let isLost = false
let asking: ReturnType<typeof setTimeout> | true | undefined

const tellAll = () => listeners.forEach((tell) => void tell())

/** A request got no answer: it may have been that one only. */
export function suspectLoss() {
  if (asking === undefined) void ask()
}

export const isReachable = () =>
  fetch('/readyz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

async function ask() {
  asking = true
  const wasLost = isLost
  isLost = !(await isReachable())
  asking = isLost ? setTimeout(ask, askAgainMs) : undefined
  if (isLost !== wasLost) tellAll()
}

export const isConnected = () => navigator.onLine && !isLost

export function hearConnection(tell: () => void) {
  listeners.add(tell)
  if (listeners.size === 1) for (const name of changes) window.addEventListener(name, tellAll)
  return () => {
    listeners.delete(tell)
    if (!listeners.size) for (const name of changes) window.removeEventListener(name, tellAll)
  }
}
const changes = ['online', 'offline']

export const useConnected = () => useSyncExternalStore(hearConnection, isConnected)
