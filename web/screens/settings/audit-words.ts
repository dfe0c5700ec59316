import type { AuditAction } from '../../../contract/audit.ts'
import { asNumber } from '../../ui/text/numbers.ts'

export type Told = {
  data: Record<string, unknown>
  /** The name of the user it is about; "themselves" if they are also the actor. */
  target: string
  /** The same as an owner: "Mia's", "their own". */
  targets: string
  /** The name of the user it is about, if that is not the actor. */
  other: string
  nameOf: (id: unknown) => string
  /** Is this user the one who did it? */
  isActor: (id: unknown) => boolean
}

type Words = { label: string; sentence: (told: Told) => string }

/** What happened: as a choice in the filter, and as the rest of a sentence that begins with who did it. */
export const auditWords: Record<AuditAction, Words> = {
  'session.started': { label: 'Signed in', sentence: () => 'signed in' },
  'session.refused': { label: 'Sign-in failed', sentence: () => 'failed to sign in' },
  'session.throttled': { label: 'Sign-in slowed down', sentence: () => 'tried to sign in too often and has to wait' },
  'session.ended': { label: 'Signed out', sentence: () => 'signed out' },
  'sessions.ended': { label: 'Signed out everywhere', sentence: () => 'signed out everywhere' },
  'password.changed': { label: 'Password changed', sentence: () => 'changed their password' },
  'password.reset_requested': {
    label: 'Reset link requested',
    sentence: ({ targets }) => `asked for a link to reset ${targets} password`,
  },
  'password.reset': { label: 'Password reset', sentence: () => 'set a new password with a link' },
  'reset_link.created': { label: 'Reset link created', sentence: ({ target }) => `created a reset link for ${target}` },
  'two_factor.turned_on': { label: 'Two-factor turned on', sentence: () => 'turned on two-factor sign-in' },
  'two_factor.turned_off': {
    label: 'Two-factor turned off',
    sentence: ({ other }) => `turned off two-factor sign-in${other && ` of ${other}`}`,
  },
  'two_factor.refused': {
    label: 'Two-factor code rejected',
    sentence: () => 'entered a wrong two-factor code',
  },
  'recovery_codes.renewed': { label: 'Recovery codes renewed', sentence: () => 'renewed their recovery codes' },
  'recovery_code.used': { label: 'Recovery code used', sentence: () => 'signed in with a recovery code' },
  'passkey.added': { label: 'Passkey added', sentence: ({ data }) => `added the passkey${named(data.name)}` },
  'passkey.deleted': { label: 'Passkey deleted', sentence: ({ data }) => `deleted the passkey${named(data.name)}` },
  'schema.updated': {
    label: 'Objects and fields',
    sentence: ({ data }) => `changed the fields of ${String(data.object)}`,
  },
  'file.uploaded': { label: 'File uploaded', sentence: ({ data }) => `uploaded the file ${String(data.name)}` },
  'file.deleted': { label: 'File deleted', sentence: ({ data }) => `deleted the file ${String(data.name)}` },
  'records.purged': { label: 'Records purged', sentence: ({ data }) => `deleted ${String(data.object)} permanently` },
  'records.exported': {
    label: 'Records exported',
    sentence: ({ data }) => `exported ${asNumber(Number(data.rows))} ${String(data.object)}`,
  },
  'records.imported': {
    label: 'Records imported',
    sentence: ({ data }) => `started to import ${String(data.file)} into ${String(data.object)}`,
  },
  'user.invited': { label: 'Invited', sentence: ({ target }) => `invited ${target}` },
  'user.joined': { label: 'Joined', sentence: () => 'accepted the invitation and joined' },
  'user.created': { label: 'User added', sentence: ({ target, data }) => `added ${target}${as(data.role)}` },
  'user.updated': { label: 'User changed', sentence: ({ targets, data }) => `changed ${targets} ${fields(data)}` },
  'user.email_change_requested': {
    label: 'New sign-in address requested',
    sentence: ({ targets }) => `asked to change ${targets} sign-in address`,
  },
  'user.role_changed': {
    label: 'Role of a user changed',
    sentence: ({ targets, data }) => `changed ${targets} role from ${data.from} to ${data.to}`,
  },
  'user.deactivated': {
    label: 'User deactivated',
    sentence: (told) => `deactivated ${told.target}${successor(told)}`,
  },
  'user.reactivated': { label: 'User reactivated', sentence: ({ target }) => `reactivated ${target}` },
  'user.removed': {
    label: 'User removed',
    sentence: (told) => `removed ${told.data.name ?? told.target}${successor(told)}`,
  },
  'role.created': { label: 'Role created', sentence: ({ data }) => `created the role${named(data.name)}` },
  'role.updated': { label: 'Role changed', sentence: ({ data }) => `changed the role${named(data.name)}` },
  'role.deleted': { label: 'Role deleted', sentence: ({ data }) => `deleted the role${named(data.name)}` },
  'api_key.created': {
    label: 'Key created',
    sentence: ({ data, nameOf, isActor }) =>
      `created the key${named(data.name)}${isActor(data.owner_id) ? '' : ` for ${nameOf(data.owner_id)}`}`,
  },
  'api_key.renamed': {
    label: 'Key renamed',
    sentence: ({ data }) => `renamed the key${named(data.from)} to${named(data.to)}`,
  },
  'api_key.deleted': {
    label: 'Key deleted',
    sentence: ({ data, nameOf, isActor }) =>
      isActor(data.owner_id) ? 'deleted one of their keys' : `deleted a key of ${nameOf(data.owner_id)}`,
  },
  'company.created': { label: 'Company created', sentence: ({ data }) => `set up the company${named(data.name)}` },
  'company.updated': { label: 'Company changed', sentence: ({ data }) => `changed the company's ${fields(data)}` },
  'mail.changed': {
    label: 'Mail server changed',
    sentence: ({ data }) => (data.removed ? 'removed the mail server' : `set the mail server to ${data.host}`),
  },
  'mail.tested': {
    label: 'Mail tested',
    sentence: ({ data }) => (data.sent === false ? 'tried to send a test email, which failed' : 'sent a test email'),
  },
  'lead_source.created': {
    label: 'Lead source created',
    sentence: ({ data }) => `created the lead source ${String(data.name)}`,
  },
  'lead_source.updated': {
    label: 'Lead source changed',
    sentence: ({ data }) => `changed the lead source ${String(data.name)}`,
  },
  'lead_source.deleted': {
    label: 'Lead source deleted',
    sentence: ({ data }) => `deleted the lead source ${String(data.name)}`,
  },
  'lead_settings.updated': { label: 'Lead settings changed', sentence: () => 'changed the lead settings' },
  'duplicate_settings.updated': {
    label: 'Duplicate settings changed',
    sentence: () => 'changed which duplicates are merged automatically',
  },
  'lead_destination.created': {
    label: 'Lead destination created',
    sentence: ({ data }) => `created the lead destination ${String(data.name)}`,
  },
  'lead_destination.updated': {
    label: 'Lead destination changed',
    sentence: ({ data }) => `changed the lead destination ${String(data.name)}`,
  },
  'lead_destination.deleted': {
    label: 'Lead destination deleted',
    sentence: ({ data }) => `deleted the lead destination ${String(data.name)}`,
  },
  'lead_destination.tested': {
    label: 'Lead destination tested',
    sentence: ({ data }) => `sent a test to the lead destination ${String(data.name)}`,
  },
  'lead_route.created': {
    label: 'Lead route created',
    sentence: ({ data }) => `created the lead route ${String(data.name)}`,
  },
  'lead_route.updated': {
    label: 'Lead route changed',
    sentence: ({ data }) => `changed the lead route ${String(data.name)}`,
  },
  'lead_route.deleted': {
    label: 'Lead route deleted',
    sentence: ({ data }) => `deleted the lead route ${String(data.name)}`,
  },
  'lead_routes.ordered': { label: 'Lead routes reordered', sentence: () => 'changed the order of the lead routes' },
  'inbox_rule.created': {
    label: 'Inbox rule created',
    sentence: ({ data }) => `created the inbox rule ${String(data.name)}`,
  },
  'inbox_rule.updated': {
    label: 'Inbox rule changed',
    sentence: ({ data }) => `changed the inbox rule ${String(data.name)}`,
  },
  'inbox_rule.deleted': {
    label: 'Inbox rule deleted',
    sentence: ({ data }) => `deleted the inbox rule ${String(data.name)}`,
  },
  'inbox_rules.ordered': { label: 'Inbox rules reordered', sentence: () => 'changed the order of the inbox rules' },
  'working_hours.updated': {
    label: 'Working hours changed',
    sentence: ({ data }) => `changed working hours or targets${data.channel ? ` of ${String(data.channel)}` : ''}`,
  },
  'lead_sending.updated': {
    label: 'Lead sending settings changed',
    sentence: () => 'changed how unplaced leads are handled',
  },
  'lead.sent': { label: 'Lead sent', sentence: () => 'sent a lead' },
  'lead_delivery.settled': {
    label: 'Lead delivery resolved',
    sentence: ({ data }) => `marked a lead delivery as ${String(data.state)}`,
  },
  'lead_return.decided': {
    label: 'Lead return accepted or declined',
    sentence: ({ data }) => `${String(data.state)} the return of a lead`,
  },
  'channel.connected': {
    label: 'Mailbox connected',
    sentence: ({ data }) => `connected the mailbox ${String(data.address)}`,
  },
  'opt_out.removed': {
    label: 'Opt-out removed',
    sentence: ({ data }) => `allowed messages to ${String(data.address)} again`,
  },
  'channel.updated': { label: 'Channel changed', sentence: () => 'changed a channel' },
  'channel.secret_changed': {
    label: 'Channel secret rotated',
    sentence: () => 'rotated the secret of a channel',
  },
  'channel.disconnected': {
    label: 'Mailbox disconnected',
    sentence: ({ data }) =>
      `disconnected the mailbox ${String(data.address)}${data.messages === 'delete' ? ' and deleted its messages' : ''}`,
  },
  'webhook.created': { label: 'Webhook created', sentence: ({ data }) => `created a webhook to ${String(data.host)}` },
  'webhook.updated': {
    label: 'Webhook changed',
    sentence: ({ data }) => `changed the webhook to ${String(data.host)}`,
  },
  'webhook.deleted': {
    label: 'Webhook deleted',
    sentence: ({ data }) => `deleted the webhook to ${String(data.host)}`,
  },
  'webhook.paused': { label: 'Webhook paused', sentence: ({ data }) => `paused the webhook to ${String(data.host)}` },
  'webhook.resumed': {
    label: 'Webhook resumed',
    sentence: ({ data }) => `resumed the webhook to ${String(data.host)}`,
  },
  'webhook.secret_replaced': {
    label: 'Webhook secret rotated',
    sentence: ({ data }) => `rotated the signing secret of the webhook to ${String(data.host)}`,
  },
  'audit.exported': { label: 'Audit log exported', sentence: () => 'exported the audit log' },
  'audit.pruned': {
    label: 'Audit log trimmed',
    sentence: ({ data }) => `removed ${data.removed} expired events from the audit log`,
  },
  'access.refused': { label: 'Not allowed', sentence: () => 'tried an action that their role does not allow' },
}

/** By the nouns of their actions; the last group has all others. */
const groups: [group: string, nouns: string[]][] = [
  ['Signing in', ['session', 'sessions', 'recovery_code']],
  ['Passwords and two-factor sign-in', ['password', 'reset_link', 'two_factor', 'recovery_codes', 'passkey']],
  ['Members and roles', ['user', 'role']],
  ['Keys', ['api_key']],
  ['Company', []],
]

const groupOf = (action: string) => groups.find(([, nouns]) => nouns.includes(action.split('.')[0]!)) ?? groups.at(-1)

export const auditGroups = groups.map((one) => ({
  group: one[0],
  actions: (Object.keys(auditWords) as AuditAction[]).filter((action) => groupOf(action) === one),
}))

/** An action that this page does not know yet is shown as it is called. */
export const sentenceOf = (action: string, told: Told) =>
  action in auditWords ? auditWords[action as AuditAction].sentence(told) : action.replaceAll(/[._]/g, ' ')

const named = (name: unknown) => (name ? ` “${name}”` : '')
const as = (role: unknown) => (role ? ` as ${role}` : '')

function successor({ data: { reassign_to: id }, nameOf, isActor }: Told) {
  if (!id) return ''
  return isActor(id) ? ' and took over the records' : `; the records went to ${nameOf(id)}`
}

function fields({ fields }: Told['data']) {
  const names = Array.isArray(fields)
    ? fields.map((field) => fieldNames[field] ?? String(field).replaceAll('_', ' '))
    : []
  return names.length ? new Intl.ListFormat('en').format(names) : 'details'
}

const fieldNames: Record<string, string> = {
  logo_id: 'logo',
  picture_id: 'picture',
  rates: 'exchange rates',
  first_weekday: 'first day of the week',
  audit_days: 'retention of the audit log',
  request_days: 'retention of requests',
  trash_days: 'retention of deleted records',
}
