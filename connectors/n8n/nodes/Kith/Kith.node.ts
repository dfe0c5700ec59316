import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow'
import * as inboxLists from '../shared/inbox-lists.ts'
import * as lists from '../shared/lists.ts'
import { fieldsReader, operations } from './operations.ts'
import { properties } from './properties.ts'

export class Kith implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Kith',
    name: 'kith',
    icon: { light: 'file:../../icons/kith.svg', dark: 'file:../../icons/kith.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ [$parameter["operation"], $parameter["object"]].filter(Boolean).join(": ") }}',
    description: 'Read and update records and send messages in Kith, the CRM for people and their agents',
    defaults: { name: 'Kith' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'kithApi', required: true }],
    properties,
  }

  methods = {
    loadOptions: {
      objects: lists.objects,
      fields: lists.fields,
      unique: lists.unique,
      clearable: lists.clearable,
      channels: inboxLists.channels,
      templates: inboxLists.templates,
      labels: inboxLists.labels,
      users: inboxLists.users,
    },
    listSearch: {
      searchObjects: lists.searchObjects,
      searchRecords: lists.searchRecords,
      searchPeople: lists.searchPeople,
      searchTrash: lists.searchTrash,
    },
    resourceMapping: {
      fieldsToCreate: lists.fieldsToCreate,
      fieldsToUpdate: lists.fieldsToUpdate,
      fieldsToUpsert: lists.fieldsToUpsert,
    },
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const output: INodeExecutionData[] = []
    const fieldsOf = fieldsReader(this)
    for (let item = 0; item < this.getInputData().length; item++) {
      try {
        const run = operations[this.getNodeParameter('operation', item) as string]
        const results = await run(this, item, fieldsOf)
        output.push(...results.map((json) => ({ json, pairedItem: { item } })))
      } catch (error) {
        if (!this.continueOnFail()) throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item })
        output.push({ json: { error: (error as Error).message }, pairedItem: { item } })
      }
    }
    return [output]
  }
}
