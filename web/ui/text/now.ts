import { useSyncExternalStore } from 'react'

const tickMs = 15_000

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function tick() {
  now = Date.now()
  for (const tell of [...listeners]) tell()
}

/** One timer for everything on the page that counts time. */
export function hearTime(tell: () => void) {
  timer ??= setInterval(tick, tickMs)
  listeners.add(tell)
  return () => {
    listeners.delete(tell)
    if (listeners.size) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time of the last tick; of now, if no one has listened for it. */
export function timeNow() {
  if (timer === undefined && Date.now() - now >= tickMs) now = Date.now()
  return now
}

/** The time, four times a minute. */
export const useNow = () => useSyncExternalStore(hearTime, timeNow)
