import type { Patch } from './context.ts'

/** The fields that an update changes, or undefined if it changes nothing. */
export function differences(before: object, wanted: object): Patch | undefined {
  const patch: Patch = {}
  for (const [field, to] of Object.entries(wanted)) {
    const from = (before as Record<string, unknown>)[field]
    if (to !== undefined && to !== from) patch[field] = { from, to }
  }
  return Object.keys(patch).length ? patch : undefined
}
