import type { EventPayload } from '../../contract/shared/events.ts'
import { forEachCompany, forEachWaiting } from '../kernel/companies.ts'
import type { OutboxEvent, Subscriptions } from '../kernel/outbox.ts'
import type { BackgroundTasks } from '../kernel/queue.ts'
import { leaveChannels, purgeChannels } from './channels/offboarding.ts'
import { linkContacts, renameParticipants } from './people/link-contacts.ts'
import { followMerged, linkMerged } from './people/link-merged.ts'
import { markOptedOut } from './people/opt-out.ts'
import { addUnknownSender } from './people/unknown-senders.ts'
import { expireProposals } from './proposals/expire.ts'
import { reindexMessages } from './receiving/reindex-messages.ts'
import { pruneVisits } from './triage/presence.ts'
import { wakeSnoozed } from './triage/wake-snoozed.ts'

export const inboxSubscriptions: Subscriptions = {
  'contact.addressed': ['link_contacts', 'mark_opted_out'],
  'contact.renamed': ['rename_participants'],
  'record.merged': ['link_merged_record'],
  'changes.undone': ['follow_merged_records'],
  'conversation.sender_unknown': ['add_unknown_sender'],
  'conversation.created': ['queue_inbox_event'],
  'conversation.assigned': ['notify', 'queue_inbox_event'],
  'conversation.closed': ['queue_inbox_event'],
  'conversation.mentioned': ['notify'],
  'conversation.overdue': ['notify', 'queue_inbox_event'],
  'conversation.flagged': ['notify'],
  'message.received': ['notify', 'queue_inbox_event', 'apply_inbox_rules'],
  'working_hours.changed': ['renew_targets'],
  'message.sent': ['queue_inbox_event'],
  'message.failed': ['queue_inbox_event'],
  'message.not_sent': ['notify'],
  'proposal.made': ['notify'],
  'channel.failing': ['notify'],
}

export const inboxTasks: BackgroundTasks = {
  add_unknown_sender: {
    run: ({ db, now }, { company_id, payload }: OutboxEvent) =>
      addUnknownSender(db, company_id, (payload as EventPayload<'conversation.sender_unknown'>).conversation_id, now),
  },

  reindex_messages: {
    atStart: true,
    concurrency: 1,
    run: ({ db, signal }) => reindexMessages(db, signal),
  },

  link_contacts: {
    // Few, because they wait while a mailbox stores messages.
    concurrency: 2,
    run: ({ db, now }, { company_id, payload }: OutboxEvent) =>
      linkContacts(db, company_id, (payload as EventPayload<'contact.addressed'>).record_ids, now),
  },

  /** People who are added later, or get an address later, are not written to if it unsubscribed. */
  mark_opted_out: {
    run: ({ db, now }, { company_id, payload }: OutboxEvent) =>
      markOptedOut(db, company_id, (payload as EventPayload<'contact.addressed'>).record_ids, now),
  },

  rename_participants: {
    run: ({ db, now }, { company_id, payload }: OutboxEvent) =>
      renameParticipants(db, company_id, (payload as EventPayload<'contact.renamed'>).record_ids, now),
  },

  /** Conversations about a duplicate are about the record that it was merged into. */
  link_merged_record: {
    run: ({ db, now }, { company_id, payload }: OutboxEvent) =>
      linkMerged(db, company_id, payload as EventPayload<'record.merged'>, now),
  },

  /** If the merge is undone, they are as they were. */
  follow_merged_records: {
    run: ({ db, now }, { company_id, payload }: OutboxEvent) =>
      followMerged(db, company_id, (payload as EventPayload<'changes.undone'>).change_set_ids, now),
  },

  wake_snoozed_conversations: {
    cron: '* * * * *',
    concurrency: 1,
    retries: 0,
    run: ({ db, now }) =>
      forEachWaiting(db, 'conversations', 'snoozed_until', now, (company_id) => wakeSnoozed(db, company_id, now)),
  },

  /** When someone leaves, their personal mailboxes are disconnected. */
  leave_channels: {
    run: ({ db, now }, { company_id, payload }: OutboxEvent) =>
      leaveChannels(db, company_id, (payload as EventPayload<'user.removed'>).user_id, now),
  },

  expire_proposals: {
    cron: '*/10 * * * *',
    concurrency: 1,
    retries: 0,
    run: ({ db, now }) => expireProposals(db, now),
  },

  purge_channels: {
    cron: '41 * * * *',
    concurrency: 1,
    run: ({ db, now }) =>
      forEachCompany(db, async ({ id }) => {
        await purgeChannels(db, id, now)
        await pruneVisits(db, id, now)
      }),
  },
}
