import * as z from 'zod'
import { operation, pageAnswer } from './operation.ts'

const token = z.string().min(1).max(1000)

/** The links of messages with which recipients unsubscribe. They set “Do not contact” on the person. */
export const optOuts = {
  getOptOutPage: operation({
    summary: 'Show the page with which recipients of messages unsubscribe',
    http: 'GET /opt-out/:token',
    mount: 'public',
    access: 'public',
    effect: 'read',
    page: true,
    input: z.strictObject({ token }),
    output: pageAnswer,
  }),
  optOut: operation({
    summary: 'Unsubscribe from messages (RFC 8058): sets “Do not contact” on the person',
    http: 'POST /opt-out/:token',
    mount: 'public',
    access: 'public',
    effect: 'change',
    body: 'form',
    page: true,
    input: z.strictObject({ token, list_unsubscribe: z.string().max(100).optional() }),
    output: pageAnswer,
  }),
}
