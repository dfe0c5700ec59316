import * as z from 'zod'
import { door, via } from './audit.ts'
import { operation } from './operation.ts'
import { id, moment, page, pageOf } from './shared/shapes.ts'

export const RequestEntry = z
  .strictObject({
    request_id: id,
    at: moment,
    via,
    door,
    method: z.string(),
    route: z.string().describe('Route pattern without values'),
    operation: z.string().nullable(),
    status: z.int(),
    duration_ms: z.number(),
    user_id: id.nullable(),
    user_name: z.string().nullable(),
    api_key_id: id.nullable(),
    client: z.string().nullable(),
    trace_id: z.string().nullable().describe('From the traceparent header, or traceparent in _meta of an MCP message'),
    error_code: z.string().nullable(),
  })
  .meta({ id: 'RequestEntry' })

export const requests = {
  listRequests: operation({
    summary: "List the company's requests, newest first",
    http: 'GET /requests',
    access: 'requests.read',
    effect: 'read',
    input: z.strictObject({
      request_id: id.optional().describe('The x-request-id of a response'),
      trace_id: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .optional()
        .describe('Only requests of this trace'),
      user_id: id.optional().describe('Only requests by this user'),
      api_key_id: id.optional().describe('Only requests with this key'),
      status: z.enum(['ok', 'refused', 'failed']).optional().describe('ok: below 400; refused: 4xx; failed: 5xx'),
      ...page,
    }),
    output: pageOf(RequestEntry).meta({ id: 'RequestEntryPage' }),
  }),
}
