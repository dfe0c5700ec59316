// npm run company -- create --name NAME --email EMAIL [--admin-name NAME] [--country CODE] [...]
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { companyName, country } from '../../../contract/company.ts'
import { currency, email, language, personName, timeZone } from '../../../contract/shared/shapes.ts'
import { createLink, linkUrl } from '../../accounts/links/queries.ts'
import { createCompany } from '../../accounts/set-up/queries.ts'
import { isClaimed } from '../../accounts/users/addresses.ts'
import { byProgram } from '../../kernel/command-context.ts'
import { readConfig, StartError } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import type { Terminal } from '../../platform/terminal.ts'
import { onDatabase } from '../../platform/with-database.ts'

const program = 'npm run company'
export const usage = `${program} -- create --name "Acme" --email ada@example.com [--admin-name "Ada"]
  [--country AT] [--currency EUR] [--language de-AT] [--time-zone Europe/Vienna]`
export const stopped = 'Stopped. Nothing was created.'

export async function run({ say }: Terminal, args: string[]) {
  const wanted = readArguments(args)
  const config = readConfig(process.env)
  const { token, expires_at } = await onDatabase(config, say, (db) => createInvited(db, wanted))
  return `Created ${wanted.name}. ${wanted['admin-name']} (${wanted.email}) can join as its Admin with this link.
The link works once, until ${expires_at.toISOString()}. Share it privately:

${linkUrl(config.baseUrl, 'invitation', token)}
`
}

function readArguments(args: string[]) {
  const Wanted = z.object({
    name: companyName,
    email,
    'admin-name': personName.optional(),
    country: country.optional(),
    currency: currency.optional(),
    language: language.optional(),
    'time-zone': timeZone.optional(),
  })
  const options = Object.fromEntries(Object.keys(Wanted.shape).map((name) => [name, { type: 'string' as const }]))
  const given = parse(() => parseArgs({ args, allowPositionals: true, options }))
  if (given.positionals.length) throw new StartError(`Usage: ${usage}`)
  const { success, data, error } = Wanted.safeParse(given.values)
  if (!success) {
    const errors = error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`)
    throw new StartError(`${errors.join('\n')}\nUsage: ${usage}`)
  }
  return { ...data, 'admin-name': data['admin-name'] ?? data.email.split('@')[0]! }
}

function parse<T>(read: () => T) {
  try {
    return read()
  } catch (error) {
    throw new StartError(`${(error as Error).message}\nUsage: ${usage}`)
  }
}

function createInvited(db: Db, wanted: ReturnType<typeof readArguments>) {
  const { name: company_name, email, 'admin-name': name, 'time-zone': time_zone, ...region } = wanted
  return byProgram(db, program, async (context) => {
    if (await isClaimed(context.db, email)) throw usedAddress(email)
    const admin = await createCompany(context, { ...region, time_zone, company_name, name, email, password_hash: null })
    context.note('user.invited', { company_id: admin.company_id, target_id: admin.user_id, data: { sent: false } })
    return createLink(context.db, { ...admin, kind: 'invitation', created_by: null, now: context.now })
  })
}

function usedAddress(email: string) {
  return new StartError(
    `${email} already has an account on this server, and an address can sign in to only one company. Nothing was created. Use another address.`,
  )
}
