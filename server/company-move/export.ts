// Writes one company to a file, in the format of backups, without any secret.
import { type BackupOrder, backUp } from '../backup/backup.ts'
import { nameIn } from '../backup/catalog.ts'
import { openSession, type Session } from '../backup/session.ts'
import { StartError } from '../platform/config.ts'
import { inOrder, moving, rowsOf } from './contents.ts'

export type Company = { id: string; name: string }

const mostListed = 50

/** By its ID or name. Without either, the only one. */
export async function findCompany(connection: BackupOrder['connection'], given?: string): Promise<Company> {
  const session = await openSession(connection, 'kith export')
  try {
    const { rows } = await session.client.query<Company>(
      `select id, name from ${nameIn(session.schema, 'companies')} order by lower(name), id`,
    )
    const meant = given === undefined ? rows : rows.filter(({ id, name }) => id === given || name === given)
    if (meant.length === 1) return meant[0]!
    const listed = (meant.length ? meant : rows).slice(0, mostListed).map(({ id, name }) => `${id}  ${name}`)
    if (!listed.length) throw new StartError('This installation has no company yet.')
    const why = meant.length ? 'Choose a company by its ID:' : `There is no company ${given}. Choose one of these:`
    throw new StartError([why, ...listed].join('\n'))
  } finally {
    await session.close()
  }
}

type ExportOrder = Omit<BackupOrder, 'extras' | 'select'> & { company: Company }

/** Also returns the names of what needs its secret again. */
export async function exportCompany({ company, ...order }: ExportOrder) {
  let without_secret: string[] = []
  const written = await backUp({
    ...order,
    async select(session, tables) {
      const own = tables.filter(({ name }) => moving.includes(name))
      const header = await describe(session, company.id)
      without_secret = header.without_secret
      const ordered = await inOrder(session, own)
      return { company: header, tables: ordered.map((table) => rowsOf(session.schema, table, company.id, 'moved')) }
    },
  })
  return { ...written, without_secret }
}

async function describe({ client }: Session, id: string) {
  const { rows: companies } = await client.query<Company>('select id, name from companies where id = $1', [id])
  const { rows: addresses } = await client.query<{ email: string; user_id: string }>(
    'select email, user_id from sign_in_emails where company_id = $1 order by email',
    [id],
  )
  const { rows: lost } = await client.query<{ name: string }>(
    `select 'API key ' || k.name || ' (' || u.name || ')' as name
     from api_keys k join users u on u.company_id = k.company_id and u.id = k.user_id
     where k.company_id = $1 and k.deleted_at is null
     union all
     select 'Channel ' || name from channels where company_id = $1 and secrets is not null and deleted_at is null
     union all
     select 'Destination of leads ' || name from lead_destinations
     where company_id = $1 and secrets is not null and deleted_at is null
     union all
     select 'Mail server ' || host from mail_settings where company_id = $1 and password is not null
     union all
     select 'Webhook ' || target_url from webhooks where company_id = $1 and secret is not null
     order by 1`,
    [id],
  )
  return { ...companies[0]!, addresses, without_secret: lost.map(({ name }) => name) }
}
