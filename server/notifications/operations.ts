import { type NotificationKind, notificationKinds, type notifications } from '../../contract/notifications.ts'
import { actorOf } from '../kernel/context.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import type { Vault } from '../platform/vault.ts'
import { wordsOf } from './notification-text.ts'
import { choicesOf, countUnread, notificationsOf } from './queries.ts'
import { askingPage, donePage, findSubscription } from './unsubscribe.ts'

export const notificationOperations = ({ vault }: { vault: Vault }): Handlers<typeof notifications> => ({
  async listNotifications(context, { is_unread, ...page }) {
    const actor = actorOf(context)
    let rows = notificationsOf(context.db, actor)
      .leftJoin('users as a', (join) =>
        join.onRef('a.company_id', '=', 'n.company_id').onRef('a.id', '=', 'n.actor_id'),
      )
      .select(['n.id', 'n.at', 'n.kind', 'n.data', 'n.read_at', 'a.name as actor_name'])
    if (is_unread) rows = rows.where('n.read_at', 'is', null)
    const { items, next_cursor } = await newestFirst(rows, 'n.id', page)
    const shown = items.map(({ at, data, read_at, ...row }) => {
      const kind = row.kind as NotificationKind
      return {
        ...row,
        kind,
        at: at.toISOString(),
        ...wordsOf(kind, data as never, row.actor_name),
        is_read: read_at !== null,
      }
    })
    return { items: shown, next_cursor, unread_count: await countUnread(context.db, actor) }
  },

  async markNotificationsRead(context, { ids }) {
    const actor = actorOf(context)
    let rows = context.db
      .updateTable('notifications')
      .set({ read_at: context.now })
      .where('company_id', '=', actor.company_id)
      .where('user_id', '=', actor.user_id)
      .where('read_at', 'is', null)
    if (ids) rows = rows.where('id', 'in', ids)
    await rows.execute()
    return { unread_count: await countUnread(context.db, actor) }
  },

  async listNotificationChoices(context) {
    return { items: await choicesOf(context.db, actorOf(context)) }
  },

  async updateNotificationChoices(context, { items }) {
    const { company_id, user_id } = actorOf(context)
    // If a kind appears twice, the last one counts.
    const chosen = [...new Map(items.map((item) => [item.kind, item])).values()]
    await context.db
      .insertInto('notification_choices')
      .values(chosen.map((choice) => ({ company_id, user_id, ...choice })))
      .onConflict((conflict) =>
        conflict.columns(['company_id', 'user_id', 'kind']).doUpdateSet((eb) => ({
          app: eb.ref('excluded.app'),
          email: eb.ref('excluded.email'),
        })),
      )
      .execute()
    return { items: await choicesOf(context.db, { company_id, user_id }) }
  },

  async getUnsubscribePage(context, { token }) {
    return askingPage(await findSubscription(vault, context, token))
  },

  async unsubscribe(context, { token }) {
    const subscription = await findSubscription(vault, context, token)
    const { app } = notificationKinds[subscription.kind]
    await context.db
      .insertInto('notification_choices')
      .values({ ...subscription, app, email: false })
      .onConflict((conflict) => conflict.columns(['company_id', 'user_id', 'kind']).doUpdateSet({ email: false }))
      .execute()
    return donePage(subscription)
  },
})
