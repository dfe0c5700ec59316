import * as z from 'zod'
import { ObjectRights } from './access.ts'
import { fieldTypes } from './field-types.ts'
import { operation } from './operation.ts'
import { isInherited } from './own.ts'
import { nameOf } from './shapes.ts'

const key = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, 'Use small letters, digits and _, beginning with a letter, such as renewal_date')
/** Those that exist are kept, whatever they are called. */
const newKey = key.refine((text) => !isInherited(text), 'This word is reserved. Choose another key')
export const objectKey = key.meta({ forAgents: { type: 'string' } }).describe('Such as people or deals')
const fieldKey = key.describe('The field, such as job_title')
const label = nameOf('Enter a label')

export const optionColors = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const
export const stageKinds = ['open', 'won', 'lost'] as const

const optionFields = {
  label,
  color: z.enum(optionColors).optional().meta({ forAgents: 'hidden' }),
  kind: z.enum(stageKinds).optional().describe('Of a stage of a deal: what reaching it means'),
}
export const FieldOption = z.strictObject({ key: z.string(), ...optionFields }).meta({ forAgents: 'sparse' })
export type FieldOption = z.output<typeof FieldOption>
const options = z
  .array(z.strictObject({ key: key.optional().describe('Made from the label if left out'), ...optionFields }))
  .max(500)
  .meta({ forAgents: { type: 'array', items: { type: 'object' } } })

export const Field = z
  .strictObject({
    key: z.string(),
    label: z.string(),
    description: z.string(),
    type: z.enum(fieldTypes),
    is_multi: z.boolean().describe('Holds several values'),
    is_required: z.boolean(),
    is_unique: z.boolean().describe('No two records share a value'),
    is_read_only: z.boolean(),
    is_built_in: z.boolean().meta({ forAgents: 'hidden' }),
    is_archived: z.boolean(),
    options: z.array(FieldOption).nullable(),
    to_objects: z.array(z.string()).nullable().describe('Where a relation leads; empty: to any object'),
    default_value: z.unknown(),
  })
  .meta({ id: 'Field', forAgents: 'sparse' })

export const RecordObject = z
  .strictObject({
    key: z.string(),
    label: z.string(),
    label_plural: z.string(),
    is_built_in: z.boolean().meta({ forAgents: 'hidden' }),
    is_archived: z.boolean(),
    rights: ObjectRights.describe('What you may do with its records'),
    fields: z.array(Field),
    related: z
      .array(z.strictObject({ object: z.string(), by: z.array(z.string()) }))
      .describe('Objects whose records lead here, and by which fields. For filters: any(deals: amount > 5000)'),
  })
  .meta({ id: 'RecordObject', forAgents: 'sparse' })

export const objects = {
  describeSchema: operation({
    summary: 'Describe objects and fields',
    http: 'GET /schema',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      objects: z.array(objectKey).max(100).optional().describe('Only these objects'),
      archived: z.boolean().optional().describe('Show archived objects and fields too'),
    }),
    output: z
      .strictObject({
        objects: z.array(RecordObject),
        system_fields: z
          .array(z.strictObject({ key: z.string(), label: z.string(), type: z.enum(fieldTypes) }))
          .describe('What every record has besides; owner can be written'),
      })
      .meta({ id: 'Schema' }),
    tool: 'Call before reading or writing records: objects, fields, types, options and your rights. What is false or empty is left out.',
  }),
  createObject: operation({
    summary: 'Create an object',
    http: 'POST /objects',
    access: 'objects.manage',
    effect: 'add',
    input: z.strictObject({
      key: newKey.describe('Its name in filters and values; never changes'),
      label: label.describe('Such as Project'),
      label_plural: label.describe('Such as Projects'),
    }),
    output: RecordObject,
    tool: 'Adds an object such as projects, with one field, name. Add more with create_field.',
  }),
  updateObject: operation({
    summary: 'Update an object',
    http: 'PATCH /objects/:object',
    access: 'objects.manage',
    effect: 'change',
    input: z.strictObject({
      object: objectKey,
      label: label.optional().describe('Singular'),
      label_plural: label.optional().describe('Plural'),
      position: z.int().min(0).max(1000).optional().describe('Place in the list, from 0'),
      is_archived: z.boolean().optional().describe('Hides it; nothing is lost'),
    }),
    output: RecordObject,
    tool: 'Relabels, moves, archives or unarchives an object.',
  }),
  createField: operation({
    summary: 'Create a field',
    http: 'POST /objects/:object/fields',
    access: 'objects.manage',
    effect: 'add',
    input: z.strictObject({
      object: objectKey,
      key: newKey.describe('Its name in filters and values; never changes'),
      label: label.describe('For people'),
      description: z.string().trim().max(500).default('').describe('What it is for'),
      type: z.enum(fieldTypes).describe('Cannot be changed later'),
      is_multi: z.boolean().default(false).describe('Several values: text, email, phone, url and relation'),
      is_required: z.boolean().default(false).describe('New records must have it'),
      is_unique: z.boolean().default(false).describe('No two records may share a value'),
      options: options
        .optional()
        .describe(`Of select and multi_select, in order: [{"label": "Gold", "color": "yellow"}]`),
      to_objects: z.array(objectKey).max(50).optional().describe('Of a relation; empty: any object'),
      default_value: z.unknown().optional().describe('For new records that do not say otherwise'),
    }),
    output: Field,
    tool: 'Adds a field to an object. Look at describe_schema first: it may be there already.',
  }),
  updateField: operation({
    summary: 'Update a field',
    http: 'PATCH /objects/:object/fields/:field',
    access: 'objects.manage',
    effect: 'change',
    input: z.strictObject({
      object: objectKey,
      field: fieldKey,
      label: label.optional().describe('For people'),
      description: z.string().trim().max(500).optional().describe('What it is for'),
      position: z.int().min(0).max(1000).optional().describe('Its place in the object, from 0'),
      is_required: z.boolean().optional().describe('New records must have it'),
      is_unique: z.boolean().optional().describe('No two records may share a value'),
      is_archived: z.boolean().optional().describe('An archived field is hidden; its values stay'),
      options: options.optional().describe('All options in order; one in use cannot be left out'),
      default_value: z.unknown().optional().describe('For new records; null: none'),
    }),
    output: Field,
    tool: 'Relabels, moves, requires, archives or unarchives a field, or changes its options.',
  }),
}
