import * as z from 'zod'
import { fieldTypes } from './built-in/field-types.ts'
import { operation } from './operation.ts'
import { ObjectRights } from './shared/access.ts'
import { isInherited } from './shared/own.ts'
import { nameOf } from './shared/shapes.ts'

const key = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, 'Use lowercase letters, digits and _, starting with a letter, e.g. renewal_date')
/** Stricter than `key`, because existing keys must stay valid. */
const newKey = key.refine((text) => !isInherited(text), 'This word is reserved. Choose another key')
export const objectKey = key.meta({ forAgents: { type: 'string' } }).describe('Object key, e.g. people')
const fieldKey = key.describe('Field key, e.g. job_title')
const label = nameOf('Enter a label')
const group = z
  .union([label, z.literal('')])
  .optional()
  .describe('Heading on record pages; empty: none')
  .meta({ forAgents: { type: 'string' } })

export const optionColors = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const
/** How an object looks in the web app: names from Lucide. */
export const objectIcons = [
  'box',
  'handshake',
  'user',
  'users',
  'building',
  'sprout',
  'circle-check',
  'notebook',
  'calendar',
  'package',
  'receipt',
  'briefcase',
  'folder',
  'file',
  'flag',
  'star',
  'heart',
  'house',
  'car',
  'truck',
  'plane',
  'map-pin',
  'globe',
  'phone',
  'mail',
  'megaphone',
  'ticket',
  'tag',
  'shopping-cart',
  'credit-card',
  'chart',
  'target',
  'trophy',
  'rocket',
  'wrench',
  'shield',
  'book',
  'graduation-cap',
  'stethoscope',
  'factory',
  'server',
  'lightbulb',
  'puzzle',
  'clock',
] as const
export type ObjectIcon = (typeof objectIcons)[number]
export type ObjectColor = (typeof optionColors)[number]
/** Agents rarely need it, so their tool list omits it. They can still send it. */
const look = { icon: z.enum(objectIcons), color: z.enum(optionColors) }

export const stageKinds = ['open', 'won', 'lost'] as const

const optionFields = {
  label,
  color: z.enum(optionColors).optional().meta({ forAgents: 'hidden' }),
  kind: z.enum(stageKinds).optional().describe('For deal stages: whether the deal is open, won or lost'),
}
export const FieldOption = z
  .strictObject({
    key: z.string(),
    ...optionFields,
    pipeline: z.string().optional().describe('For deal stages: the pipeline of the stage'),
    is_archived: z.boolean().optional().describe('For stages and pipelines: deals can no longer enter it'),
  })
  .meta({ forAgents: 'sparse' })
export type FieldOption = z.output<typeof FieldOption>
const options = z
  .array(z.strictObject({ key: key.optional().describe('Derived from the label if omitted'), ...optionFields }))
  .max(500)
  .meta({ forAgents: { type: 'array', items: { type: 'object' } } })

const builtInKey = z
  .string()
  .optional()
  .describe('Its key in the documentation, if it differs because the company already used that key')

export const Field = z
  .strictObject({
    key: z.string(),
    label: z.string(),
    description: z.string(),
    type: z.enum(fieldTypes),
    is_multi: z.boolean().describe('Whether it can hold several values'),
    is_required: z.boolean(),
    is_unique: z.boolean().describe('No two records share a value'),
    is_read_only: z.boolean(),
    is_built_in: z.boolean().meta({ forAgents: 'hidden' }),
    built_in_key: builtInKey,
    is_archived: z.boolean(),
    options: z.array(FieldOption).nullable(),
    to_objects: z.array(z.string()).nullable().describe('Objects that a relation can link to; empty: any object'),
    default_value: z.unknown(),
    group: z.string().meta({ forAgents: 'hidden' }).describe('Heading on record pages; empty: none'),
  })
  .meta({ id: 'Field', forAgents: 'sparse' })

export const RecordObject = z
  .strictObject({
    key: z.string(),
    label: z.string(),
    label_plural: z.string(),
    icon: look.icon.meta({ forAgents: 'hidden' }),
    color: look.color.meta({ forAgents: 'hidden' }),
    is_built_in: z.boolean().meta({ forAgents: 'hidden' }),
    built_in_key: builtInKey,
    is_archived: z.boolean(),
    rights: ObjectRights.describe('Your permissions for its records'),
    fields: z.array(Field),
    related: z
      .array(z.strictObject({ object: z.string(), by: z.array(z.string()) }))
      .describe('Objects that link to this object, and their fields. For filters such as any(deals: amount > 5000)'),
  })
  .meta({ id: 'RecordObject', forAgents: 'sparse' })

export const objects = {
  describeSchema: operation({
    summary: 'Describe objects and fields',
    http: 'GET /schema',
    replaces: [{ fields: { archived: 'include_archived' } }],
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      objects: z.array(objectKey).max(100).optional().describe('Only these objects'),
      include_archived: z.boolean().optional().describe('Include archived objects and fields'),
    }),
    output: z
      .strictObject({
        objects: z.array(RecordObject),
        system_fields: z
          .array(z.strictObject({ key: z.string(), label: z.string(), type: z.enum(fieldTypes) }))
          .describe('Fields that every record has. Only owner can be changed'),
      })
      .meta({ id: 'Schema' }),
    tool: 'Call before reading or writing records: returns objects, fields, options and your permissions. False and empty values are omitted.',
  }),
  createObject: operation({
    summary: 'Create an object',
    http: 'POST /objects',
    access: 'objects.manage',
    effect: 'add',
    input: z.strictObject({
      key: newKey.describe('Name in filters and values; cannot be changed later'),
      label: label.describe('e.g. Project'),
      label_plural: label.describe('e.g. Projects'),
      icon: look.icon.default('box').meta({ forAgents: 'hidden' }).describe('Icon in the web app'),
      color: look.color.default('gray').meta({ forAgents: 'hidden' }).describe('Color of the icon'),
    }),
    output: RecordObject,
    tool: 'Adds an object, e.g. projects, with a name field. Add more fields with create_field.',
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
      icon: look.icon.optional().meta({ forAgents: 'hidden' }).describe('Icon in the web app'),
      color: look.color.optional().meta({ forAgents: 'hidden' }).describe('Color of the icon'),
      position: z.int().min(0).max(1000).optional().describe('Position in the list, from 0'),
      is_archived: z.boolean().optional().describe('Hides it; data is kept'),
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
      key: newKey.describe('Name in filters and values; cannot be changed later'),
      label: label.describe('Display name'),
      description: z.string().trim().max(500).default('').describe('Purpose of the field'),
      type: z.enum(fieldTypes).describe('Cannot be changed later'),
      is_multi: z
        .boolean()
        .default(false)
        .describe('Several values; text, email, phone, url or relation only. Fields of type file always can'),
      is_required: z.boolean().default(false).describe('Required for new records'),
      is_unique: z.boolean().default(false).describe('No two records may share a value'),
      options: options
        .optional()
        .describe(`For select and multi_select, in order: [{"label": "Gold", "color": "yellow"}]`),
      to_objects: z.array(objectKey).max(50).optional().describe('For relations; empty: any object'),
      default_value: z.unknown().optional().describe('Default for new records'),
      group,
    }),
    output: Field,
    tool: 'Adds a field to an object. Check describe_schema first; the field may already exist.',
  }),
  updateField: operation({
    summary: 'Update a field',
    http: 'PATCH /objects/:object/fields/:field',
    access: 'objects.manage',
    effect: 'change',
    input: z.strictObject({
      object: objectKey,
      field: fieldKey,
      label: label.optional().describe('Display name'),
      description: z.string().trim().max(500).optional().describe('Purpose of the field'),
      position: z.int().min(0).max(1000).optional().describe('Position in the object, from 0'),
      is_required: z.boolean().optional().describe('Required for new records'),
      is_unique: z.boolean().optional().describe('No two records may share a value'),
      is_archived: z.boolean().optional().describe('Hides it; values are kept'),
      options: options.optional().describe('All options in order; options in use cannot be removed'),
      add_options: options.optional().describe('Options to add to the existing ones'),
      default_value: z.unknown().optional().describe('For new records; null: none'),
      group,
    }),
    output: Field,
    tool: "Changes a field's label, position, options or rules, or archives or unarchives it.",
  }),
  getFieldDependents: operation({
    summary: 'List views, rules and dashboards that use a field',
    http: 'GET /objects/:object/fields/:field/dependents',
    replaces: [{ name: 'listFieldDependents' }],
    access: 'objects.manage',
    effect: 'read',
    input: z.strictObject({ object: objectKey, field: fieldKey }),
    output: z
      .strictObject({
        views: z
          .array(z.strictObject({ id: z.string(), name: z.string(), object: z.string() }))
          .describe('Your views and shared ones that use the field in their filter, sort or columns'),
        private_views: z.int().describe("Number of other users' private views that use it"),
        notification_rules: z.int().describe('Number of notification rules that use it'),
        dashboards: z
          .array(z.strictObject({ id: z.string(), name: z.string() }))
          .describe('Your dashboards and shared ones with widgets that use it'),
        private_dashboards: z.int().describe("Number of other users' private dashboards that use it"),
      })
      .meta({ id: 'FieldDependents' }),
  }),
}
