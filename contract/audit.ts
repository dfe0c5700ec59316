import * as z from 'zod'
import { fileAnswer, operation } from './operation.ts'
import { pointInTime } from './shared/point-in-time.ts'
import { id, moment, page, pageOf } from './shared/shapes.ts'

/** Every action the audit log records. */
export const auditActions = [
  'company.created',
  'company.updated',
  'user.created',
  'user.updated',
  'user.email_change_requested',
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
  'user.invited',
  'user.joined',
  'user.deactivated',
  'user.reactivated',
  'user.removed',
  'role.created',
  'role.updated',
  'role.deleted',
  'reset_link.created',
  'password.reset',
  'password.reset_requested',
  'two_factor.turned_on',
  'two_factor.turned_off',
  'two_factor.refused',
  'recovery_codes.renewed',
  'recovery_code.used',
  'passkey.added',
  'passkey.deleted',
  'mail.changed',
  'mail.tested',
  'audit.exported',
  'audit.pruned',
  'schema.updated',
  'records.purged',
  'records.exported',
  'records.imported',
  'file.uploaded',
  'file.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.paused',
  'webhook.resumed',
  'webhook.secret_replaced',
  'lead_source.created',
  'lead_source.updated',
  'lead_source.deleted',
  'lead_settings.updated',
  'duplicate_settings.updated',
  'lead_destination.created',
  'lead_destination.updated',
  'lead_destination.deleted',
  'lead_destination.tested',
  'lead_route.created',
  'lead_route.updated',
  'lead_route.deleted',
  'lead_routes.ordered',
  'inbox_rule.created',
  'inbox_rule.updated',
  'inbox_rule.deleted',
  'inbox_rules.ordered',
  'working_hours.updated',
  'lead_sending.updated',
  'lead.sent',
  'lead_delivery.settled',
  'lead_return.decided',
  'channel.connected',
  'channel.updated',
  'channel.disconnected',
  'channel.secret_changed',
  'opt_out.removed',
] as const
export type AuditAction = (typeof auditActions)[number]

export const doors = ['web', 'rest', 'mcp', 'import', 'lead_form', 'inbox', 'automation', 'public'] as const
export const via = z.enum(doors)
/** The name of `via` in version 0.2, kept for existing clients. */
export const door = via.describe('Deprecated: use via').meta({ deprecated: true, forAgents: 'hidden' })

export const AuditEvent = z
  .strictObject({
    id,
    at: moment,
    action: z.string(),
    actor_id: id.nullable(),
    actor_name: z.string().nullable(),
    via,
    door,
    api_key_id: id.nullable(),
    target_id: id.nullable(),
    target_name: z.string().nullable().describe('Name of the affected user, role or key'),
    ip: z.string().nullable(),
    request_id: z.string(),
    data: z.record(z.string(), z.unknown()).describe('Details of the action'),
  })
  .meta({ id: 'AuditEvent' })

const problemKinds = ['changed', 'removed', 'added'] as const

export const AuditVerification = z
  .strictObject({
    ok: z.boolean().describe('Whether the log is unchanged since it was sealed'),
    problems: z
      .array(
        z.strictObject({
          kind: z.enum(problemKinds),
          position: z.int().nullable().describe('Position in the chain; null: not sealed yet'),
          event_id: id.nullable().describe('null: the event is missing'),
          at: moment.nullable(),
        }),
      )
      .describe('Tampered events, oldest first; at most 20'),
    sealed: z.int().describe('Sealed events in the log'),
    waiting: z.int().describe('Events not sealed yet; they are sealed within minutes'),
    removed: z.int().describe('Sealed events removed by data retention'),
    erased: z.int().describe('Sealed events whose IP address and data were erased'),
    newest_seal: z
      .strictObject({ position: z.int(), hash: z.string(), at: moment })
      .nullable()
      .describe('Store a copy of this hash elsewhere to prove later that the log up to this point is unchanged'),
  })
  .meta({ id: 'AuditVerification' })
export type AuditVerification = z.output<typeof AuditVerification>

// A string, not an enum: listing every action would double what an agent has to read about this tool.
const action = z.string().refine((name): name is AuditAction => auditActions.includes(name as AuditAction), {
  error: () => `Use one of: ${auditActions.join(', ')}`,
})

const filter = {
  action: action.optional().describe('e.g. session.refused or user.role_changed'),
  actor_id: id.optional().describe('By this user'),
  target_id: id.optional().describe('About this user, key or role'),
  request_id: z.string().max(100).optional().describe('From this request'),
  since: pointInTime.optional().describe('At or after this time: 2026-06-15T12:00:00Z, -2h or yesterday'),
  until: pointInTime.optional().describe('Before this time'),
}

export const audit = {
  listAuditEvents: operation({
    summary: 'List audit log events, newest first',
    http: 'GET /audit-events',
    replaces: [{ name: 'queryAuditLog' }],
    access: 'audit.read',
    effect: 'read',
    input: z.strictObject({ ...filter, ...page }),
    output: pageOf(AuditEvent).meta({ id: 'AuditEventPage' }),
    tool: 'Lists sign-ins, denied requests and changes to keys, roles and settings. For changes to records, use list_changes.',
  }),
  exportAuditLog: operation({
    summary: 'Export the audit log as CSV, newest first',
    http: 'GET /audit-events/export',
    access: 'audit.read',
    effect: 'read',
    file: 'text/csv',
    input: z.strictObject(filter),
    output: fileAnswer,
  }),
  verifyAuditLog: operation({
    summary: 'Verify that the audit log has not been tampered with',
    http: 'GET /audit-events/verification',
    access: 'audit.read',
    effect: 'read',
    input: z.strictObject({}),
    output: AuditVerification,
  }),
}
