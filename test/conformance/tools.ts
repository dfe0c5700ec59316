import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../server/kernel/app-error.ts'
import type { Answer, Call, Json, Tool } from '../../server/transports/mcp/catalog.ts'
import { errorResult } from '../../server/transports/mcp/tool-errors.ts'
import { embedded, image, text, wav } from './samples.ts'

const nothing = { type: 'object', properties: {}, additionalProperties: false }

export const tool = (
  name: string,
  description: string,
  answer: (call: Call) => Json | Answer | Promise<Json>,
  inputSchema: Json = nothing,
): Tool => ({
  listing: { name, description, inputSchema },
  access: 'member',
  effect: 'read',
  call: async (_args, call) => answer(call),
})
export const said = (words: string): Json => ({ content: [text(words)] })

async function countProgress({ meta, notify }: Call) {
  const { progressToken } = meta
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) notify('notifications/progress', { progressToken, progress, total: 100 })
    await sleep(50)
  }
  return said('All of it is done.')
}

function logIfAsked({ meta, notify }: Call) {
  const level = meta['io.modelcontextprotocol/logLevel']
  if (level !== undefined) notify('notifications/message', { level, data: 'You asked for it.' })
  return said('Logs only when asked to.')
}

const fullVocabulary = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

export const tools: Tool[] = [
  tool('test_simple_text', 'Answers with text', () => said('This is a simple text response for testing.')),
  tool('test_image_content', 'Answers with a picture', () => ({ content: [image] })),
  tool('test_audio_content', 'Answers with a sound', () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', 'Answers with a resource', () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  tool('test_multiple_content_types', 'Answers with several kinds of content', () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  tool('test_error_handling', 'Always fails', ({ caller }) =>
    errorResult(new AppError('conflict', 'This tool intentionally returns an error for testing'), caller.request_id),
  ),
  tool('test_tool_with_progress', 'Tells how far it is', countProgress),
  tool('test_logging_tool', 'Logs only when asked to', logIfAsked),
  tool('json_schema_2020_12_tool', 'Uses all of JSON Schema', () => said('Well described.'), fullVocabulary),
]
