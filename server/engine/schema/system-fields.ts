// The fields that every record has, with their columns.
import {
  type SystemField as ContractField,
  systemFields as contractFields,
  type SystemKey,
} from '../../../contract/built-in/system-fields.ts'

export type SystemField = ContractField & { column: string; cast: string }

const columns: Record<SystemKey, { column: string; cast: string }> = {
  id: { column: 'id', cast: 'uuid' },
  title: { column: 'title', cast: 'text' },
  owner: { column: 'owner_id', cast: 'uuid' },
  created_at: { column: 'created_at', cast: 'timestamptz' },
  created_by: { column: 'created_by', cast: 'uuid' },
  updated_at: { column: 'updated_at', cast: 'timestamptz' },
  last_activity_at: { column: 'last_activity_at', cast: 'timestamptz' },
}

export const systemFields: SystemField[] = contractFields.map((field) => ({ ...field, ...columns[field.key] }))
export const systemByKey = new Map<string, SystemField>(systemFields.map((field) => [field.key, field]))
/** Keys that a field of an object cannot have. */
export const reservedKeys = new Set([...systemByKey.keys(), 'version', 'deleted_at', 'object', 'merged_from'])
