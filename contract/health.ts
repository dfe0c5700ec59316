import * as z from 'zod'
import { operation } from './operation.ts'
import { nothing } from './shared/shapes.ts'

export const health = {
  getHealth: operation({
    summary: 'Check that the server and its database respond',
    http: 'GET /health',
    mount: 'public',
    access: 'public',
    effect: 'read',
    cors: 'any',
    input: nothing,
    output: z.strictObject({ status: z.literal('ok') }),
  }),
}
