// Whether the server can be reached. The browser knows only its own network, so after a request without an answer the
// server is asked until it answers.
import { createStore, useStore } from './store.ts'

const askAgainMs = 3000
const connected = createStore(navigator.onLine !== false)
let isLost = false
let asking: ReturnType<typeof setTimeout> | true | undefined

const update = () => connected.set(navigator.onLine !== false && !isLost)

/** A request got no answer: it may have been that one only. */
export function suspectLoss() {
  if (asking === undefined) void ask()
}

export const isReachable = () =>
  fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(askAgainMs) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Asks at once, without waiting for the next turn. */
export function askNow() {
  if (asking !== true) void ask()
}

async function ask() {
  if (asking !== true) clearTimeout(asking)
  asking = true
  isLost = !(await isReachable())
  asking = isLost ? setTimeout(ask, askAgainMs) : undefined
  update()
}

// Tests use the client without a window.
globalThis.addEventListener?.('offline', update)
globalThis.addEventListener?.('online', () => {
  update()
  if (isLost) askNow()
})

export const isConnected = connected.get
export const hearConnection = connected.subscribe
export const useConnected = () => useStore(connected)
