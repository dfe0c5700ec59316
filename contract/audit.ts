import * as z from 'zod'
import { operation } from './operation.ts'
import { id, moment, page, pageOf } from './shapes.ts'

/** Everything the audit log can say. */
export const auditActions = [
  'company.created',
  'company.updated',
  'user.created',
  'user.updated',
  'session.started',
  'session.refused',
  'session.throttled',
  'session.ended',
  'sessions.ended',
  'password.changed',
  'access.refused',
  'user.role_changed',
  'api_key.created',
  'api_key.renamed',
  'api_key.deleted',
] as const
export type AuditAction = (typeof auditActions)[number]

export const doors = ['web', 'rest', 'mcp', 'import', 'lead_form', 'inbox', 'automation'] as const

export const AuditEvent = z
  .strictObject({
    id,
    at: moment,
    action: z.string(),
    actor_id: id.nullable(),
    actor_name: z.string().nullable(),
    door: z.enum(doors),
    api_key_id: id.nullable(),
    target_id: id.nullable(),
    ip: z.string().nullable(),
    request_id: z.string(),
    data: z.record(z.string(), z.unknown()).describe('What it was about'),
  })
  .meta({ id: 'AuditEvent' })

export const audit = {
  queryAuditLog: operation({
    summary: 'Read the audit log, newest first',
    http: 'GET /audit-events',
    access: 'audit.read',
    effect: 'read',
    input: z.strictObject({
      action: z.enum(auditActions).optional().describe('Only this'),
      actor_id: id.optional().describe('By this user'),
      request_id: z.string().max(100).optional().describe('Of this request'),
      since: moment.optional().describe('From then on'),
      until: moment.optional().describe('Before then'),
      ...page,
    }),
    output: pageOf(AuditEvent).meta({ id: 'AuditEventPage' }),
    tool: 'Sign-ins, refusals, keys, roles and settings of the company. For changes of records use list_changes.',
  }),
}
