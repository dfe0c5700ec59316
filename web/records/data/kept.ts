import { useState } from 'react'
import { useSignedIn } from '../../client/session.ts'
import type { Titled } from './records-api.ts'

/** What was typed and not saved: it outlives a failure, a wrong turn and a reload in this tab, and is its writer's only. */
export function useKept<Value>(name: string, initial: Value) {
  const { me } = useSignedIn()
  const place = `kith.kept.${me.id}.${name}`
  const [value, setValue] = useState(() => readKept<Value>(place) ?? initial)
  const keep = (next: Value | undefined) => {
    setValue(next ?? initial)
    writeKept(place, next)
  }
  return [value, keep] as const
}

function readKept<Value>(place: string): Value | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function writeKept(place: string, value: unknown) {
  try {
    if (value === undefined) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(value))
  } catch {
    // A browser that keeps nothing still lets one write.
  }
}

// Recently viewed records, for the palette. Kept only in the memory of this tab.

const most = 6
let visited: Titled[] = []

export function rememberVisit(one: Titled) {
  visited = [one, ...visited.filter(({ id }) => id !== one.id)].slice(0, most)
}

export const lastVisited = () => visited
