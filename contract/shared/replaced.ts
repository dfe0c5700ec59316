import type { Operation } from '../operation.ts'

/** When names and routes of the last minor release were replaced, and until when they work at least. */
const replacedAt = new Date('2026-11-19T00:00:00Z')
const worksUntil = new Date('2027-05-19T00:00:00Z')

/** RFC 9745 and RFC 8594. */
export const deprecation = {
  deprecation: `@${replacedAt.getTime() / 1000}`,
  sunset: worksUntil.toUTCString(),
}

/** An operation with its old routes, which take the same input. */
export const replacedRoutes = (op: Operation) =>
  (op.replaces ?? []).flatMap(({ http }) => (http ? [{ ...op, http }] : []))

export const replacedNames = ({ replaces = [] }: Operation) => replaces.flatMap(({ name }) => name ?? [])

/** Returns the same object if no input has its old name. */
export function withNewNames<Input extends object>({ replaces }: Pick<Operation, 'replaces'>, input: Input): Input {
  if (!replaces) return input
  const renamed = new Map(replaces.flatMap(({ fields }) => Object.entries(fields ?? {})))
  const newName = (name: string) => {
    const found = renamed.get(name)
    return found !== undefined && !Object.hasOwn(input, found) ? found : name
  }
  const entries = Object.entries(input)
  if (entries.every(([name]) => newName(name) === name)) return input
  return Object.fromEntries(entries.map(([name, value]) => [newName(name), value])) as Input
}
