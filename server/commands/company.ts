// What `npm run company -- create --name NAME --email EMAIL [--admin-name NAME]` runs.
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { companyName } from '../../contract/company.ts'
import { email, personName } from '../../contract/shapes.ts'
import { createLink, linkUrl } from '../accounts/links/queries.ts'
import { createCompany } from '../accounts/set-up/queries.ts'
import { isClaimed } from '../accounts/users/addresses.ts'
import { byProgram } from '../kernel/by-program.ts'
import { readConfig, StartError } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { onDatabase } from '../platform/on-database.ts'
import { runProgram } from '../platform/program.ts'

const program = 'npm run company'
const usage = `Say what to create: ${program} -- create --name "Acme" --email ada@example.com [--admin-name "Ada"]`

await runProgram('Stopped. Nothing was created.', async ({ say }) => {
  const wanted = readArguments(process.argv.slice(2))
  const config = readConfig(process.env)
  const { token, expires_at } = await onDatabase(config, say, (db) => found(db, wanted))
  return `Created ${wanted.name}. ${wanted['admin-name']} (${wanted.email}) joins as its Admin with this link.
It works once, until ${expires_at.toISOString()}. Pass it on in private:

${linkUrl(config.baseUrl, 'invitation', token)}
`
})

function readArguments(args: string[]) {
  const Wanted = z.object({ name: companyName, email, 'admin-name': personName.optional() })
  const text = { type: 'string' } as const
  const given = parse(() =>
    parseArgs({ args, allowPositionals: true, options: { name: text, email: text, 'admin-name': text } }),
  )
  if (given.positionals.join(' ') !== 'create') throw new StartError(usage)
  const { success, data, error } = Wanted.safeParse(given.values)
  if (!success) {
    const faults = error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`)
    throw new StartError(`${faults.join('\n')}\n${usage}`)
  }
  return { ...data, 'admin-name': data['admin-name'] ?? data.email.split('@')[0]! }
}

function parse<T>(read: () => T) {
  try {
    return read()
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${usage}`)
  }
}

function found(db: Db, { name: company_name, email, 'admin-name': name }: ReturnType<typeof readArguments>) {
  return byProgram(db, program, async (context) => {
    if (await isClaimed(context.db, email)) throw signsInAlready(email)
    const made = await createCompany(context, { company_name, name, email, password_hash: null })
    context.note('user.invited', { company_id: made.company_id, target_id: made.user_id, data: { sent: false } })
    return createLink(context.db, { ...made, kind: 'invitation', created_by: null, now: context.now })
  })
}

function signsInAlready(email: string) {
  return new StartError(
    `${email} signs in to Kith already, and one address signs in to one company. Use another one; nothing was created.`,
  )
}
