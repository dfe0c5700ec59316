// npm run reset-password -- EMAIL [--without-two-factor]
import { parseArgs } from 'node:util'
import { email as emailShape } from '../../contract/shared/shapes.ts'
import { forgetTwoFactorOf } from '../accounts/credentials/two-factor.ts'
import { createLink, endLinksOf, linkUrl } from '../accounts/links/queries.ts'
import { type ByProgram, byProgram } from '../kernel/command-context.ts'
import { readConfig, StartError } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { runProgram } from '../platform/run-command.ts'
import { onDatabase } from '../platform/with-database.ts'

const program = 'npm run reset-password'
const usage = `Usage: ${program} -- ada@example.com [--without-two-factor]`

await runProgram('Stopped. Nothing was changed.', async ({ say }) => {
  const { email, withoutTwoFactor } = readArguments(process.argv.slice(2))
  const config = readConfig(process.env)
  const { person, kind, token, expires_at } = await onDatabase(config, say, (db) =>
    byProgram(db, program, (context) => createAccessLink(context, email, withoutTwoFactor)),
  )
  const what = kind === 'reset' ? 'can set a new password' : 'has not joined yet and can do so'
  return `${person.name} of ${person.company_name} (${person.role}) ${what} with this link.
The link works once, until ${expires_at.toISOString()}. Share it privately:

${linkUrl(config.baseUrl, kind, token)}
${aboutTwoFactor(person.two_factor, withoutTwoFactor)}`
})

function readArguments(args: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'without-two-factor': { type: 'boolean', default: false } },
    })
    const email = emailShape.safeParse(positionals.length === 1 ? positionals[0] : undefined)
    if (email.success) return { email: email.data, withoutTwoFactor: values['without-two-factor'] }
  } catch {} // For an unknown option, show the usage.
  throw new StartError(usage)
}

async function createAccessLink(context: ByProgram, email: string, withoutTwoFactor: boolean) {
  const [person, ...others] = await findPeople(context.db, email)
  if (others.length) {
    throw new StartError(
      `${email} is invited to several companies and has not joined any. An Admin of one of them can create a new link under Company, Members.`,
    )
  }
  if (!person) {
    throw new StartError(
      `No one signs in with ${email}. Check the address. Agents have no password; create keys for them under Company, API keys.`,
    )
  }
  const { company_id, user_id } = person
  if (person.is_deactivated) {
    throw new StartError(
      `${person.name} of ${person.company_name} is deactivated. An Admin can reactivate them under Company, Members.`,
    )
  }
  if (person.two_factor && withoutTwoFactor) await deleteTwoFactor(context, person)
  const target = { company_id, target_id: user_id }
  if (!person.has_joined) {
    await endLinksOf(context.db, person)
    context.note('user.invited', { ...target, data: { sent: false } })
  } else context.note('reset_link.created', target)
  const kind = person.has_joined ? ('reset' as const) : ('invitation' as const)
  const link = await createLink(context.db, { company_id, user_id, kind, created_by: null, now: context.now })
  return { person, kind, ...link }
}

/** The user who signs in with this address or, if there is none, those who are invited with it. */
async function findPeople(db: Db, email: string) {
  const people = await withEmail(db, email)
  const joined = people.filter(({ has_joined }) => has_joined)
  return joined.length ? joined : people
}

function withEmail(db: Db, email: string) {
  return db
    .selectFrom('users as u')
    .innerJoin('roles as r', (join) => join.onRef('r.company_id', '=', 'u.company_id').onRef('r.id', '=', 'u.role_id'))
    .innerJoin('companies as c', 'c.id', 'u.company_id')
    .select(['u.company_id', 'u.id as user_id', 'u.name', 'r.name as role', 'c.name as company_name'])
    .select((eb) => [
      eb('u.deactivated_at', 'is not', null).as('is_deactivated'),
      eb('u.password_hash', 'is not', null).as('has_joined'),
      eb('u.totp_on_since', 'is not', null).as('two_factor'),
    ])
    .where('u.email', '=', email)
    .where('u.removed_at', 'is', null)
    .execute()
}

async function deleteTwoFactor(context: ByProgram, { company_id, user_id }: { company_id: string; user_id: string }) {
  await forgetTwoFactorOf(context.db, { company_id, user_id })
  context.emit('user.account_changed', { user_id, what: 'two_factor_off' }, company_id)
  context.note('two_factor.turned_off', { company_id, target_id: user_id })
}

function aboutTwoFactor(isOn: unknown, turnedOff: boolean) {
  if (!isOn) return ''
  if (turnedOff) return '\nTwo-factor sign-in is turned off. They can turn it on again under Profile.'
  return '\nTwo-factor sign-in stays on: they need a code or a recovery code to sign in. To turn it off, add --without-two-factor.'
}
