// A record as it lies in its row, and as callers see it.
import type { ObjectSchema } from '../objects/schema.ts'

export type Stored = {
  id: string
  object_id: string
  values: Record<string, unknown>
  title: string
  owner_id: string | null
  created_at: Date
  created_by: string | null
  updated_at: Date
  last_activity_at: Date | null
  deleted_at: Date | null
  version: number
}
export type Shown = { id: string; version: number; [field: string]: unknown }

export const storedColumns =
  'r.id, r.object_id, r.values, r.title, r.owner_id, r.created_at, r.created_by, r.updated_at, r.last_activity_at, r.deleted_at, r.version'

/** Flat: what every record has, then the fields of its object, of which empty ones are left out. */
export function shown(object: ObjectSchema, row: Stored, only?: Set<string>): Shown {
  const all: Shown = {
    id: row.id,
    version: row.version,
    title: row.title,
    owner: row.owner_id,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    updated_at: row.updated_at.toISOString(),
    last_activity_at: row.last_activity_at?.toISOString() ?? null,
    ...(row.deleted_at && { deleted_at: row.deleted_at.toISOString() }),
  }
  for (const { key } of object.fields) {
    const value = row.values[key]
    if (value !== undefined && value !== null) all[key] = value
  }
  if (!only) return all
  const kept: Shown = { id: row.id, version: row.version }
  for (const key of only) kept[key] = all[key] ?? null
  return kept
}

const written = new Set(['text', 'long_text', 'email', 'url'])

/** Long texts come from mails, notes and forms; of a lead, everything does. */
export const untrustedFields = (object: ObjectSchema, only?: Set<string>) =>
  object.fields
    .filter(({ type }) => type === 'long_text' || (object.key === 'leads' && written.has(type)))
    .map(({ key }) => key)
    .filter((key) => !only || only.has(key))
