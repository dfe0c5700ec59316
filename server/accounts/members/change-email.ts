// Changes a sign-in address: immediately for someone who has not joined, after confirmation by email for everyone else.

import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { endLinksOf, type LinkServices, offerLink } from '../links/queries.ts'
import { countAddress, refuseUsedEmail } from '../users/addresses.ts'
import type { User } from '../users/queries.ts'

/** Returns whether to write the address now, or the link that confirms it first. */
export async function changeEmail(services: LinkServices, context: Context, user: User, email: string) {
  const { company_id } = actorOf(context)
  const owner = { company_id, user_id: user.id }
  if (user.state === 'deactivated')
    throw new AppError('conflict', `${user.name} is deactivated. Reactivate them first.`)
  const pending = context.db.deleteFrom('account_links').where('company_id', '=', company_id)
  await pending.where('user_id', '=', user.id).where('kind', '=', 'email').execute()
  if (email === user.email) return { isNow: false, confirmation: null }
  await refuseUsedEmail(context, email)
  await countAddress(context)
  if (user.state === 'invited') {
    // A link that was sent to the old address must no longer give access.
    await endLinksOf(context.db, owner)
    return { isNow: true, confirmation: null }
  }
  const confirmation = await offerLink(services, context, { user_id: user.id, kind: 'email', email, send: true })
  if (confirmation.sent_to) context.emit('user.email_change_requested', { user_id: user.id, email })
  context.audit('user.email_change_requested', { target_id: user.id })
  return { isNow: false, confirmation }
}
