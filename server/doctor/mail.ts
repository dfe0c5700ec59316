// Checks the mail servers: connects and signs in, but sends nothing.
import { lookup } from 'node:dns/promises'
import { createTransport } from 'nodemailer'
import { openSocket, type Way } from '../mail/connect.ts'
import { explain } from '../mail/mail-error.ts'
import type { MailServer } from '../mail/mail-server.ts'
import { reachOfCompany, serverOf } from '../mail/queries.ts'
import { readSmtpUrl } from '../mail/smtp-url.ts'
import { type Config, StartError } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { readOutboundAllow } from '../platform/outbound.ts'
import type { Vault } from '../platform/vault.ts'
import { type Finding, failed, ok, warning, within } from './finding.ts'

const check = 'Mail'
const seconds = 5
const mostCompanies = 20
type Tried = { whose: string; server: MailServer; way: Omit<Way, 'lookup'> }

export async function checkMail(config: Config, db: Db, vault: Vault): Promise<Finding> {
  let servers: Tried[]
  try {
    servers = [...ofInstallation(config), ...(await ofCompanies(config, db, vault))]
  } catch (error) {
    if (error instanceof StartError) return failed(check, error.message, 'Correct it and restart Kith.')
    throw error
  }
  if (!servers.length) {
    const advice =
      'Set SMTP_URL, or set up a mail server under Company, Mail. Until then, links must be shared by hand.'
    return warning(check, 'No mail server is set up', advice)
  }
  const results = await Promise.all(servers.map(tryServer))
  const errors = results.filter((error) => error !== null)
  if (!errors.length) return ok(check, `Signed in to ${servers.map(({ server }) => server.host).join(', ')}`)
  return failed(check, errors.join('\n'), 'Correct SMTP_URL, or the settings under Company, Mail.')
}

function ofInstallation({ smtpUrl, mailFrom, baseUrl }: Config): Tried[] {
  if (!smtpUrl) return []
  return [{ whose: 'SMTP_URL', server: readSmtpUrl({ smtpUrl, mailFrom, baseUrl }), way: { reach: 'operator' } }]
}

async function ofCompanies({ openSignup, outboundAllow }: Config, db: Db, vault: Vault): Promise<Tried[]> {
  const way = { reach: await reachOfCompany(db, openSignup), allow: readOutboundAllow(outboundAllow) }
  const rows = await db
    .selectFrom('mail_settings as m')
    .innerJoin('companies as c', 'c.id', 'm.company_id')
    .selectAll('m')
    .select('c.name as company_name')
    .orderBy('c.created_at')
    .limit(mostCompanies)
    .execute()
  return rows.map(({ company_name, ...settings }) => ({
    whose: company_name,
    server: serverOf(vault, settings),
    way,
  }))
}

/** An error message without secrets, or null if the server accepts the sign-in. */
async function tryServer({ whose, server, way }: Tried) {
  try {
    await within(seconds, signIn(server, way))
    return null
  } catch (error) {
    return `${whose}: ${explain(error, server).message}`
  }
}

async function signIn(server: MailServer, way: Tried['way']) {
  const { host, port, security, username, password } = server
  const socket = await openSocket(server, { lookup: (name) => lookup(name, { all: true }), ...way })
  const transport = createTransport({
    host,
    port,
    connection: socket,
    ...(username && { auth: { user: username, pass: password ?? '' } }),
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: seconds * 1000,
    greetingTimeout: seconds * 1000,
    socketTimeout: seconds * 1000,
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
    socket.destroy()
  }
}
