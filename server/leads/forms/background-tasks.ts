// What happens with submissions after they were accepted, and what Kith does about leads by itself.
import { sql } from 'kysely'
import type { EventPayload } from '../../../contract/shared/events.ts'
import { type Stored, storedColumns } from '../../engine/values/from-row.ts'
import { forEachWaiting } from '../../kernel/companies.ts'
import { smallestId } from '../../kernel/first-id.ts'
import type { OutboxEvent, Subscriptions } from '../../kernel/outbox.ts'
import type { BackgroundTasks, TaskContext } from '../../kernel/queue.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Db } from '../../platform/db.ts'
import type { Vault } from '../../platform/vault.ts'
import { noteFirstResponses, reportOverdue } from '../first-response.ts'
import { changeLeads } from '../write-as-kith.ts'
import { reply, sendConfirmation } from './form-emails.ts'
import { processSubmission, type SubmissionRef } from './process-submission.ts'

type Services = { baseUrl: URL; vault: Vault; mailer: Mailer }

/** Longer than the job of an event takes to start. */
const patienceMs = 60_000
const step = 200

export const leadSubscriptions: Subscriptions = {
  'lead.received': ['process_submission'],
  'lead.submitted': ['notify', 'reply_to_lead'],
  'lead.overdue': ['notify'],
  'lead.failed': ['notify'],
  'lead_settings.updated': ['rescore_leads'],
}

export const leadTasks = (services: Services): BackgroundTasks => ({
  process_submission: {
    run: (context, { company_id, payload }: OutboxEvent) =>
      handle(context, { company_id, id: (payload as EventPayload<'lead.received'>).submission_id }, services),
  },

  /** In case a job was lost, for example because a backup was restored. */
  process_forgotten_submissions: {
    cron: '* * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    async run(context) {
      const before = new Date(context.now.getTime() - patienceMs)
      await forEachWaiting(context.db, 'lead_submissions', 'next_attempt_at', before, async (company_id) => {
        for (const id of await waitingIn(context.db, company_id, before))
          await handle(context, { company_id, id }, services).catch((err) =>
            context.log.warn({ err, company_id, submission_id: id }, 'a submission could not be processed'),
          )
      })
    },
  },

  reply_to_lead: {
    run: (context, { company_id, payload }: OutboxEvent) =>
      reply(context, services.mailer, company_id, payload as EventPayload<'lead.submitted'>),
  },

  note_first_response: { run: ({ db, now }, event: OutboxEvent) => noteFirstResponses(db, event, now) },

  report_overdue_leads: {
    cron: '* * * * *',
    concurrency: 1,
    retries: 0,
    run: ({ db, now, log }) => reportOverdue(db, now, log),
  },

  rescore_leads: {
    concurrency: 1,
    async run({ db, now }, { company_id }: OutboxEvent) {
      let after: string | undefined = smallestId
      while (after) after = await rescore(db, company_id, after, now)
    },
  },

  /** When the owner of a source leaves, it goes to the one who gets their records. */
  pass_on_lead_sources: {
    async run({ db }, { company_id, payload }: OutboxEvent) {
      const { user_id, reassign_to } = payload as EventPayload<'user.removed'>
      await sql`update lead_sources set owner_id = ${reassign_to}
        where company_id = ${company_id} and owner_id = ${user_id}`.execute(db)
    },
  },
})

async function handle(context: TaskContext, place: SubmissionRef, services: Services) {
  const unconfirmed = await processSubmission(context.db, place, context.now)
  if (unconfirmed) await sendConfirmation(context, services, unconfirmed)
}

async function waitingIn(db: Db, company_id: string, before: Date) {
  const rows = await db
    .selectFrom('lead_submissions')
    .select('id')
    .where('company_id', '=', company_id)
    .where('next_attempt_at', '<=', before)
    .orderBy('next_attempt_at')
    .limit(1000)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the last lead that was looked at; undefined if there are no more. */
async function rescore(db: Db, company_id: string, after: string, now: Date) {
  let last: string | undefined
  await changeLeads(db, company_id, { task: 'scoreLeads', now }, async (schema, tx) => {
    const params = new Params()
    const rows = await run<Stored>(
      tx,
      `select ${storedColumns} from records r where r.company_id = ${params.add(company_id, 'uuid')}
        and r.object_id = ${params.add(schema.builtIn.get('leads')!.id, 'uuid')} and r.deleted_at is null
        and r.id > ${params.add(after, 'uuid')} order by r.id limit ${step} for update`,
      params,
    )
    if (rows.length === step) last = rows.at(-1)!.id
    return rows.map((lead) => ({ lead, values: {} }))
  })
  return last
}
