import { useSyncExternalStore } from 'react'

export type Store<Value> = {
  get: () => Value
  set: (next: Value) => void
  subscribe: (tell: () => void) => () => void
}

/** A value that lives outside of components, for code that is called from anywhere. */
export function createStore<Value>(initial: Value): Store<Value> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const tell of [...listeners]) tell()
    },
    subscribe(tell) {
      listeners.add(tell)
      return () => void listeners.delete(tell)
    },
  }
}

export const useStore = <Value>({ subscribe, get }: Store<Value>) => useSyncExternalStore(subscribe, get)
