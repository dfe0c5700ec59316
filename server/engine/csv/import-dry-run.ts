// What a dry run remembers, so that later rows of the same file or move are judged as they would be.
import { type Match, mostMatches } from '../names/match.ts'

/** `links`: the IDs of the records that it links to. */
export type Known = { links: string[]; uniques: string[] }

export type Seen = {
  /** Unique values of records that would have been created, as `field_id key`. */
  uniques: Keys
  /** Related records that would have been created, as `object name`. */
  related: Keys
  /** Options that would have been added, as `object field label`. */
  options: Keys
  /** Records that would have been created, by what later rows may call them. See import-names.ts. */
  names: Names
  /** The objects whose records the files of a move name. */
  named: ReadonlySet<string>
}
type Keys = { has(key: string): boolean; add(key: string): void }
type Names = {
  of(key: string): Match[]
  known(id: string): Known | undefined
  add(keys: string[], match: Match, known: Known): void
}

const keys = (below?: Keys): Keys => {
  const own = new Set<string>()
  return { has: (key) => own.has(key) || (below?.has(key) ?? false), add: (key) => void own.add(key) }
}

/** Most names have one record, and large files have many. */
const names = (below?: Names): Names => {
  type Record = Match & Known
  const byKey = new Map<string, Record | Record[]>()
  const byId = new Map<string, Record>()
  const ownOf = (key: string) => [byKey.get(key) ?? []].flat()
  const of = (key: string) => [...(below?.of(key) ?? []), ...ownOf(key)].slice(0, mostMatches)
  return {
    of,
    known: (id) => byId.get(id) ?? below?.known(id),
    add(all, match, known) {
      const record = { ...match, ...known }
      byId.set(match.id, record)
      for (const key of all) {
        const before = ownOf(key)
        if (before.length < mostMatches) byKey.set(key, before.length ? [...before, record] : record)
      }
    },
  }
}

/** `below`: what was seen before, which stays as it is. */
export const nothingSeen = (below?: Seen, named: ReadonlySet<string> = new Set()): Seen => ({
  uniques: keys(below?.uniques),
  related: keys(below?.related),
  options: keys(below?.options),
  names: names(below?.names),
  named: below?.named ?? named,
})
