/** Every type a field can have. */
export const fieldTypes = [
  'text',
  'long_text',
  'number',
  'money',
  'boolean',
  'date',
  'datetime',
  'select',
  'multi_select',
  'email',
  'phone',
  'url',
  'country',
  'user',
  'relation',
  'file',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** Types whose fields can hold several values, in order. */
export const multiTypes: FieldType[] = ['text', 'email', 'phone', 'url', 'relation', 'file']
/** Types whose fields always can. */
export const alwaysMulti: FieldType[] = ['file']
/** Types whose values can be unique within an object. */
export const uniqueTypes: FieldType[] = ['text', 'email', 'phone', 'url', 'number']
