// A workflow that uses every operation of the action node once.

const locator = (value, mode = 'id') => ({ __rl: true, mode, value })
const people = locator('people', 'key')
const mapped = (value, matchingColumns = []) => ({ mappingMode: 'defineBelow', value, matchingColumns, schema: [] })
const createdId = "={{ $('Create').item.json.id }}"

const conversationId = "={{ $('Send to an address').item.json.conversation_id }}"

const stepsWith = (channelId) => ({
  Create: {
    operation: 'create',
    values: mapped({
      first_name: 'Alan',
      last_name: 'Turing',
      emails: 'alan@example.com, a.turing@example.org',
      phones: '+44 161 496 0000',
      score: 80,
    }),
  },
  Get: { operation: 'get', record: locator(createdId) },
  'Get by email': {
    operation: 'get',
    findBy: 'uniqueValue',
    uniqueField: 'emails',
    uniqueValue: 'A.Turing@example.org',
  },
  Update: {
    operation: 'update',
    record: locator(createdId),
    values: mapped({ job_title: 'Mathematician', birthday: '={{ DateTime.fromISO("1912-06-23") }}' }),
    fieldsToClear: ['score'],
  },
  'Create or update': {
    operation: 'upsert',
    values: mapped({ emails: 'alan@example.com', city: 'Manchester' }, ['emails']),
  },
  Delete: { operation: 'delete', record: locator(createdId) },
  Restore: { operation: 'restore', record: locator(createdId) },
  Search: { operation: 'search', words: 'turing', objects: ['people'], limit: 5 },
  'Get all people': {
    operation: 'getAll',
    filter: 'created_at > -10y',
    returnAll: true,
    options: { fields: ['title', 'owner'], sort: 'title' },
  },
  'Get conversations': { resource: 'conversation', operation: 'getConversations', filter: 'state = open', limit: 5 },
  'Send to an address': {
    resource: 'message',
    operation: 'sendMessage',
    sendTo: 'addresses',
    to: 'pigeon-7',
    channel: channelId,
    text: 'Thank you. We will call you **today**.',
  },
  'Send to a person, later': {
    resource: 'message',
    operation: 'sendMessage',
    sendTo: 'person',
    person: locator(createdId),
    channel: channelId,
    text: 'It decides everything that can be decided.',
    options: { sendAt: '={{ $now.plus({ days: 2 }).toISO() }}' },
  },
  'Send in a conversation': {
    resource: 'message',
    operation: 'sendMessage',
    sendTo: 'conversation',
    conversation: conversationId,
    text: 'Is there anything else?',
  },
  'Get a conversation': { resource: 'conversation', operation: 'getConversation', conversation: conversationId },
  'Assign a conversation': {
    resource: 'conversation',
    operation: 'assignConversation',
    conversation: conversationId,
    assignee: '',
  },
  'Close a conversation': {
    resource: 'conversation',
    operation: 'updateConversation',
    conversation: conversationId,
    state: 'closed',
  },
  'Sum by stage': {
    resource: 'report',
    operation: 'aggregate',
    object: locator('deals', 'key'),
    filter: 'status = open',
    measures: 'count, sum(amount)',
    groupBy: 'stage',
    simplify: true,
    options: { order: '-sum(amount)' },
  },
})

const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} }

/** `channelId`: a channel that programs may send by. */
export function actionsWorkflow(channelId) {
  const nodes = Object.entries(stepsWith(channelId)).map(([name, parameters]) => ({
    name,
    type: 'n8n-nodes-kith.kith',
    typeVersion: 1,
    parameters: { resource: 'record', object: people, ...parameters },
    // Each step reads from "Create", so that it runs once whatever the step before returned.
    executeOnce: true,
  }))
  const all = [start, ...nodes].map((node, index) => ({ ...node, id: `step-${index}`, position: [index * 200, 0] }))
  const linked = all
    .slice(1)
    .map(({ name }, index) => [all[index].name, { main: [[{ node: name, type: 'main', index: 0 }]] }])
  return {
    name: 'Kith: every operation',
    nodes: all,
    connections: Object.fromEntries(linked),
    settings: { executionOrder: 'v1' },
  }
}
