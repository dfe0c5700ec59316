import * as z from 'zod'
import { operation, pageAnswer } from './operation.ts'
import { id, moment, nothing, page, pageOf } from './shared/shapes.ts'

const token = z.string().min(1).max(1000)

const OptOut = z.strictObject({ id, address: z.string(), at: moment }).meta({ id: 'OptOut' })

/**
 * Unsubscribe links of messages. An opt-out applies to the address, and sets “Do not contact” on the
 * person who has it, or gets it later.
 */
export const optOuts = {
  getOptOutPage: operation({
    summary: 'Show the unsubscribe page of a message',
    http: 'GET /opt-out/:token',
    mount: 'public',
    access: 'public',
    effect: 'read',
    page: true,
    input: z.strictObject({ token }),
    output: pageAnswer,
  }),
  optOut: operation({
    summary: 'Unsubscribe an address from messages (RFC 8058)',
    http: 'POST /opt-out/:token',
    mount: 'public',
    access: 'public',
    effect: 'change',
    body: 'form',
    page: true,
    input: z.strictObject({ token, list_unsubscribe: z.string().max(100).optional() }),
    output: pageAnswer,
  }),
  listOptOuts: operation({
    summary: 'List addresses that unsubscribed from messages, newest first',
    http: 'GET /opt-outs',
    access: 'member',
    effect: 'read',
    input: z.strictObject({ address: z.string().trim().toLowerCase().max(320).optional(), ...page }),
    output: pageOf(OptOut).meta({ id: 'OptOutPage' }),
  }),
  deleteOptOut: operation({
    summary:
      'Allow messages to an address again, with the consent of its owner. Requires permission to edit all people',
    http: 'DELETE /opt-outs/:id',
    access: 'member',
    effect: 'destroy',
    input: z.strictObject({ id: id.describe('Opt-out ID') }),
    output: nothing,
  }),
}
