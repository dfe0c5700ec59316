// What every record has, whatever its object.
import type { FieldType } from '../../../contract/field-types.ts'

export type SystemField = { key: string; label: string; type: FieldType; column: string; cast: string }

export const systemFields: SystemField[] = [
  { key: 'id', label: 'Id', type: 'text', column: 'id', cast: 'uuid' },
  { key: 'title', label: 'Title', type: 'text', column: 'title', cast: 'text' },
  { key: 'owner', label: 'Owner', type: 'user', column: 'owner_id', cast: 'uuid' },
  { key: 'created_at', label: 'Created', type: 'datetime', column: 'created_at', cast: 'timestamptz' },
  { key: 'created_by', label: 'Created by', type: 'user', column: 'created_by', cast: 'uuid' },
  { key: 'updated_at', label: 'Updated', type: 'datetime', column: 'updated_at', cast: 'timestamptz' },
  {
    key: 'last_activity_at',
    label: 'Last activity',
    type: 'datetime',
    column: 'last_activity_at',
    cast: 'timestamptz',
  },
]
export const systemByKey = new Map(systemFields.map((field) => [field.key, field]))
/** Keys that no field of an object may take. */
export const reservedKeys = new Set([...systemByKey.keys(), 'version', 'deleted_at', 'object', 'title'])
