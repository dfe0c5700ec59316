import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'
import { eventTypes } from '../../kith/events.ts'

const events: INodePropertyOptions[] = [
  { name: 'Any Event', value: '*' },
  ...Object.entries(eventTypes).map(([value, name]) => ({ name, value })),
]

export const properties: INodeProperties[] = [
  {
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    required: true,
    default: ['record.created'],
    options: events,
    description: 'Events that start the workflow',
  },
  {
    displayName: 'Object Name or ID',
    name: 'object',
    type: 'options',
    default: '',
    typeOptions: { loadOptionsMethod: 'objects' },
    description:
      'Only records of this object; leave empty for all. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
  {
    displayName: 'Filter',
    name: 'filter',
    type: 'string',
    default: '',
    placeholder: 'amount > 10000 and owner is not empty',
    description: "Only records that match this filter, in Kith's filter language. Requires an object.",
  },
  {
    displayName: 'When Testing',
    name: 'whenTesting',
    type: 'options',
    default: 'sample',
    description: 'What to do when you test this step in the editor',
    options: [
      { name: 'Get a Sample', value: 'sample', description: 'Kith immediately sends a test event from a real record' },
      { name: 'Wait for an Event', value: 'wait', description: 'Change a record in Kith to continue' },
    ],
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Apply Filter To',
        name: 'filterOn',
        type: 'options',
        default: 'after',
        options: [
          { name: 'Record After the Change', value: 'after' },
          { name: 'Record Before the Change', value: 'before' },
        ],
      },
      {
        displayName: 'Field Names or IDs',
        name: 'fields',
        type: 'multiOptions',
        default: [],
        typeOptions: { loadOptionsMethod: 'fields', loadOptionsDependsOn: ['object'] },
        description:
          'Send only these record fields. Requires an object. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
      },
      {
        displayName: 'In Order',
        name: 'inOrder',
        type: 'boolean',
        default: false,
        description: 'Whether events of a record wait until earlier ones are delivered',
      },
      {
        displayName: 'Skip Bulk Changes',
        name: 'skipBulk',
        type: 'boolean',
        default: false,
        description: 'Whether to ignore imports, bulk changes and calls that change several records',
      },
    ],
  },
]
