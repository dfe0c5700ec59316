import * as z from 'zod'

/** Every error a caller can get. Programs can rely on the code; the title is for people. */
export const errors = {
  bad_request: { status: 400, title: 'The request could not be read' },
  unknown_field: { status: 400, title: 'The request contains an unknown field' },
  untrusted_host: { status: 400, title: 'This host name is not allowed' },
  unauthenticated: { status: 401, title: 'Sign in or send a valid API key' },
  invalid_signature: { status: 401, title: 'The signature is not valid' },
  forbidden: { status: 403, title: 'Not allowed' },
  foreign_origin: { status: 403, title: 'Requests from other sites are not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  request_timeout: { status: 408, title: 'The request took too long' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  limit_reached: { status: 409, title: 'A limit has been reached' },
  too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported content type' },
  invalid_input: { status: 422, title: 'Some values are invalid' },
  idempotency_key_reused: { status: 422, title: 'This idempotency key was used for a different request' },
  too_slow: { status: 422, title: 'The request took too long' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const

export type ErrorCode = keyof typeof errors

const integer = z.number().meta({ type: 'integer' })

/** One error in the input: where it is, and what would be valid. */
const FieldError = z.object({
  path: z.string(),
  message: z.string(),
  offset: integer.optional().describe('Position of the error in the text of a filter'),
  length: integer.optional(),
  nearest: z.array(z.string()).optional().describe('Similar valid names'),
  code: z
    .enum(['already_used', 'used_twice', 'duplicate'])
    .optional()
    .describe(
      '`already_used`: another record has this unique value. `used_twice`: two records in this request have it. `duplicate`: the record probably exists',
    ),
  value: z.string().optional().describe('The unique value that is already in use'),
  record: z
    .object({ object: z.string(), id: z.string(), title: z.string() })
    .optional()
    .describe('The record that has this unique value, is probably the same, or into which this one was merged'),
})
export type FieldError = z.output<typeof FieldError>

/** RFC 9457 problem details, plus our code, the request ID and the errors in the input. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: integer,
  detail: z.string().describe('Explanation of the error and how to fix it'),
  code: z.enum(Object.keys(errors) as ErrorCode[]),
  request_id: z.string(),
  errors: z.array(FieldError).optional(),
})
export type Problem = z.output<typeof Problem>
