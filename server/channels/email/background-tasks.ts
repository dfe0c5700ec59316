import { sql } from 'kysely'
import type { EventPayload } from '../../../contract/shared/events.ts'
import { deleteMail } from '../../inbox/channels/offboarding.ts'
import type { OutboxEvent, Subscriptions } from '../../kernel/outbox.ts'
import type { BackgroundTasks } from '../../kernel/queue.ts'
import { announceChannel } from './state.ts'

export const mailboxSubscriptions: Subscriptions = { 'channel.disconnected': ['delete_channel_mail'] }

export const mailboxTasks: BackgroundTasks = {
  /** Someone disconnected a channel and wants its messages to be deleted, too. */
  delete_channel_mail: {
    concurrency: 2,
    async run({ db, now }, { company_id, payload }: OutboxEvent) {
      const { channel_id } = payload as EventPayload<'channel.disconnected'>
      const { rows } = await sql`select 1 from channels where company_id = ${company_id} and id = ${channel_id}
        and deleted_at is null and settings ->> 'is_deleted' = 'true'`.execute(db)
      if (!rows.length) return
      await deleteMail(db, company_id, channel_id, now)
      await announceChannel(db, { company_id, id: channel_id })
    },
  },
}
