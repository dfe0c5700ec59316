// Double opt-in: the link in the email opens a page, and only its button confirms, because mail scanners open every link.

import { sql } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import { dayMs } from '../../platform/times.ts'
import type { Vault } from '../../platform/vault.ts'
import { readConfirmation } from '../../website/visitor-token.ts'
import { textsIn } from './form-texts.ts'
import type { Settings } from './source.ts'

export const confirmationDays = 7

/** Single use: a submission that is confirmed, or too old, is no longer found. */
export async function findUnconfirmed(context: Context, vault: Vault, token: string) {
  const named = readConfirmation(vault, token)
  const found = named && (await find(context, named))
  if (!found) throw new AppError('not_found', 'This link was already used or has expired.')
  const { language } = found.settings
  return { ...named, source_id: found.source_id, language, texts: textsIn(language) }
}

type Named = { company_id: string; id: string }

async function find({ db, now }: Context, { company_id, id }: Named) {
  const oldest = new Date(now.getTime() - confirmationDays * dayMs)
  const { rows } = await sql<{ source_id: string; settings: Settings }>`
    select l.source_id, s.settings from lead_submissions l
    join lead_sources s on s.company_id = ${company_id} and s.id = l.source_id and s.deleted_at is null
    where l.company_id = ${company_id} and l.id = ${id} and l.state = 'unconfirmed' and l.received_at > ${oldest}`.execute(
    db,
  )
  return rows[0]
}

export async function confirm(context: Context, { company_id, id, source_id }: Named & { source_id: string }) {
  const { rows } =
    await sql`update lead_submissions set state = 'received', confirmed_at = ${context.now}, next_attempt_at = ${context.now}
    where company_id = ${company_id} and id = ${id} and state = 'unconfirmed' returning id`.execute(context.db)
  if (rows.length) context.emit('lead.received', { submission_id: id, source_id }, company_id)
}
