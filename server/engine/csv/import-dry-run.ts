/** What a dry run would have written so far, so that later rows of the same file are judged as they would be. */
export type Seen = {
  /** Unique values of records that would have been created, as `field_id key`. */
  uniques: Keys
  /** Related records that would have been created, as `object name`. */
  related: Keys
  /** Options that would have been added, as `field label`. */
  options: Keys
  /** What records that would have been created can be called, if rows of the file may name them. See import-names.ts. */
  names: Keys
  /** Names of several of them. */
  sharedNames: Keys
}
type Keys = { has(key: string): boolean; add(key: string): void }

const keys = (below?: Keys): Keys => {
  const own = new Set<string>()
  return { has: (key) => own.has(key) || (below?.has(key) ?? false), add: (key) => void own.add(key) }
}

/** `below`: what was seen before, which stays as it is. */
export const nothingSeen = (below?: Seen): Seen => ({
  uniques: keys(below?.uniques),
  related: keys(below?.related),
  options: keys(below?.options),
  names: keys(below?.names),
  sharedNames: keys(below?.sharedNames),
})
