// Hears from the server that something happened, so that what is on screen can be fetched again.
import { eventNames } from '../../contract/shared/event-names.ts'
import { suspectLoss } from './connection.ts'
import { createStore } from './store.ts'

type LiveState = 'connecting' | 'open' | 'closed'
/** As long as it is not open, what others do must be asked for. */
export const liveState = createStore<LiveState>('closed')

/** Names and ids only. `resync`: fetch everything again. `access`: fetch the session again. */
export type LiveEvent = { event: string; data: Record<string, unknown> }

type Settings = {
  onEvent(event: LiveEvent): void
  /** The browser hears only events that it was told to listen for. */
  names?: string[]
}

const fromTheServer = ['resync', 'access', 'signed-out', 'replaced']
/** After these the server has ended the stream on purpose. */
const lastWords = ['signed-out', 'replaced']
const slowRetryMs = 30_000
const hiddenMs = 3000

/**
 * Listens while the page is in view. A browser has six connections to a server over HTTP/1.1:
 * pages in the background that each held one would leave none to work with.
 */
export function openLive({ onEvent, names = eventNames }: Settings) {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let mayHaveMissed = false

  function connect() {
    clearTimeout(timer)
    if (document.hidden) mayHaveMissed = true
    if (source || document.hidden) return
    liveState.set('connecting')
    // What was said while the page loaded is said again: its data may be from before.
    const opened = new EventSource(`/app/api/live?loading_ms=${performance.now() | 0}`)
    source = opened
    opened.onopen = () => {
      liveState.set('open')
      if (mayHaveMissed) onEvent({ event: 'resync', data: {} })
      mayHaveMissed = true
    }
    opened.onerror = () => {
      mayHaveMissed = true
      suspectLoss()
      // The browser tries again by itself unless the server refused, as it does without a session.
      if (opened.readyState === EventSource.CLOSED) rest()
      else liveState.set('connecting')
    }
    for (const name of new Set([...fromTheServer, ...names])) {
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (lastWords.includes(name)) rest()
        onEvent({ event: name, data: JSON.parse(data) })
      })
    }
  }

  function rest() {
    disconnect()
    timer = setTimeout(connect, slowRetryMs)
  }

  function disconnect() {
    clearTimeout(timer)
    source?.close()
    source = undefined
    liveState.set('closed')
  }

  function onVisibility() {
    if (!document.hidden) return connect()
    clearTimeout(timer)
    timer = setTimeout(disconnect, hiddenMs)
  }

  document.addEventListener('visibilitychange', onVisibility)
  connect()
  return function close() {
    document.removeEventListener('visibilitychange', onVisibility)
    disconnect()
  }
}
