import * as z from 'zod'
import { id } from './shapes.ts'

/** What happens in a company, for those who listen: event name -> payload. Written in the transaction that caused it. */
export const events = {
  'company.created': z.strictObject({ name: z.string() }),
  'company.updated': z.strictObject({ name: z.string() }),
  'user.created': z.strictObject({ user_id: id }),
  'user.updated': z.strictObject({ user_id: id }),
  'user.role_changed': z.strictObject({ user_id: id, role: z.string() }),
  'api_key.created': z.strictObject({ api_key_id: id, user_id: id }),
}

export type EventName = keyof typeof events
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>
