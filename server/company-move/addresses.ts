// An address signs in to one company only. If it already does, the person who imports a company chooses.
import type { Session } from '../backup/session.ts'
import { StartError } from '../platform/config.ts'
import { isUniqueViolation } from '../platform/db.ts'
import type { OpenCompany } from './import.ts'

export type Choices = {
  /** New addresses by their old ones. */
  renamed: Map<string, string>
  withoutSignIn: boolean
}
type Address = OpenCompany['company']['addresses'][number]
type Chosen = { renamed: Address[]; free: Address[]; taken: string[] }

/** Refuses addresses that are used here and for which nothing was chosen. */
export async function chooseAddresses(
  { client }: Session,
  { company }: OpenCompany,
  choices: Choices,
): Promise<Chosen> {
  const { addresses } = company
  for (const old of choices.renamed.keys())
    if (!addresses.some(({ email }) => email === old))
      throw new StartError(`No one in ${company.name} signs in with ${old}. Nothing was changed. Check --rename-email.`)
  const wanted = addresses.map((address) => ({
    ...address,
    email: choices.renamed.get(address.email) ?? address.email,
  }))
  const emails = wanted.map(({ email }) => email)
  const twice = emails.find((email, index) => emails.indexOf(email) !== index)
  if (twice) throw new StartError(`Two users of ${company.name} would sign in with ${twice}. Nothing was changed.`)
  const { rows } = await client.query<{ email: string }>(
    'select email from sign_in_emails where email = any($1) order by email',
    [emails],
  )
  const taken = rows.map(({ email }) => email)
  if (taken.length && !choices.withoutSignIn) throw refusal(taken)
  return {
    renamed: wanted.filter(({ email }, index) => email !== addresses[index]!.email),
    free: wanted.filter(({ email }) => !taken.includes(email)),
    taken,
  }
}

function refusal(taken: string[]) {
  const lines = [
    'These addresses already sign in to another company of this installation, and an address can sign in to only one:',
    ...taken.map((email) => `- ${email}`),
    'Nothing was changed. Give each person another address with --rename-email, or import them without sign-in:',
    `--rename-email ${taken[0]}=new@example.com  (can be repeated)`,
    '--without-sign-in  (an Admin can enter other addresses later)',
  ]
  return new StartError(lines.join('\n'))
}

/** After the rows were compared with the file. */
export async function writeAddresses({ client }: Session, { company }: OpenCompany, { renamed, free, taken }: Chosen) {
  for (const { email, user_id } of renamed)
    await client
      .query('update users set email = $3 where company_id = $1 and id = $2', [company.id, user_id, email])
      .catch((error) => {
        throw isUniqueViolation(error, 'users_by_email')
          ? new StartError(`A user of ${company.name} already has the address ${email}. Nothing was changed.`)
          : error
      })
  await client.query(
    'insert into sign_in_emails (company_id, email, user_id) select $1, * from unnest($2::text[], $3::uuid[])',
    [company.id, free.map(({ email }) => email), free.map(({ user_id }) => user_id)],
  )
  if (taken.length) await refuseWithoutAdmin({ client }, company, free)
}

async function refuseWithoutAdmin(
  { client }: Pick<Session, 'client'>,
  { id, name }: OpenCompany['company'],
  free: Address[],
) {
  const { rowCount } = await client.query(
    `select from users u join roles r on r.company_id = u.company_id and r.id = u.role_id
     where u.company_id = $1 and u.id = any($2) and u.deactivated_at is null and r.is_admin limit 1`,
    [id, free.map(({ user_id }) => user_id)],
  )
  if (!rowCount)
    throw new StartError(
      `No Admin of ${name} could sign in. Nothing was changed. Give one of them another address with --rename-email.`,
    )
}
