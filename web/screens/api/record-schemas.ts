// The records of one object, with the company's own fields, in place of what the document says about any record.

import type { Schema } from '../../../contract/document/api-document.ts'
import type { Schemas } from '../../../contract/document/schema-words.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import type { FieldShape, ObjectShape } from '../../records/data/schema.ts'
import { fieldKinds } from '../../records/fields/field-kinds.ts'

export function schemasWith(schemas: Schemas, object: ObjectShape | undefined): Schemas {
  if (!object) return schemas
  const read = object.columns.filter(({ is_archived }) => !is_archived)
  const written = read.filter(({ is_read_only, is_system, key }) => !is_read_only && (!is_system || key === 'owner'))
  const record = recordOf(read)
  return {
    ...schemas,
    Record: record,
    WrittenRecord: record,
    RecordValues: {
      type: 'object',
      properties: properties(written, false),
      required: written.filter((field) => field.is_required && field.default_value == null).map(({ key }) => key),
    },
    ...(schemas.WebhookPayload && { WebhookPayload: withRecord(schemas.WebhookPayload) }),
  }
}

const recordOf = (fields: FieldShape[]): Schema => ({
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    version: { type: 'integer', description: 'Increases with every change' },
    ...properties(fields, true),
  },
  required: ['id', 'version'],
})

const withRecord = (payload: Schema): Schema => ({
  ...payload,
  properties: {
    ...payload.properties,
    record: { ...payload.properties?.record, anyOf: [{ $ref: '#/components/schemas/Record' }, { type: 'null' }] },
  },
})

const properties = (fields: FieldShape[], isRead: boolean) =>
  Object.fromEntries(fields.map((field) => [field.key, schemaOf(field, isRead)]))

function schemaOf(field: FieldShape, isRead: boolean): Schema {
  const { label, description, type, is_unique, is_multi } = field
  const notes = [label, description, is_unique && 'No two records share a value']
  const one = oneValue(field, isRead)
  const isList = is_multi || type === 'multi_select'
  return {
    ...(isList ? { type: 'array', items: one } : one),
    title: fieldKinds[type].label,
    description: notes.filter(Boolean).join('. '),
  }
}

const plain: Partial<Record<FieldShape['type'], Schema>> = {
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  email: { type: 'string', format: 'email' },
  url: { type: 'string', format: 'uri' },
  user: { type: 'string', format: 'uuid' },
}

const fileSchema: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    type: { type: 'string' },
    size: { type: 'integer' },
  },
}

function oneValue({ type, options, to_objects }: FieldShape, isRead: boolean): Schema {
  if (options) return { type: 'string', enum: options.filter((one) => !one.is_archived).map(({ key }) => key) }
  if (type === 'money')
    return { type: 'object', properties: { amount: { type: 'string' }, currency: { type: 'string' } } }
  if (type === 'relation') {
    const to = to_objects?.length ? `Links to ${to_objects.join(' or ')}` : 'Links to any record'
    if (!isRead) return { type: 'string', description: `${to}: an ID, a title or a unique value` }
    return {
      type: 'object',
      description: to,
      properties: { id: { type: 'string', format: 'uuid' }, title: { type: 'string' } },
    }
  }
  if (type === 'file') return isRead ? fileSchema : { type: 'string', format: 'uuid', description: 'An upload' }
  return plain[type] ?? { type: 'string' }
}

/** Values for a new record: what is required, and a few more. */
export function exampleValues({ fields }: ObjectShape): Record<string, unknown> {
  const usable = fields.filter(
    ({ is_read_only, is_archived, type }) => !is_read_only && !is_archived && type !== 'user' && type !== 'file',
  )
  const required = usable.filter(({ is_required }) => is_required)
  const more = usable.filter((field) => !field.is_required && field.type !== 'relation').slice(0, 3)
  return Object.fromEntries([...required, ...more].map((field) => [field.key, exampleValue(field)]))
}

const sample: Partial<Record<FieldShape['type'], unknown>> = {
  number: 10,
  money: { amount: '1200.00', currency: 'EUR' },
  boolean: true,
  date: '2026-11-18',
  datetime: '2026-11-18T09:00:00Z',
  email: 'ada@example.com',
  phone: '+49 30 1234567',
  url: 'https://example.com',
  country: 'DE',
}

function exampleValue({ type, key, label, options, is_multi }: FieldShape) {
  const one = options?.[0]?.key ?? sample[type] ?? known[key] ?? `Example ${inSentence(label)}`
  return is_multi || type === 'multi_select' ? [one] : one
}

const known: Record<string, string> = { first_name: 'Ada', last_name: 'Lovelace', city: 'London', name: 'Acme' }
