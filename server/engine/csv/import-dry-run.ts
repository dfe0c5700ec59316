// What a dry run remembers, so that later rows of the same file or move are judged as they would be.
import { hash } from 'node:crypto'
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

/** Large files have hundreds of thousands of keys, and a hash takes less memory. */
const short = (key: string) => hash('sha256', key, 'binary').slice(0, hashLength)
/** 72 bits: a collision among a million keys is unlikely. A longer slice would keep the whole hash in memory. */
const hashLength = 9

const keys = (below?: Keys): Keys => {
  const own = new Set<string>()
  return { has: (key) => own.has(short(key)) || (below?.has(key) ?? false), add: (key) => void own.add(short(key)) }
}

/** Records are kept as text, as few are looked at again. Most names have one record. */
const names = (below?: Names): Names => {
  const byKey = new Map<string, string | string[]>()
  const ownOf = (key: string) => [byKey.get(short(key)) ?? []].flat().map(unpacked)
  const of = (key: string) => [...(below?.of(key) ?? []), ...ownOf(key)].slice(0, mostMatches)
  return {
    of,
    known: (id) => ownOf(id)[0] ?? below?.known(id),
    add(all, match, known) {
      const record = packed({ ...match, ...known })
      for (const key of [match.id, ...all].map(short)) {
        const before = [byKey.get(key) ?? []].flat()
        if (before.length < mostMatches) byKey.set(key, before.length ? [...before, record] : record)
      }
    },
  }
}

const packed = ({ id, title, links, uniques }: Match & Known) => JSON.stringify([id, title, links, uniques])

function unpacked(text: string): Match & Known {
  const [id, title, links, uniques] = JSON.parse(text)
  return { id, title, links, uniques }
}

/** `below`: what was seen before, which stays as it is. */
export const nothingSeen = (below?: Seen, named: ReadonlySet<string> = new Set()): Seen => ({
  uniques: keys(below?.uniques),
  related: keys(below?.related),
  options: keys(below?.options),
  names: names(below?.names),
  named: below?.named ?? named,
})
