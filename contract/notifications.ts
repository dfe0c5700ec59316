import * as z from 'zod'
import { operation } from './operation.ts'
import { id, moment, nothing, page, pageOf } from './shapes.ts'

/** What people are told about, and where unless they choose otherwise. Later areas add their kinds. */
export const notificationKinds = {
  user_invited: { label: 'Somebody was invited', app: true, email: false },
  user_joined: { label: 'Somebody accepted an invitation of yours', app: true, email: false },
  role_changed: { label: 'Your role was changed', app: true, email: true },
  api_key_added: { label: 'A key was added to your account', app: true, email: true },
  mail_changed: { label: 'The mail server of the company was changed', app: true, email: false },
  account_changed: { label: 'Your password or sign-in was changed', app: true, email: true },
} as const
export type NotificationKind = keyof typeof notificationKinds
const kind = z.enum(Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]])

export const Notification = z
  .strictObject({
    id,
    at: moment,
    kind,
    text: z.string().describe('In words'),
    link: z.string().nullable().describe('The page of the web app that it is about'),
    actor_name: z.string().nullable(),
    is_read: z.boolean(),
  })
  .meta({ id: 'Notification' })

export const NotificationChoice = z.strictObject({ kind, app: z.boolean(), email: z.boolean() })

export const notifications = {
  listNotifications: operation({
    summary: 'List what you were told, newest first',
    http: 'GET /notifications',
    access: 'member',
    effect: 'read',
    input: z.strictObject({ unread: z.boolean().optional().describe('Only what is not read yet'), ...page }),
    output: pageOf(Notification).extend({ unread_count: z.int() }).meta({ id: 'NotificationPage' }),
  }),
  markNotificationsRead: operation({
    summary: 'Mark notifications as read: these, or all',
    http: 'POST /notifications/reading',
    access: 'member',
    effect: 'change',
    input: z.strictObject({ ids: z.array(id).min(1).max(100).optional().describe('Left out: all') }),
    output: z.strictObject({ unread_count: z.int() }),
  }),
  getNotificationChoices: operation({
    summary: 'Read what you are told about, and where',
    http: 'GET /me/notification-choices',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(NotificationChoice) }),
  }),
  setNotificationChoices: operation({
    summary: 'Choose what you are told about, and where',
    http: 'PUT /me/notification-choices',
    access: 'member',
    effect: 'change',
    input: z.strictObject({ items: z.array(NotificationChoice).min(1).max(100) }),
    output: z.strictObject({ items: z.array(NotificationChoice) }),
  }),
}
