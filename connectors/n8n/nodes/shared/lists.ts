// What the nodes' drop-down lists and mapping forms show. All of it comes from the company's own schema.
import type {
  ILoadOptionsFunctions,
  INodeListSearchResult,
  INodePropertyOptions,
  ResourceMapperFields,
} from 'n8n-workflow'
import type { Page } from '../../kith/requests.ts'
import {
  type Field,
  type MapperPurpose,
  mapperFields,
  type RecordObject,
  readableFields,
  writableFields,
} from '../../kith/schema.ts'
import { addressOf, call, schemaOf } from './call.ts'

type Search = { items: { id: string; title: string; detail: string | null }[] }

export async function objects(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const schema = await schemaOf(this)
  return schema.objects.map(({ key, label_plural }) => ({ name: label_plural, value: key }))
}

export async function searchObjects(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
  const found = (await objects.call(this)).filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
  return { results: found.map(({ name, value }) => ({ name, value })) }
}

export async function searchRecords(this: ILoadOptionsFunctions, filter?: string, cursor?: string) {
  return recordsOf(this, objectOf(this), filter, cursor)
}

export async function searchPeople(this: ILoadOptionsFunctions, filter?: string, cursor?: string) {
  return recordsOf(this, 'people', filter, cursor)
}

async function recordsOf(caller: ILoadOptionsFunctions, object: string, filter?: string, cursor?: string) {
  if (!filter) return newestRecords(caller, object, false, cursor)
  const { items } = await call<Search>(caller, 'searchRecords', { q: filter, objects: object, limit: 50 })
  const address = await addressOf(caller)
  const results = items.map(({ id, title, detail }) => ({
    name: detail ? `${title} (${detail})` : title,
    value: id,
    url: `${address}/records/${object}/${id}`,
  }))
  return { results }
}

/** Search does not find what is in the trash, so its newest records are shown. */
export const searchTrash = function (this: ILoadOptionsFunctions, _filter?: string, cursor?: string) {
  return newestRecords(this, objectOf(this), true, cursor)
}

async function newestRecords(caller: ILoadOptionsFunctions, object: string, deleted: boolean, cursor?: string) {
  if (!object) return { results: [] }
  const page = await call<Page>(caller, 'queryRecords', {
    object,
    is_deleted: deleted,
    fields: ['title'],
    limit: 50,
    cursor,
  })
  const results = page.records.map(({ id, title }) => ({ name: String(title || id), value: String(id) }))
  return { results, paginationToken: page.next_cursor ?? undefined }
}

export async function fields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const object = objectOf(this)
  if (!object) return []
  const schema = await schemaOf(this, [object])
  return schema.objects.flatMap((one) => readableFields(schema, one)).map(asOption)
}

export const clearable = fieldsThat((field) => !field.is_required)
export const unique = fieldsThat((field) => field.is_unique)

export const fieldsToCreate = mapper('create')
export const fieldsToUpdate = mapper('update')
export const fieldsToUpsert = mapper('upsert')

function fieldsThat(isWanted: (field: Field) => boolean) {
  return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
    const object = await objectIn(this)
    return object ? writableFields(object).filter(isWanted).map(asOption) : []
  }
}

function mapper(purpose: MapperPurpose) {
  return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    const object = await objectIn(this)
    return object
      ? { fields: mapperFields(object, purpose) }
      : { fields: [], emptyFieldsNotice: 'Choose an object first' }
  }
}

async function objectIn(caller: ILoadOptionsFunctions): Promise<RecordObject | undefined> {
  const object = objectOf(caller)
  return object ? (await schemaOf(caller, [object])).objects[0] : undefined
}

/** The action node has a locator (list or key); the trigger has a list. */
const objectOf = (caller: ILoadOptionsFunctions) =>
  caller.getCurrentNodeParameter('object', { extractValue: true }) as string

const asOption = ({ key, label }: { key: string; label: string }) => ({ name: label, value: key })
