// What each operation of the action node does with one item. Each returns the items of its output.
import { type IDataObject, type IExecuteFunctions, NodeOperationError, type ResourceMapperValue } from 'n8n-workflow'
import { allPages, type Input, type Page } from '../../kith/requests.ts'
import { type Field, writableFields } from '../../kith/schema.ts'
import { mappedByName, valuesOf } from '../../kith/values.ts'
import { call, schemaOf } from '../shared/call.ts'
import { inboxOperations } from './inbox-operations.ts'
import { type FieldsOf, listIn, objectIn, type Run, recordIn, textIn, writing } from './inputs.ts'

type Written = { records: IDataObject[] }
type Group = {
  labels: (string | null)[]
  keys: unknown[]
  values: IDataObject
  is_other: boolean
  filter: string | null
}
type Aggregated = { totals: IDataObject; groups: Group[] }

export const operations: Record<string, Run> = {
  async create(node, item, fieldsOf) {
    const object = objectIn(node, item)
    const on_duplicate = node.getNodeParameter('onDuplicate', item, 'create')
    const records = [await mapped(node, item, fieldsOf)]
    // Older servers do not know the parameter.
    const input = { object, records, ...(on_duplicate !== 'create' && { on_duplicate }), return: 'record' }
    return (await call<Written>(node, 'createRecords', input, writing(node, item))).records
  },
  async upsert(node, item, fieldsOf) {
    const object = objectIn(node, item)
    const [match_on] = (node.getNodeParameter('values.matchingColumns', item, []) as string[]) ?? []
    if (!match_on) throw new NodeOperationError(node.getNode(), 'Choose the field to match on', { itemIndex: item })
    const lists = node.getNodeParameter('lists', item, 'add')
    const records = [await mapped(node, item, fieldsOf)]
    // Older servers do not know the parameter.
    const input = { object, match_on, records, ...(lists === 'replace' && { lists }), return: 'record' }
    return (await call<Written>(node, 'upsertRecords', input, writing(node, item))).records
  },
  async update(node, item, fieldsOf) {
    const cleared = node.getNodeParameter('fieldsToClear', item, []) as string[]
    const values = { ...Object.fromEntries(cleared.map((key) => [key, null])), ...(await mapped(node, item, fieldsOf)) }
    const input = { object: objectIn(node, item), records: [{ id: recordIn(node, item), values }], return: 'record' }
    return (await call<Written>(node, 'updateRecords', input, writing(node, item))).records
  },
  async delete(node, item) {
    const input = { object: objectIn(node, item), ids: [recordIn(node, item)] }
    const { records } = await call<Written>(node, 'deleteRecords', input, writing(node, item))
    return records.map((record) => ({ ...record, deleted: true }))
  },
  async restore(node, item) {
    const input = { object: objectIn(node, item), ids: [recordIn(node, item)] }
    return (await call<Written>(node, 'restoreRecords', input, writing(node, item))).records
  },
  async get(node, item) {
    const object = objectIn(node, item)
    if (node.getNodeParameter('findBy', item, 'record') === 'record')
      return [await call(node, 'getRecord', { object, id: recordIn(node, item) }, { itemIndex: item })]
    const field = node.getNodeParameter('uniqueField', item)
    const by = [{ field, value: String(node.getNodeParameter('uniqueValue', item)) }]
    return (await call<Written>(node, 'getRecords', { object, by }, { itemIndex: item })).records
  },
  async getAll(node, item) {
    const { fields, deleted, sort } = node.getNodeParameter('options', item, {}) as Input
    const most = node.getNodeParameter('returnAll', item) ? undefined : (node.getNodeParameter('limit', item) as number)
    const input = {
      object: objectIn(node, item),
      filter: textIn(node, 'filter', item),
      sort: listIn(sort),
      fields: listIn(fields),
      is_deleted: deleted === true ? true : undefined,
    }
    const ask = (page: Input) => call<Page>(node, 'queryRecords', page, { itemIndex: item })
    return (await allPages(ask, input, most)) as IDataObject[]
  },
  async search(node, item) {
    const objects = listIn(node.getNodeParameter('objects', item, []))?.join(',')
    const input = { q: node.getNodeParameter('words', item), objects, limit: node.getNodeParameter('limit', item) }
    return (await call<{ items: IDataObject[] }>(node, 'searchRecords', input, { itemIndex: item })).items
  },
  ...inboxOperations,
  async aggregate(node, item) {
    const { fill, order, top } = node.getNodeParameter('options', item, {}) as Input
    const group_by = listIn(node.getNodeParameter('groupBy', item, ''))
    const input = {
      object: objectIn(node, item),
      filter: textIn(node, 'filter', item),
      measures: listIn(node.getNodeParameter('measures', item)),
      group_by,
      order: order || undefined,
      top,
      fill,
    }
    const answer = await call<Aggregated>(node, 'aggregateRecords', input, { itemIndex: item })
    if (!node.getNodeParameter('simplify', item, true)) return [answer as unknown as IDataObject]
    return group_by ? answer.groups.map((group) => groupItem(group_by, group)) : [answer.totals]
  },
}

/** { stage: "Proposal", count: 3, filter: "stage = proposal" } */
const groupItem = (group_by: string[], { labels, values, is_other, filter }: Group): IDataObject => ({
  ...Object.fromEntries(group_by.map((name, index) => [name, is_other ? 'Other' : labels[index]])),
  ...values,
  filter,
})

async function mapped(node: IExecuteFunctions, item: number, fieldsOf: FieldsOf) {
  const fields = await fieldsOf(objectIn(node, item))
  const { mappingMode, value } = node.getNodeParameter('values', item) as ResourceMapperValue
  const isAutomatic = mappingMode === 'autoMapInputData'
  return valuesOf(fields, isAutomatic ? mappedByName(fields, node.getInputData()[item].json) : (value ?? {}))
}

export function fieldsReader(node: IExecuteFunctions): FieldsOf {
  const known = new Map<string, Promise<Field[]>>()
  const read = async (object: string) => writableFields((await schemaOf(node, [object])).objects[0])
  return (object) => {
    const fields = known.get(object) ?? read(object)
    known.set(object, fields)
    return fields
  }
}
