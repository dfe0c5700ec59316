// What Kith sends to webhooks, as the OpenAPI document describes it.
import { exampleId } from '../../../contract/document/examples.ts'
import { type WebhookEventType, type WebhookPayload, webhookEventTypes } from '../../../contract/record-events.ts'
import { ref } from './schemas.ts'

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

/** The headers of Standard Webhooks. */
const parameters = [
  header('webhook-id', 'The ID of the event. Use it to ignore repeats', `evt_${exampleId}`),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970', '1794824400'),
  header(
    'webhook-signature',
    'One or more signatures of ID, time and body',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

export const webhookEvents = () =>
  Object.fromEntries(
    Object.entries(webhookEventTypes).map(([type, summary]) => [
      type,
      {
        post: {
          operationId: `receive-${type.replace(/[._]/g, '-')}`,
          tags: ['webhooks'],
          summary,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: ref('WebhookPayload'), example: exampleEvent(type as WebhookEventType) },
            },
          },
          responses: {
            '2XX': { description: 'Received. Any other response, including a redirect, is retried' },
            '410': { description: 'No longer wanted: the webhook is disabled' },
          },
        },
      },
    ]),
  )

function exampleEvent(type: WebhookEventType): WebhookPayload {
  if (/^(conversation|message)\./.test(type)) return exampleOfInbox(type)
  const isDeal = type.startsWith('deal.')
  const object = isDeal ? 'deals' : 'people'
  const to = type === 'deal.won' ? 'won' : type === 'deal.lost' ? 'lost' : 'proposal'
  const fields: WebhookPayload['fields'] = isDeal
    ? { stage: { from: 'qualified', to } }
    : { city: { from: null, to: 'London' } }
  const isChange = isDeal || type === 'record.updated'
  const record = isDeal
    ? {
        id: exampleId,
        version: 4,
        title: 'Website relaunch',
        stage: to,
        amount: { amount: '12000.00', currency: 'EUR' },
      }
    : { id: exampleId, version: 4, title: 'Ada Lovelace', emails: ['ada@example.com'], city: 'London' }
  return {
    id: `evt_${exampleId}`,
    type,
    at: '2026-11-16T09:00:00Z',
    company: { id: exampleId, name: 'Acme Industries' },
    principal: {
      kind: 'user',
      id: exampleId,
      name: 'Grace Hopper',
      via: 'mcp',
      api_key_id: exampleId,
      api_key_name: 'Claude Desktop',
      client: 'claude-ai 1.0',
    },
    object,
    record_id: exampleId,
    version: 4,
    record,
    changed_fields: isChange ? Object.keys(fields) : [],
    fields: isChange ? fields : {},
    change_set_id: exampleId,
    bulk: false,
    link: `https://crm.example.com/records/${object}/${exampleId}`,
    is_shortened: false,
    replay: false,
    test: false,
  }
}

function exampleOfInbox(type: WebhookEventType): WebhookPayload {
  const direction = type === 'message.received' ? 'in' : 'out'
  const state = type === 'message.failed' ? 'failed' : direction === 'in' ? 'received' : 'sent'
  return {
    ...exampleEvent('record.created'),
    type,
    object: 'conversations',
    record: {
      id: exampleId,
      subject: 'Your offer',
      state: type === 'conversation.closed' ? 'closed' : 'open',
      channel_id: exampleId,
      channel_name: 'Support',
      assignee_id: exampleId,
      message: type.startsWith('message.') ? { id: exampleId, direction, state } : null,
    },
    link: `https://crm.example.com/inbox/${exampleId}`,
  }
}
