// Finds fields and options by key or label, regardless of case and accents.
import { fold } from './fold.ts'

type Named = { key: string; label: string }
type Names = Map<string, Named[]>

const known = new WeakMap<Named[], Names>()

/** Returns a lookup by name. Each list is indexed once, because a filter can contain hundreds of names. */
export function namesOf<T extends Named>(list: T[]) {
  const names = known.get(list) ?? indexed(list)
  known.set(list, names)
  return (name: string) => (names.get(fold(name)) ?? []) as T[]
}

function indexed(list: Named[]): Names {
  const names: Names = new Map()
  for (const named of list)
    for (const name of new Set([fold(named.key), fold(named.label)]))
      names.set(name, [...(names.get(name) ?? []), named])
  return names
}
