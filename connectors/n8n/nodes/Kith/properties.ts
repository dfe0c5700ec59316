import type { INodeProperties, ResourceMapperTypeOptionsBase } from 'n8n-workflow'
import { inboxProperties } from './inbox-properties.ts'
import { onlyFor } from './only-for.ts'
import { aggregate, reportOperation } from './report-properties.ts'

const forRecords = (...operation: string[]) => onlyFor('record', ...operation)

const filterHelp =
  'e.g. <code>stage = proposal and amount &gt; 10000</code> or <code>updated_at &gt; -7d</code>. Leave empty for all records.'

const resource: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Conversation', value: 'conversation', description: 'A conversation in the inbox' },
    { name: 'Message', value: 'message', description: 'A message to a customer' },
    {
      name: 'Record',
      value: 'record',
      description: 'A person, an organization, a deal or a record of any other object',
    },
    { name: 'Report', value: 'report', description: 'Figures calculated from records' },
  ],
  default: 'record',
}

const recordOperation: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  ...forRecords(),
  options: [
    { name: 'Create', value: 'create', description: 'Create a new record', action: 'Create a record' },
    {
      name: 'Create or Update',
      value: 'upsert',
      description: 'Create a new record, or update the current one if it already exists (upsert)',
      action: 'Create or update a record',
    },
    { name: 'Delete', value: 'delete', description: 'Move a record to the trash', action: 'Delete a record' },
    { name: 'Get', value: 'get', description: 'Get a record by ID or unique value', action: 'Get a record' },
    { name: 'Get Many', value: 'getAll', description: 'Get records that match a filter', action: 'Get many records' },
    { name: 'Restore', value: 'restore', description: 'Restore a record from the trash', action: 'Restore a record' },
    { name: 'Search', value: 'search', description: 'Search records of all objects', action: 'Search records' },
    { name: 'Update', value: 'update', description: 'Change fields of a record', action: 'Update a record' },
  ],
  default: 'getAll',
}

const object: INodeProperties = {
  displayName: 'Object',
  name: 'object',
  type: 'resourceLocator',
  required: true,
  default: { mode: 'list', value: '' },
  description: 'The type of record, e.g. people or deals',
  displayOptions: { show: { resource: ['record', 'report'] }, hide: { operation: ['search'] } },
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      typeOptions: { searchListMethod: 'searchObjects', searchable: true },
    },
    { displayName: 'By Key', name: 'key', type: 'string', placeholder: 'deals' },
  ],
}

const id = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

const recordLocator = (searchListMethod: string): INodeProperties => ({
  displayName: 'Record',
  name: 'record',
  type: 'resourceLocator',
  required: true,
  default: { mode: 'list', value: '' },
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      typeOptions: { searchListMethod, searchable: searchListMethod === 'searchRecords' },
    },
    {
      displayName: 'By ID',
      name: 'id',
      type: 'string',
      validation: [
        { type: 'regex', properties: { regex: `^\\s*${id}\\s*$`, errorMessage: 'This is not a record ID' } },
      ],
    },
    {
      displayName: 'By Link',
      name: 'url',
      type: 'string',
      placeholder: 'https://crm.example.com/records/deals/…',
      extractValue: { type: 'regex', regex: `/records/[a-z0-9_]+/(${id})` },
    },
  ],
})

const getBy: INodeProperties = {
  displayName: 'Find By',
  name: 'findBy',
  type: 'options',
  ...forRecords('get'),
  options: [
    { name: 'Record', value: 'record' },
    { name: 'Unique Value', value: 'uniqueValue' },
  ],
  default: 'record',
}
const recordToGet: INodeProperties = {
  ...recordLocator('searchRecords'),
  displayOptions: { show: { resource: ['record'], operation: ['get'], findBy: ['record'] } },
}
const byUniqueValue: INodeProperties[] = [
  {
    displayName: 'Field Name or ID',
    name: 'uniqueField',
    type: 'options',
    required: true,
    default: '',
    typeOptions: { loadOptionsMethod: 'unique', loadOptionsDependsOn: ['object.value'] },
    description:
      'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    displayOptions: { show: { resource: ['record'], operation: ['get'], findBy: ['uniqueValue'] } },
  },
  {
    displayName: 'Value',
    name: 'uniqueValue',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'ada@example.com',
    displayOptions: { show: { resource: ['record'], operation: ['get'], findBy: ['uniqueValue'] } },
  },
]

const recordToChange: INodeProperties = { ...recordLocator('searchRecords'), ...forRecords('update', 'delete') }
const recordInTrash: INodeProperties = { ...recordLocator('searchTrash'), ...forRecords('restore') }

const values = (
  operation: string,
  mode: ResourceMapperTypeOptionsBase['mode'],
  resourceMapperMethod: string,
): INodeProperties => ({
  displayName: 'Values',
  name: 'values',
  type: 'resourceMapper',
  required: true,
  noDataExpression: true,
  default: { mappingMode: 'defineBelow', value: null },
  ...forRecords(operation),
  typeOptions: {
    loadOptionsDependsOn: ['object.value'],
    resourceMapper: {
      resourceMapperMethod,
      mode,
      fieldWords: { singular: 'field', plural: 'fields' },
      addAllFields: operation === 'create',
      multiKeyMatch: false,
      supportAutoMap: true,
    },
  },
})

const fieldsToClear: INodeProperties = {
  displayName: 'Fields to Clear Names or IDs',
  name: 'fieldsToClear',
  type: 'multiOptions',
  default: [],
  typeOptions: { loadOptionsMethod: 'clearable', loadOptionsDependsOn: ['object.value'] },
  description:
    'Fields to clear. Values left empty above do not change the record. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  ...forRecords('update'),
}

const lists: INodeProperties = {
  displayName: 'Lists of an Existing Record',
  name: 'lists',
  type: 'options',
  default: 'add',
  options: [
    { name: 'Add Values', value: 'add' },
    { name: 'Replace', value: 'replace' },
  ],
  description: 'Whether to add to existing email addresses, tags and other lists, or replace them',
  ...forRecords('upsert'),
}

const onDuplicate: INodeProperties = {
  displayName: 'If the Record Probably Exists',
  name: 'onDuplicate',
  type: 'options',
  default: 'create',
  options: [
    { name: 'Create It Anyway', value: 'create', description: 'Find duplicates later, on the page of duplicates' },
    { name: 'Fail', value: 'fail', description: 'Name the existing record in the error, even if it is only likely' },
    {
      name: 'Return the Existing One',
      value: 'skip',
      description: 'Return it unchanged if it is certainly the same; otherwise, create a record',
    },
    {
      name: 'Update the Existing One',
      value: 'update',
      description: 'Change it to these values if it is certainly the same; otherwise, create a record',
    },
  ],
  description: 'Kith compares names, email addresses, phone numbers and domains, however they are written',
  ...forRecords('create'),
}

const search: INodeProperties[] = [
  {
    displayName: 'Search Terms',
    name: 'words',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'acme berlin',
    description: 'Names, parts of words, email addresses, phone numbers or domains, in any order',
    ...forRecords('search'),
  },
  {
    displayName: 'Object Names or IDs',
    name: 'objects',
    type: 'multiOptions',
    default: [],
    typeOptions: { loadOptionsMethod: 'objects' },
    description:
      'Search all objects, or only these. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    ...forRecords('search'),
  },
]

const filter: INodeProperties = {
  displayName: 'Filter',
  name: 'filter',
  type: 'string',
  default: '',
  placeholder: 'stage = proposal and amount > 10000',
  description: filterHelp,
  displayOptions: { show: { operation: ['getAll', 'aggregate'] } },
}

const paging: INodeProperties[] = [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    ...forRecords('getAll'),
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { resource: ['record'], operation: ['getAll'], returnAll: [false] } },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 50 },
    default: 50,
    description: 'Max number of results to return',
    ...forRecords('search'),
  },
]

const listOptions: INodeProperties = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  ...forRecords('getAll'),
  options: [
    {
      displayName: 'Field Names or IDs',
      name: 'fields',
      type: 'multiOptions',
      default: [],
      typeOptions: { loadOptionsMethod: 'fields', loadOptionsDependsOn: ['object.value'] },
      description:
        'Return only these fields. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    },
    {
      displayName: 'Only Records in the Trash',
      name: 'deleted',
      type: 'boolean',
      default: false,
      description: 'Whether to return only records in the trash',
    },
    {
      displayName: 'Sort',
      name: 'sort',
      type: 'string',
      default: '',
      placeholder: '-amount, organization.name',
      description: 'Fields to sort by, separated by commas; - reverses the order. Default: newest first.',
    },
  ],
}

export const properties: INodeProperties[] = [
  resource,
  recordOperation,
  reportOperation,
  object,
  getBy,
  recordToGet,
  ...byUniqueValue,
  recordToChange,
  recordInTrash,
  values('create', 'add', 'fieldsToCreate'),
  values('update', 'add', 'fieldsToUpdate'),
  values('upsert', 'upsert', 'fieldsToUpsert'),
  fieldsToClear,
  lists,
  onDuplicate,
  ...search,
  filter,
  ...paging,
  listOptions,
  ...aggregate,
  ...inboxProperties,
]
