// The text of each notification, and the page it links to.
import type { NotificationKind } from '../../contract/notifications.ts'
import { pages } from '../../contract/shared/pages.ts'
import type { Summary } from '../dashboards/summary.ts'
import type { Action } from '../engine/schema/subscription.ts'

/** Stored with the notification, so that names stay as they were at that time. */
export type NotificationData = {
  user_invited: { user_id: string; name: string }
  user_joined: { user_id: string; name: string }
  mentioned: MentionedData
  task_due: { object: string; record_id: string; title: string; due: string | null; is_reminder: boolean }
  record_changed_by_agent: ChangedData
  record_assigned: {
    object: string
    label: string
    count: number
    record_id: string
    title: string
    /** The form or rule that did it; left out by earlier versions. */
    by?: string | null
  }
  record_matched: MatchedData
  /** The change sets of one day, from `since` to `until`. */
  duplicates_merged: { label: string; label_plural: string; count: number; since: string; until: string }
  lead_submitted: { object: string; record_id: string; title: string; source: string }
  lead_failed: { source_id: string; source: string; submission_id: string; reason: string }
  lead_overdue: { object: string; label: string; count: number; record_id: string; title: string }
  lead_not_taken: { object: string; record_id: string; title: string }
  lead_not_accepted: {
    object: string
    record_id: string
    title: string
    destination: string
    state: string
    reason: string | null
  }
  lead_returned: { title: string; destination: string }
  conversation_assigned: ConversationData
  message_received: ConversationData & { from: string }
  conversation_overdue: ConversationData & { target: 'response' | 'resolution' }
  conversation_noticed: ConversationData & { rule: string }
  proposal_made: ConversationData & { proposal_id: string; to: string }
  message_failed: ConversationData & { reason: string | null; is_partial?: boolean }
  channel_failing: { channel_id: string; name: string; is_personal: boolean; is_gateway?: boolean; reason: string }
  weekly_summary: Summary
  role_changed: { role: string }
  api_key_added: { name: string; agent?: { id: string; name: string } }
  account_changed: { what: string }
  records_exported: { label_plural: string; count: number }
  mail_changed: { host: string | null }
  webhook_disabled: { webhook_id: string; description: string; host: string; reason: string }
}
/** `person`: who it is with; left out by earlier versions. */
type ConversationData = { conversation_id: string; subject: string; person?: string | null }
type MentionedData =
  | { object: string; record_id: string; title: string; about: string | null; is_reply: boolean }
  | ConversationData
type MatchedData = {
  rule: string
  action: Action
  object: string
  label: string
  count: number
  record_id: string
  title: string
}
/** `key`, `since` and `until` are for gathering: the change sets from the first to the last one that were counted. */
type ChangedData = {
  object: string
  record_id: string
  title: string
  count: number
  key: string
  since: string
  until: string
  isAdmin: boolean
  /** Left out by earlier versions. */
  actor_id?: string | null
}
export type Words = { text: string; link: string }

export function wordsOf<Kind extends NotificationKind>(kind: Kind, data: NotificationData[Kind], actor: string | null) {
  return words[kind](data, actor)
}

const words: { [Kind in NotificationKind]: (data: NotificationData[Kind], actor: string | null) => Words } = {
  user_invited: ({ user_id, name }, actor) => ({
    text: `${actor ?? 'Someone'} invited ${name}`,
    link: member(user_id),
  }),

  user_joined: ({ user_id, name }) => ({ text: `${name} accepted your invitation`, link: member(user_id) }),

  mentioned: (data, actor) => {
    if ('conversation_id' in data)
      return {
        text: `${actor ?? 'Someone'} mentioned you in ${subjectOf(data)}`,
        link: conversationPage(data.conversation_id),
      }
    const { object, record_id, title, about, is_reply } = data
    return {
      text: `${actor ?? 'Someone'} ${is_reply ? 'replied to you' : 'mentioned you'}${about === null ? '' : ` on “${about}”`}: “${title}”`,
      link: recordPage(object, record_id),
    }
  },

  task_due: ({ object, record_id, title, due, is_reminder }) => ({
    text: is_reminder
      ? `Reminder: “${title}”${due ? `, due ${due}` : ''}`
      : `“${title}” is due${due ? ` (${due})` : ''}`,
    link: recordPage(object, record_id),
  }),

  // Others than Admins see only their own keys under Agent activity.
  record_changed_by_agent: ({ object, record_id, title, count, isAdmin, ...counted }, actor) => ({
    text: `${actor ?? 'An agent'} changed ${count === 1 ? `“${title}”` : `${count} of your records`}`,
    link: count === 1 ? recordPage(object, record_id) : isAdmin ? activityOf(counted) : listPage(object),
  }),

  record_assigned: ({ object, label, count, record_id, title, by }, actor) => ({
    text: `${by ? `“${by}”` : (actor ?? 'Kith')} assigned ${count === 1 ? `“${title}”` : `${count} ${label}`} to you`,
    link: count === 1 ? recordPage(object, record_id) : listPage(object),
  }),

  record_matched: ({ rule, action, object, label, count, record_id, title }, actor) => ({
    text: `${rule}: ${actor ?? 'Kith'} ${action} ${count === 1 ? `“${title}”` : `${count} ${label}`}`,
    link: count === 1 ? recordPage(object, record_id) : listPage(object),
  }),

  duplicates_merged: ({ label, label_plural, count, since, until }) => ({
    text: `Kith merged ${count} duplicate ${count === 1 ? label : label_plural}`,
    link: `${pages.activity}?${new URLSearchParams({ key: 'kith', first: since, last: until })}`,
  }),

  lead_submitted: ({ object, record_id, title, source }) => ({
    text: `New lead from ${source}: “${title}”`,
    link: recordPage(object, record_id),
  }),

  lead_failed: ({ source_id, source, submission_id, reason }) => ({
    text: `A submission of “${source}” could not become a lead. ${reason}`,
    link: `${pages.companyLeadSource.replace(':id', source_id)}?${new URLSearchParams({ tab: 'submissions', submission: submission_id })}`,
  }),

  lead_overdue: ({ object, label, count, record_id, title }) => ({
    text: `${count === 1 ? `“${title}”` : `${count} ${label}`} missed the first response target`,
    link: count === 1 ? recordPage(object, record_id) : listPage(object),
  }),

  lead_not_taken: ({ object, record_id, title }) => ({
    text: `The lead “${title}” could not be placed`,
    link: recordPage(object, record_id),
  }),

  lead_not_accepted: ({ object, record_id, title, destination, state, reason }) => ({
    text: `${state === 'unknown' ? `It is unknown whether ${destination} got` : `${destination} did not accept`} the lead “${title}”${reason ? `. ${reason}` : ''}`,
    link: recordPage(object, record_id),
  }),

  lead_returned: ({ title, destination }) => ({
    text: `${destination} returned ${title ? `the lead “${title}”` : 'a lead'}`,
    link: pages.leadSending,
  }),

  conversation_assigned: (data, actor) => ({
    text: `${actor ?? 'Kith'} assigned ${subjectOf(data)} to you`,
    link: conversationPage(data.conversation_id),
  }),

  message_received: ({ from, ...data }) => ({
    text: `${from} wrote in ${subjectOf(data)}`,
    link: conversationPage(data.conversation_id),
  }),

  conversation_overdue: ({ target, ...data }) => ({
    text:
      target === 'response'
        ? `No one has answered ${subjectOf(data)} in time`
        : `${capital(subjectOf(data))} has been open for longer than its target`,
    link: conversationPage(data.conversation_id),
  }),

  conversation_noticed: ({ rule, ...data }) => ({
    text: `The rule “${rule}” notified you about ${subjectOf(data)}`,
    link: conversationPage(data.conversation_id),
  }),

  proposal_made: ({ proposal_id, to, ...data }, actor) => ({
    text: `${actor ?? 'An agent'} proposed a message to ${to} in ${subjectOf(data)}`,
    link: `${conversationPage(data.conversation_id)}?${new URLSearchParams({ proposal: proposal_id })}`,
  }),

  message_failed: ({ reason, is_partial = false, ...data }) => ({
    text: `Your message in ${subjectOf(data)} ${is_partial ? 'did not reach everyone' : 'was not sent'}. ${reason ?? ''}`.trim(),
    link: conversationPage(data.conversation_id),
  }),

  channel_failing: ({ name, is_personal, is_gateway, reason }) => ({
    text: is_gateway
      ? `The channel “${name}” is not working. ${reason}`
      : `The mailbox “${name}” cannot be read. ${reason}`,
    link: is_personal ? section('mailboxes') : pages.companySection.replace(':section', 'channels'),
  }),

  weekly_summary: ({ days }) => ({ text: `Your week: ${days}`, link: pages.dashboard }),

  role_changed: ({ role }, actor) => ({
    text: actor ? `${actor} changed your role to ${role}` : `Your role is now ${role}`,
    link: pages.profile,
  }),

  api_key_added: ({ name, agent }, actor) =>
    agent
      ? { text: `${actor ?? 'Someone'} added the API key “${name}” to ${agent.name}`, link: member(agent.id) }
      : { text: `The API key “${name}” was added to your account`, link: section('api-connectors') },

  records_exported: ({ label_plural, count }, actor) => ({
    text: `${actor ?? 'Kith'} exported ${count.toLocaleString('en')} ${label_plural}`,
    link: pages.companySection.replace(':section', 'audit-log'),
  }),

  mail_changed: ({ host }, actor) => ({
    text: `${actor ?? 'Someone'} ${host ? `set the mail server to ${host}` : 'removed the mail server'}`,
    link: pages.companySection.replace(':section', 'mail'),
  }),

  webhook_disabled: ({ description, host, reason }) => ({
    text: `The webhook ${description ? `“${description}” (${host})` : host} was disabled. ${reason}`,
    link: pages.companySection.replace(':section', 'webhooks'),
  }),

  account_changed: ({ what }) => ({ text: changes[what] ?? 'Your sign-in was changed', link: section('security') }),
}

/** The change sets that were counted, of the agent that made them. */
const activityOf = ({ since, until, actor_id }: Pick<ChangedData, 'since' | 'until' | 'actor_id'>) =>
  `${pages.activity}?${new URLSearchParams({ ...(actor_id && { by: actor_id }), first: since, last: until })}`

const changes: Record<string, string> = {
  password: 'Your password was changed',
  email: 'Your sign-in address was changed',
  two_factor: 'Your two-factor sign-in was changed',
  two_factor_on: 'Two-factor sign-in was turned on',
  two_factor_off: 'Two-factor sign-in was turned off',
  recovery_codes: 'Your recovery codes were renewed',
  passkey: 'Your passkeys were changed',
  passkey_added: 'A passkey was added to your account',
  passkey_deleted: 'A passkey was deleted from your account',
}

const listPage = (object: string) => pages.recordList.replace(':object', object)
const recordPage = (object: string, id: string) => pages.record.replace(':object', object).replace(':id', id)
const conversationPage = (id: string) => pages.conversation.replace(':id', id)
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
const subjectOf = ({ subject, person }: ConversationData) =>
  subject ? `“${subject}”` : person ? `the conversation with ${person}` : 'a conversation'
const member = (id: string) => pages.companyMember.replace(':id', id)
const section = (name: string) => pages.profileSection.replace(':section', name)
export const choicesPage = section('notifications')
