import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { type SystemField, systemFields } from '../../../contract/built-in/system-fields.ts'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { api } from '../../client/api.ts'

type Described = Output<typeof contract.describeSchema>['objects'][number]
/** `is_system`: every record has it, whatever its object. `object`: the one that the field belongs to. */
export type FieldShape = Described['fields'][number] & { is_system?: true; object?: string }
export type ObjectShape = Described & {
  /** The object's own fields and what every record has, as a list may show them; the title first. */
  columns: FieldShape[]
  /** Fields of the records that it links to, as `organization.country`, to be read. */
  linked: FieldShape[]
  /** Also the linked ones, by their path. */
  byKey: Map<string, FieldShape>
  /** The field that is the title by itself; a person's is made of two. */
  titleField: FieldShape | undefined
}

export const schemaQuery = queryOptions({
  queryKey: ['schema'],
  queryFn: async () => {
    const { objects } = await api.describeSchema({})
    return objects.map((object) => withColumns(object, objects))
  },
  staleTime: 60_000,
})

const system = ({ key, label, type }: SystemField): FieldShape => ({
  key,
  label,
  type,
  description: '',
  is_multi: false,
  is_required: false,
  is_unique: false,
  is_read_only: key !== 'owner',
  is_built_in: true,
  is_archived: false,
  group: '',
  options: null,
  to_objects: null,
  default_value: null,
  is_system: true,
})

const shownFields = systemFields.filter(({ key }) => key !== 'id' && key !== 'title').map(system)

function withColumns(described: Described, objects: Described[]): ObjectShape {
  const object = { ...described, fields: described.fields.map((field) => ({ ...field, object: described.key })) }
  const titleField = object.fields.find(({ key }) => key === 'title') ?? object.fields.find(({ key }) => key === 'name')
  const title = titleField?.key === 'title' ? titleField : system({ key: 'title', label: object.label, type: 'text' })
  const own = object.fields.filter(({ key }) => key !== 'title')
  const columns = [title, ...own, ...shownFields]
  const linked = linkedFields(object, objects)
  const byKey = new Map([...columns, ...linked].map((field) => [field.key, field]))
  return { ...object, columns, linked, byKey, titleField }
}

/** Only of relations to a single record. Its title is what the relation itself shows. */
function linkedFields({ fields }: Described, objects: Described[]): FieldShape[] {
  return fields.flatMap((link): FieldShape[] => {
    const isOne = link.type === 'relation' && !link.is_multi && link.to_objects?.length === 1
    const target = isOne ? objects.find(({ key }) => key === link.to_objects![0]) : undefined
    if (!target || target.rights.read === 'none') return []
    const read = [...target.fields, ...shownFields].filter(
      ({ key, type }) => key !== 'name' && key !== 'title' && type !== 'relation' && type !== 'long_text',
    )
    return read.map((field) => ({
      ...field,
      key: `${link.key}.${field.key}`,
      label: `${link.label}: ${field.label}`,
      is_read_only: true,
      is_required: false,
    }))
  })
}

/** The objects of which one may at least create records, in the company's order. */
export const useSchema = () => useSuspenseQuery(schemaQuery).data

/** Nothing when there is no such object, or not for this user. */
export const useObject = (key: string) => useSchema().find((object) => object.key === key)
