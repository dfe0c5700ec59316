import type { INodeProperties } from 'n8n-workflow'
import { onlyFor } from './only-for.ts'

const sendingTo = (...sendTo: string[]): Pick<INodeProperties, 'displayOptions'> => ({
  displayOptions: { show: { resource: ['message'], operation: ['sendMessage'], sendTo } },
})

const operations: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    ...onlyFor('message'),
    options: [
      {
        name: 'Send',
        value: 'sendMessage',
        description: 'Send a message, or propose it if approval is required',
        action: 'Send a message',
      },
    ],
    default: 'sendMessage',
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    ...onlyFor('conversation'),
    options: [
      {
        name: 'Assign',
        value: 'assignConversation',
        description: 'Assign a conversation to a member, or unassign it',
        action: 'Assign a conversation',
      },
      {
        name: 'Get',
        value: 'getConversation',
        description: 'Get a conversation with its newest messages',
        action: 'Get a conversation',
      },
      {
        name: 'Get Many',
        value: 'getConversations',
        description: 'Get conversations that match a filter',
        action: 'Get many conversations',
      },
      {
        name: 'Update',
        value: 'updateConversation',
        description: 'Close, reopen, snooze or label a conversation',
        action: 'Update a conversation',
      },
    ],
    default: 'getConversations',
  },
]

const message: INodeProperties[] = [
  {
    displayName: 'Send To',
    name: 'sendTo',
    type: 'options',
    ...onlyFor('message', 'sendMessage'),
    options: [
      {
        name: 'Addresses',
        value: 'addresses',
        description: 'Start a conversation with email addresses or phone numbers',
      },
      { name: 'Conversation', value: 'conversation', description: 'Reply to the last sender in a conversation' },
      { name: 'Person', value: 'person', description: 'Write to a person, in their existing chat if there is one' },
    ],
    default: 'conversation',
  },
  {
    displayName: 'Conversation ID',
    name: 'conversation',
    type: 'string',
    required: true,
    default: '',
    description: 'The conversation to reply in',
    ...sendingTo('conversation'),
  },
  {
    displayName: 'Person',
    name: 'person',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    ...sendingTo('person'),
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchPeople', searchable: true },
      },
      { displayName: 'By ID', name: 'id', type: 'string' },
    ],
  },
  {
    displayName: 'To',
    name: 'to',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'ada@example.com',
    description: 'Email addresses, phone numbers with + or addresses of the channel, separated by commas',
    ...sendingTo('addresses'),
  },
  {
    displayName: 'Channel Name or ID',
    name: 'channel',
    type: 'options',
    default: '',
    typeOptions: { loadOptionsMethod: 'channels' },
    description:
      'Optional if there is only one channel. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    ...sendingTo('person', 'addresses'),
  },
  {
    displayName: 'Subject',
    name: 'subject',
    type: 'string',
    default: '',
    description: 'For emails. Leave empty to use the subject of the conversation or template.',
    ...onlyFor('message', 'sendMessage'),
  },
  {
    displayName: 'Text',
    name: 'text',
    type: 'string',
    typeOptions: { rows: 5 },
    default: '',
    description: 'Markdown. Leave empty to use the text of a template.',
    ...onlyFor('message', 'sendMessage'),
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    ...onlyFor('message', 'sendMessage'),
    options: [
      {
        displayName: 'Cc',
        name: 'cc',
        type: 'string',
        default: '',
        description: 'Cc recipients of an email, separated by commas',
      },
      {
        displayName: 'Send At',
        name: 'sendAt',
        type: 'dateTime',
        default: '',
        description: 'Schedule the message for this time',
      },
      {
        displayName: 'Template Name or ID',
        name: 'template',
        type: 'options',
        default: '',
        typeOptions: { loadOptionsMethod: 'templates' },
        description:
          'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
      },
    ],
  },
]

const conversation: INodeProperties[] = [
  {
    displayName: 'Conversation ID',
    name: 'conversation',
    type: 'string',
    required: true,
    default: '',
    ...onlyFor('conversation', 'assignConversation', 'getConversation', 'updateConversation'),
  },
  {
    displayName: 'Assignee Name or ID',
    name: 'assignee',
    type: 'options',
    default: '',
    typeOptions: { loadOptionsMethod: 'users' },
    description:
      'Leave empty to unassign. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    ...onlyFor('conversation', 'assignConversation'),
  },
  {
    displayName: 'State',
    name: 'state',
    type: 'options',
    options: [
      { name: 'Closed', value: 'closed' },
      { name: 'No Change', value: '' },
      { name: 'Open', value: 'open' },
      { name: 'Snoozed', value: 'snoozed' },
    ],
    default: 'closed',
    ...onlyFor('conversation', 'updateConversation'),
  },
  {
    displayName: 'Snoozed Until',
    name: 'snoozedUntil',
    type: 'dateTime',
    required: true,
    default: '',
    description: 'When the conversation reopens',
    displayOptions: { show: { resource: ['conversation'], operation: ['updateConversation'], state: ['snoozed'] } },
  },
  {
    displayName: 'Label Names or IDs to Add',
    name: 'labelsToAdd',
    type: 'multiOptions',
    default: [],
    typeOptions: { loadOptionsMethod: 'labels' },
    description:
      'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    ...onlyFor('conversation', 'updateConversation'),
  },
  {
    displayName: 'Label Names or IDs to Remove',
    name: 'labelsToRemove',
    type: 'multiOptions',
    default: [],
    typeOptions: { loadOptionsMethod: 'labels' },
    description:
      'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    ...onlyFor('conversation', 'updateConversation'),
  },
  {
    displayName: 'Filter',
    name: 'filter',
    type: 'string',
    default: '',
    placeholder: 'state = open and assignee = me',
    description: 'Leave empty for all conversations',
    ...onlyFor('conversation', 'getConversations'),
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 50,
    description: 'Max number of results to return',
    ...onlyFor('conversation', 'getConversations'),
  },
]

export const inboxProperties: INodeProperties[] = [...operations, ...message, ...conversation]
