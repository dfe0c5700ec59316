import { fold } from '../../../contract/filter/fold.ts'
import { isInherited } from '../../../contract/shared/own.ts'

const most = 60

/** A key made of a label: small letters, digits and _, beginning with a letter. Empty where it has no such letters. */
export const keyFrom = (label: string) =>
  fold(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, most)

/** The same, and unlike those that are taken. */
export function freeKey(label: string, taken: Set<string>, otherwise: string) {
  const made = keyFrom(label) || otherwise
  if (!taken.has(made) && !isInherited(made)) return made
  let count = 2
  while (taken.has(`${made}_${count}`)) count++
  return `${made}_${count}`
}
