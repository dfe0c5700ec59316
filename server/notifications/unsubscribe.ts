// Unsubscribe links in notification emails. They are encrypted instead of stored, and valid only for this purpose.
import { type NotificationKind, notificationKinds } from '../../contract/notifications.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Context } from '../kernel/context.ts'
import { escapeHtml } from '../kernel/html.ts'
import { sealMark, type Vault } from '../platform/vault.ts'
import { kinds } from './queries.ts'

type Subscription = { company_id: string; user_id: string; kind: NotificationKind }

const place = 'unsubscribe link'

/** Warnings have no such link, because anyone the email is forwarded to could stop the next warning. */
export const isWarning = (kind: NotificationKind) => kind === 'account_changed' || kind === 'api_key_added'

export function unsubscribeUrl(vault: Vault, baseUrl: URL, { company_id, user_id, kind }: Subscription) {
  const sealed = vault.seal([company_id, user_id, kind].join(' '), place)
  return `${baseUrl.origin}/public/unsubscribe/${sealed.subarray(sealMark.length).toString('base64url')}`
}

/** The same error for an invalid link and for one of a removed user. */
export async function findSubscription(vault: Vault, { db }: Context, token: string): Promise<Subscription> {
  const subscription = open(vault, token)
  const user =
    subscription &&
    (await db
      .selectFrom('users')
      .select('id')
      .where('company_id', '=', subscription.company_id)
      .where('id', '=', subscription.user_id)
      .where('removed_at', 'is', null)
      .executeTakeFirst())
  if (user) return subscription
  throw new AppError(
    'not_found',
    'This link is no longer valid. Sign in to Kith and change your notification settings under Profile.',
  )
}

function open(vault: Vault, token: string): Subscription | undefined {
  try {
    // Without the mark, the vault would take it for a value of version 0.1, which is not bound to a place.
    const text = vault.open(Buffer.concat([sealMark, Buffer.from(token, 'base64url')]), place)
    const [company_id, user_id, kind] = text.split(' ') as [string, string, NotificationKind]
    return kinds.includes(kind) && !isWarning(kind) ? { company_id, user_id, kind } : undefined
  } catch {
    // Not sealed by us: a wrong link.
    return undefined
  }
}

const labelOf = (kind: NotificationKind) => escapeHtml(`“${notificationKinds[kind].label}”`)

/** Opening the page changes nothing, because mail scanners open every link. */
export const askingPage = ({ kind }: Subscription) => ({
  title: 'Unsubscribe',
  html: `<p>Stop emails about ${labelOf(kind)}?${notificationKinds[kind].app ? ' You will still see these notifications in Kith.' : ''}</p>
<form method="post"><button type="submit" name="list_unsubscribe" value="One-Click">Unsubscribe</button></form>`,
})

export const donePage = ({ kind }: Subscription) => ({
  title: 'You are unsubscribed',
  html: `<p>You will no longer get emails about ${labelOf(kind)}. To get them again, sign in and open Profile, Notifications.</p>`,
})
