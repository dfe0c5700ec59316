// Emails to the people who send forms.

import { sql } from 'kysely'
import type { EventPayload } from '../../../contract/shared/events.ts'
import { optedOutAmong, unsubscribedAmong } from '../../engine/read/opted-out.ts'
import { schemaOfCompany } from '../../engine/schema/schema.ts'
import type { TaskContext } from '../../kernel/queue.ts'
import { autoresponse, optInMail } from '../../mail/email-texts.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { sending, sendOrGiveUp } from '../../mail/sender.ts'
import { transaction } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import type { Vault } from '../../platform/vault.ts'
import { confirmationUrl } from '../../website/visitor-token.ts'
import { addAbout } from '../about-lead.ts'
import { writeAsKith } from '../write-as-kith.ts'
import { textsIn } from './form-texts.ts'
import type { Settings } from './source.ts'
import type { Submission } from './submission.ts'

type Services = { baseUrl: URL; vault: Vault; mailer: Mailer }

/** Asks the person to confirm their address. Only the first of several emails to an address in ten minutes is sent. */
export async function sendConfirmation(context: TaskContext, services: Services, submission: Submission) {
  const { company_id, id, email } = submission
  const { db, now } = context
  const { rows } = await sql<{ settings: Settings; company: string; recent: number }>`
    select s.settings, c.name as company, (select count(*)::int from lead_submissions o where o.company_id = ${company_id}
        and o.email = ${email} and o.state = 'unconfirmed' and o.next_attempt_at is null
        and o.received_at > ${new Date(now.getTime() - 600_000)}) as recent
    from lead_sources s join companies c on c.id = ${company_id}
    where s.company_id = ${company_id} and s.id = ${submission.source_id}`.execute(db)
  const [found] = rows
  if (found && email && isForPeople(email) && found.recent < 3) {
    const texts = textsIn(found.settings.language)
    const link = confirmationUrl(services.vault, services.baseUrl, company_id, id)
    const words = texts.opt_in_mail.replace('{company}', found.company)
    const mail = {
      title: texts.opt_in_title,
      words,
      label: texts.opt_in_button,
      link,
      note: texts.opt_in_note,
      from: found.company,
    }
    await sendOrGiveUp(context, sending(services.mailer, context, company_id), optInMail({ to: email, id, ...mail }))
  }
  await sql`update lead_submissions set next_attempt_at = null
    where company_id = ${company_id} and id = ${id} and state = 'unconfirmed'`.execute(db)
}

/**
 * The automatic reply. Loops are not possible: an address gets at most one a day, addresses of programs get none, and the
 * email is marked as automatic (RFC 3834).
 */
export async function reply(
  context: TaskContext,
  mailer: Mailer,
  company_id: string,
  about: EventPayload<'lead.submitted'>,
) {
  const { db } = context
  const { submission_id: id, source_id } = about
  const { rows } = await sql<{ settings: Settings; company: string; email: string | null }>`
    select s.settings, c.name as company, l.email from lead_submissions l
    join companies c on c.id = ${company_id}
    join lead_sources s on s.company_id = ${company_id} and s.id = ${source_id}
    where l.company_id = ${company_id} and l.id = ${id}`.execute(db)
  const [found] = rows
  const words = found?.settings.autoresponse
  const email = found?.email
  // Stored before it could be turned off, it has no is_on.
  if (!words || words.is_on === false || !email || !isForPeople(email)) return
  if ((await unsubscribedAmong(db, company_id, [email])).length) return
  if ((await optedOutAmong(db, company_id, await schemaOfCompany(db, company_id), [email])).length) return
  if (!(await claim(context, company_id, id, email))) return
  const mail = autoresponse({
    to: email,
    id: `reply-${id}`,
    from: found.company,
    subject: words.subject,
    words: words.text,
  })
  try {
    await sendOrGiveUp(context, sending(mailer, context, company_id), mail)
  } catch (error) {
    await sql`update lead_submissions set replied_at = null where company_id = ${company_id} and id = ${id}`.execute(db)
    throw error
  }
  await noteReply(context, company_id, about.lead_id, words)
}

/** On the timeline of the lead. Kith wrote it, so it is no response of the company. */
const noteReply = ({ db, now }: TaskContext, company_id: string, lead_id: string, { subject, text }: Autoresponse) =>
  writeAsKith(db, company_id, { task: 'replyToLead', now }, (target) =>
    addAbout(target, 'activities', {
      about: [lead_id],
      by: null,
      owner: null,
      values: {
        kind: 'email',
        direction: 'outgoing',
        at: now.toISOString(),
        outcome: 'Automatic reply',
        body: `${subject}\n\n${text}`,
      },
    }),
  )

type Autoresponse = NonNullable<Settings['autoresponse']>

/** Marks it before sending, so that two submissions at the same time get one reply. */
async function claim({ db, now }: TaskContext, company_id: string, id: string, email: string) {
  const yesterday = new Date(now.getTime() - dayMs)
  return transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`reply ${company_id} ${email}`}, 23))`.execute(tx)
    const { rows } = await sql`
      update lead_submissions l set replied_at = ${now}
      where l.company_id = ${company_id} and l.id = ${id} and l.replied_at is null
        and not exists (select from lead_submissions o where o.company_id = ${company_id} and o.email = ${email}
          and o.replied_at > ${yesterday})
      returning l.id`.execute(tx)
    return rows.length > 0
  })
}

const programs = /^(no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounces?|abuse|root|daemon|auto-?reply)([+.-]|@)/i
export const isForPeople = (email: string) => !programs.test(email)
