import * as z from 'zod'
import type { Tool } from '../server/transports/mcp/catalog.ts'
import { schemaForAgents } from '../server/transports/mcp/tool-schema.ts'

export const input = z.strictObject({
  object: z.enum(['people', 'organizations', 'deals']).describe('Which records'),
  filter: z.string().max(10_000).optional().describe('A filter such as status = active and score > 50'),
  limit: z.int().min(1).max(100).default(20).describe('How many items to return'),
  cursor: z.string().max(500).optional().describe('next_cursor of the page before'),
})
export const output = z.strictObject({
  count: z.int(),
  items: z.array(z.strictObject({ id: z.string(), title: z.string() })),
})
export const answer = { count: 1, items: [{ id: '1', title: 'Acme' }] }
export const names = Array.from({ length: 25 }, (_, i) => `query_things_${i}`)
export const description =
  'Finds records of one object that fit a filter, newest first. Call describe_schema once to learn the fields.'

/** Twenty-five tools as large as ours that do nothing. */
export const benchTools: Tool[] = names.map((name) => ({
  listing: {
    name,
    title: 'Query things',
    description,
    inputSchema: schemaForAgents(input),
    annotations: {
      title: 'Query things',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  access: 'member',
  effect: 'read',
  call: async (args) => {
    input.parse(args)
    const text = JSON.stringify(answer)
    return { content: [{ type: 'text', text }], structuredContent: answer }
  },
}))

/** Reports progress three times, so that the response is an event stream. */
export const streamingTool: Tool = {
  ...benchTools[0]!,
  listing: { ...benchTools[0]!.listing, name: 'stream_things' },
  call: async (args, { notify }) => {
    for (const progress of [1, 2, 3]) notify('notifications/progress', { progressToken: 1, progress, total: 3 })
    return benchTools[0]!.call(args, {} as never)
  },
}
