import * as z from 'zod'
import { operation, pageAnswer } from './operation.ts'
import { id, moment, nothing, page, pageOf } from './shared/shapes.ts'

/** Every kind of notification, and whether it is shown in the app and sent by email by default. */
export const notificationKinds = {
  user_invited: { label: 'Someone was invited', app: true, email: false },
  user_joined: { label: 'Someone accepted your invitation', app: true, email: false },
  mentioned: { label: 'Someone mentioned you or replied to your note', app: true, email: true },
  task_due: { label: 'One of your tasks is due or has a reminder', app: true, email: false },
  record_assigned: { label: 'Records were assigned to you', app: true, email: false },
  record_changed_by_agent: { label: 'An agent changed your records', app: true, email: false },
  record_matched: { label: 'Records matched one of your rules', app: true, email: false },
  duplicates_merged: { label: 'Kith merged duplicates', app: true, email: false },
  lead_submitted: { label: 'A lead came in from a website', app: true, email: true },
  lead_failed: { label: 'A website submission could not become a lead', app: true, email: true },
  lead_overdue: { label: 'One of your leads missed the first response target', app: true, email: false },
  lead_not_taken: { label: 'A lead could not be placed', app: true, email: false },
  lead_not_accepted: { label: 'A destination did not accept a lead', app: true, email: false },
  lead_returned: { label: 'A partner returned a lead', app: true, email: true },
  conversation_assigned: { label: 'A conversation was assigned to you', app: true, email: false },
  message_received: { label: 'A customer replied in one of your conversations', app: true, email: false },
  conversation_overdue: { label: 'A conversation missed its target', app: true, email: false },
  conversation_noticed: { label: 'An inbox rule notified you about a conversation', app: true, email: false },
  proposal_made: { label: 'An agent proposed a message for you to approve', app: true, email: false },
  message_failed: { label: 'One of your messages could not be sent', app: true, email: false },
  channel_failing: { label: 'A mailbox or another channel stopped working', app: true, email: true },
  weekly_summary: { label: 'Weekly summary, every Monday morning', app: false, email: false },
  role_changed: { label: 'Your role was changed', app: true, email: true },
  api_key_added: { label: 'An API key was added to your account', app: true, email: true },
  records_exported: { label: 'Someone exported many records', app: true, email: false },
  mail_changed: { label: "The company's mail settings were changed", app: true, email: false },
  webhook_disabled: { label: 'A webhook was disabled', app: true, email: true },
  account_changed: { label: 'Your password or sign-in was changed', app: true, email: true },
} as const
export type NotificationKind = keyof typeof notificationKinds
const kind = z.enum(Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]])

const token = z.string().min(1).max(300)

export const Notification = z
  .strictObject({
    id,
    at: moment,
    kind,
    text: z.string().describe('What happened, in a sentence'),
    link: z.string().nullable().describe('Path of the related page in the web app'),
    actor_name: z.string().nullable(),
    is_read: z.boolean(),
  })
  .meta({ id: 'Notification' })

export const NotificationChoice = z.strictObject({ kind, app: z.boolean(), email: z.boolean() })

export const notifications = {
  listNotifications: operation({
    summary: 'List your notifications, newest first',
    http: 'GET /notifications',
    replaces: [{ fields: { unread: 'is_unread' } }],
    access: 'member',
    effect: 'read',
    input: z.strictObject({ is_unread: z.boolean().optional().describe('Only unread ones'), ...page }),
    output: pageOf(Notification).extend({ unread_count: z.int() }).meta({ id: 'NotificationPage' }),
  }),
  markNotificationsRead: operation({
    summary: 'Mark notifications as read',
    http: 'POST /notifications/reading',
    access: 'member',
    effect: 'change',
    input: z.strictObject({ ids: z.array(id).min(1).max(100).optional().describe('Omit to mark all as read') }),
    output: z.strictObject({ unread_count: z.int() }),
  }),
  listNotificationChoices: operation({
    summary: 'Get your notification settings',
    http: 'GET /me/notification-choices',
    replaces: [{ name: 'getNotificationChoices' }],
    access: 'member',
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(NotificationChoice) }),
  }),
  getUnsubscribePage: operation({
    summary: 'Show the unsubscribe page that notification emails link to',
    http: 'GET /unsubscribe/:token',
    mount: 'public',
    access: 'public',
    effect: 'read',
    page: true,
    input: z.strictObject({ token }),
    output: pageAnswer,
  }),
  unsubscribe: operation({
    summary: 'Unsubscribe from this kind of notification email (RFC 8058)',
    http: 'POST /unsubscribe/:token',
    mount: 'public',
    access: 'public',
    effect: 'change',
    body: 'form',
    page: true,
    input: z.strictObject({ token, list_unsubscribe: z.string().max(100).optional() }),
    output: pageAnswer,
  }),
  updateNotificationChoices: operation({
    summary: 'Update your notification settings',
    http: 'PATCH /me/notification-choices',
    replaces: [{ name: 'setNotificationChoices', http: 'PUT /me/notification-choices' }],
    access: 'member',
    effect: 'change',
    input: z.strictObject({ items: z.array(NotificationChoice).min(1).max(100) }),
    output: z.strictObject({ items: z.array(NotificationChoice) }),
  }),
}
