// A filter as groups of parts. A group of one is what it holds, so a group appears with its second part.
import type { Checked, Filter } from '../../../contract/filter/index.ts'
import { everything } from '../../../contract/filter/index.ts'

export type Joiner = 'and' | 'or'
/** A part of the tree beside the same part with its fields. */
export type Part = { filter: Filter; checked: Checked }
export type Group = { joiner: Joiner; parts: Part[] }

export const other = (joiner: Joiner): Joiner => (joiner === 'and' ? 'or' : 'and')

/** The parts of a group, or nothing if this is none. */
export function groupOf({ filter, checked }: Part): Group | undefined {
  const filters = 'and' in filter ? filter.and : 'or' in filter ? filter.or : undefined
  if (!filters || !('parts' in checked)) return undefined
  return { joiner: checked.kind, parts: filters.map((part, i) => ({ filter: part, checked: checked.parts[i]! })) }
}

/** The whole filter as conditions that must all hold: what is anything else is the only one of them. */
export function allOf(whole: Part): Group {
  const group = groupOf(whole)
  return group?.joiner === 'and' ? group : { joiner: 'and', parts: [whole] }
}

export function grouped(joiner: Joiner, filters: Filter[]): Filter {
  if (filters.length < 2) return filters[0] ?? everything
  return joiner === 'and' ? { and: filters } : { or: filters }
}

/** What stands behind `not`, if it is one. */
export function negated({ filter, checked }: Part): Part | undefined {
  return 'not' in filter && checked.kind === 'not' ? { filter: filter.not, checked: checked.part } : undefined
}
