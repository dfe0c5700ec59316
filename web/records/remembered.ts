// Where somebody was, kept in this browser: the last object, and how its list looked.
import { own } from '../../contract/own.ts'
import type { ListSearch } from './list-search.ts'

const place = 'kith.records'
type Remembered = { object?: string; lists?: Record<string, ListSearch> }

function read(): Remembered {
  try {
    return (JSON.parse(localStorage.getItem(place) ?? '{}') as Remembered | null) ?? {}
  } catch {
    return {}
  }
}

export const lastObject = () => read().object
export const lastList = (object: string): ListSearch => own(read().lists ?? {}, object) ?? {}

/** Without the filter: a list that looks empty because of an old filter misleads. */
export function remember(object: string, { record: _, filter: __, ...search }: ListSearch) {
  const lists = { ...read().lists, [object]: search }
  try {
    localStorage.setItem(place, JSON.stringify({ object, lists }))
  } catch {
    // A browser that keeps nothing still shows lists.
  }
}
