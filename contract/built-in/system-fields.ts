// The fields of every record, in all objects.
import type { FieldType } from './field-types.ts'

const defined = [
  { key: 'id', label: 'ID', type: 'text' },
  { key: 'title', label: 'Title', type: 'text' },
  { key: 'owner', label: 'Owner', type: 'user' },
  { key: 'created_at', label: 'Created', type: 'datetime' },
  { key: 'created_by', label: 'Created by', type: 'user' },
  { key: 'updated_at', label: 'Updated', type: 'datetime' },
  { key: 'last_activity_at', label: 'Last activity', type: 'datetime' },
] as const

export type SystemKey = (typeof defined)[number]['key']
export type SystemField = { key: SystemKey; label: string; type: FieldType }
export const systemFields: readonly SystemField[] = defined
