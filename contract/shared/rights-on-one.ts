import { type BuiltInObject, type ObjectRights, type RecordAccess, type RecordRights, rightsOn } from './access.ts'

/** Whether a role has all of these rights on one object: on any, or on the built-in one. */
export function mayWithOne(rights: RecordRights, accesses: RecordAccess[], builtIn?: BuiltInObject) {
  const hasAll = (one: ObjectRights) =>
    accesses.every((access) => {
      const right = one[access.slice('records.'.length) as keyof ObjectRights]
      return right !== 'none' && right !== false
    })
  if (!builtIn) return Object.values(rights).some(hasAll)
  // If the company already had an object with this key, the built-in one has a number.
  const numbered = Object.keys(rights).filter((key) => new RegExp(`^${builtIn}_[0-9]+$`).test(key))
  return [builtIn, ...numbered].some((key) => hasAll(rightsOn(rights, key)))
}
