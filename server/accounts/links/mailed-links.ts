// The links that jobs create for their emails, and the people they are for.

import { sql } from 'kysely'
import type { OutboxEvent } from '../../kernel/outbox.ts'
import type { TaskContext } from '../../kernel/queue.ts'
import { type Sender, sending } from '../../mail/sender.ts'
import type { Db } from '../../platform/db.ts'
import { hourMs } from '../../platform/times.ts'
import { createLink, isProvenByMail, type LinkServices } from './queries.ts'

const resetsAnHour = 3

export async function findPerson(db: Db, company_id: string, user_id: string) {
  const { rows } = await sql<{ name: string; company: string }>`
    select u.name, c.name as company from users u join companies c on c.id = u.company_id
    where u.company_id = ${company_id} and u.id = ${user_id} and u.removed_at is null`.execute(db)
  return rows[0]
}

export async function findInvited(db: Db, company_id: string, user_id: string, actor_id: string | null) {
  const { rows } = await sql<{ to: string; company: string; invited_by: string | null }>`
    select u.email as to, c.name as company, a.name as invited_by
    from users u
    join companies c on c.id = u.company_id
    left join users a on a.company_id = u.company_id and a.id = ${actor_id}
    where u.company_id = ${company_id} and u.id = ${user_id} and u.email is not null`.execute(db)
  return rows[0]
}

export async function makeInvitation(tx: Db, { company_id, actor_id }: OutboxEvent, user_id: string, now: Date) {
  const user = await lockUser(tx, { company_id, user_id })
  // The user joined with a link that someone shared by hand, or was deactivated, before this email was sent.
  if (!user || user.password_hash) return null
  return createLink(tx, { company_id, user_id, kind: 'invitation', created_by: actor_id, now })
}

type Owner = { company_id: string; user_id: string }

/** Returns null if the address was confirmed in the meantime, with a link that someone shared by hand. */
export async function makeConfirmation(
  tx: Db,
  { company_id, actor_id }: OutboxEvent,
  { user_id, email }: { user_id: string; email: string },
  now: Date,
) {
  const user = await lockUser(tx, { company_id, user_id })
  if (!user?.password_hash || user.email === email) return null
  return createLink(tx, { company_id, user_id, kind: 'email', created_by: actor_id, now, email })
}

export async function makeReset(tx: Db, { id, request_id }: OutboxEvent, owner: Owner, now: Date) {
  if (!(await lockUser(tx, owner))) return null
  const { company_id, user_id } = owner
  const made = await tx
    .selectFrom('account_links')
    .select('id')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', 'reset')
    .where('created_by', 'is', null)
    .where('created_at', '>', new Date(now.getTime() - hourMs))
    .execute()
  if (made.length >= resetsAnHour) return null
  await tx
    .insertInto('audit_events')
    .values({
      company_id,
      id,
      at: now,
      action: 'password.reset_requested',
      target_id: user_id,
      door: 'web',
      request_id,
      data: '{}',
    })
    // A retry of this job finds the row already written.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return createLink(tx, { company_id, user_id, kind: 'reset', created_by: null, now })
}

/** Locks the user, so that someone who joins or asks for a link at the same time has to wait. */
const lockUser = (tx: Db, { company_id, user_id }: Owner) =>
  tx
    .selectFrom('users')
    .select(['password_hash', 'email'])
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .where('deactivated_at', 'is', null)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** A link that proves who owns an address must not pass through the mail server of a company. */
export const sendingProof = (services: LinkServices, context: TaskContext, company_id: string): Sender =>
  isProvenByMail(services)
    ? { company_id, send: services.mailer.sendAsInstallation }
    : sending(services.mailer, context, company_id)

export const forgetting =
  ({ db }: TaskContext, company_id: string, { id }: { id: string }) =>
  () =>
    db.deleteFrom('account_links').where('company_id', '=', company_id).where('id', '=', id).execute()
