// Which records are compared to find duplicates, and the field by which filters find those that have some.
import type { FilterField } from '../filter/fields.ts'

export type ComparedAs = 'people' | 'companies' | 'deals'

const byBuiltInKey: Record<string, ComparedAs | undefined> = {
  people: 'people',
  leads: 'people',
  deals: 'deals',
  tasks: undefined,
  notes: undefined,
  activities: undefined,
  deal_lines: undefined,
}

/** How records of this object are compared; undefined if two of them may well be alike. Custom objects are like companies. */
export const comparedAs = (built_in_key: string | null | undefined): ComparedAs | undefined =>
  built_in_key && built_in_key in byBuiltInKey ? byBuiltInKey[built_in_key] : 'companies'

export const hasDuplicate = { key: 'has_duplicate', label: 'Has duplicates', type: 'boolean' } satisfies FilterField
