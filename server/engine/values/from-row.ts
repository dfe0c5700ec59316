// A record as it is stored in its row, and as callers see it.
import { isInherited, own } from '../../../contract/shared/own.ts'
import type { ObjectSchema } from '../schema/schema.ts'

export type Values = Record<string, unknown>
export type Stored = {
  id: string
  object_id: string
  values: Values
  title: string
  owner_id: string | null
  created_at: string
  created_by: string | null
  updated_at: string
  last_activity_at: string | null
  deleted_at: string | null
  version: number
}
export type Shown = { id: string; version: number; [field: string]: unknown }

// Times are read as text, because converting them to dates and back takes longer than finding the record.
export const storedColumns =
  'r.id, r.object_id, r.values, r.title, r.owner_id, r.created_at::text, r.created_by, r.updated_at::text, r.last_activity_at::text, r.deleted_at::text, r.version'

/** Converts the format of PostgreSQL in UTC, "2026-01-31 23:59:59.5+00", to ISO 8601. */
export const isoTime = (text: string) => {
  if (text[10] === 'T' || text.length > 26) return new Date(text).toISOString()
  const [seconds, fraction = ''] = text.slice(11, -3).split('.')
  return `${text.slice(0, 10)}T${seconds}.${fraction.padEnd(3, '0')}Z`
}

/** A flat object: the system fields, then the fields of the object without empty ones. */
export function shown(object: ObjectSchema, row: Stored, only?: Set<string>): Shown {
  const all: Shown = {
    id: row.id,
    version: row.version,
    title: row.title,
    owner: row.owner_id,
    created_at: isoTime(row.created_at),
    created_by: row.created_by,
    updated_at: isoTime(row.updated_at),
    last_activity_at: row.last_activity_at && isoTime(row.last_activity_at),
    ...(row.deleted_at && { deleted_at: isoTime(row.deleted_at) }),
  }
  for (const { key } of object.fields) {
    const value = own(row.values, key)
    // Included even if empty: for a key like "constructor", programs would otherwise find what every object inherits.
    if (isInherited(key)) all[key] = value ?? null
    else if (value !== undefined && value !== null) all[key] = value
  }
  if (!only) return all
  const kept: Shown = { id: row.id, version: row.version }
  for (const key of only) kept[key] = own(all, key) ?? null
  return kept
}

/** The id, version and title of a written record, and what changed. An emptied field is null. */
export function changedPart(record: Shown, fields: string[]): Shown {
  const { id, version, title } = record
  const changed = Object.fromEntries(fields.map((key) => [key, own(record, key) ?? null]))
  return { id, version, title, ...changed, ...(record.deleted_at !== undefined && { deleted_at: record.deleted_at }) }
}

const written = new Set(['text', 'long_text', 'email', 'url', 'country'])

/**
 * Long texts, and all texts of a lead, may come from emails and forms; so may titles, also those of related records: that
 * of a note is the beginning of its text, and people are named as their mails say.
 */
export function untrustedFields(object: ObjectSchema, only?: Set<string>) {
  const fields = object.fields.filter(({ key }) => !only || only.has(key))
  const texts = fields.filter(
    ({ type }) => type === 'long_text' || (object.built_in_key === 'leads' && written.has(type)),
  )
  const hasTitle = !only || only.has('title') || fields.some(({ type }) => type === 'relation')
  return [...(hasTitle ? ['title'] : []), ...texts.map(({ key }) => key)]
}
