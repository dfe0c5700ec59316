import { mail } from '../../contract/mail.ts'
import type { Output, Parsed } from '../../contract/operation.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import { hourMs } from '../platform/times.ts'
import type { Vault } from '../platform/vault.ts'
import { testMail } from './email-texts.ts'
import { MailError } from './mail-error.ts'
import type { Mailer } from './mailer.ts'
import { ownSettings, placeOfPassword } from './queries.ts'

type Services = { vault: Vault; mailer: Mailer }
type Shown = Output<typeof mail.getMailSettings>

const testsAnHour = 10

export const mailOperations = ({ vault, mailer }: Services): Handlers<typeof mail> => ({
  getMailSettings: (context) => shown(context, mailer),

  getMailStatus: async (context) => ({ is_set_up: await mailer.canSend(context.db, actorOf(context).company_id) }),

  async updateMailSettings(context, { password, ...wanted }) {
    const { company_id } = actorOf(context)
    const before = await ownSettings(context.db, company_id)
    if (password === undefined && before?.password) refuseOtherServer(before, wanted)
    const seal = (text: string) => vault.seal(text, placeOfPassword(company_id))
    const sealed = password === undefined ? (before?.password ?? null) : password ? seal(password) : null
    const values = { ...wanted, password: sealed }
    await context.db
      .insertInto('mail_settings')
      .values({ company_id, ...values })
      .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
      .execute()
    const { host, port, security, username, from_email } = wanted
    const passwordChange = password === undefined ? 'kept' : sealed ? 'set' : 'removed'
    context.emit('mail.changed', { host })
    context.audit('mail.changed', { data: { host, port, security, username, from_email, password: passwordChange } })
    return shown(context, mailer)
  },

  async deleteMailSettings(context) {
    const { company_id } = actorOf(context)
    const deleted = await context.db.deleteFrom('mail_settings').where('company_id', '=', company_id).executeTakeFirst()
    if (deleted.numDeletedRows) {
      context.emit('mail.changed', { host: null })
      context.audit('mail.changed', { data: { removed: true } })
    }
    return shown(context, mailer)
  },

  testMailSettings: prepared(
    mail.testMailSettings,
    async (context) => sendTest(context, mailer),
    async (context, _input, sent_to) => {
      context.audit('mail.tested', { data: { sent: true } })
      return { sent_to }
    },
  ),
})

async function shown({ db, ...context }: Context, { environment }: Mailer): Promise<Shown> {
  const own = await ownSettings(db, actorOf(context).company_id)
  if (own) {
    const { company_id: _, password, security, ...settings } = own
    return { source: 'company', ...settings, security: security as Shown['security'], has_password: password !== null }
  }
  const { host = null, port = null, security = null, from } = environment ?? {}
  return {
    source: environment ? 'environment' : 'none',
    host,
    port,
    security,
    // The user name belongs to the operator of the installation and is not shown to companies.
    username: null,
    has_password: Boolean(environment?.password),
    from_name: from?.name ?? null,
    from_email: from?.address ?? null,
  }
}

type ServerAccount = Pick<Parsed<typeof mail.updateMailSettings>, 'host' | 'port' | 'username'> & { security: string }

// A saved password cannot be read, but sending it to an attacker's server would reveal it.
function refuseOtherServer(before: ServerAccount, wanted: ServerAccount) {
  const isSame = (['host', 'port', 'security', 'username'] as const).every((field) => before[field] === wanted[field])
  if (isSame) return
  const message = 'Enter the password again, because the server or the user name has changed'
  throw new AppError('invalid_input', `Correct this and send it again. password: ${message}`, {
    errors: [{ path: 'password', message }],
  })
}

async function sendTest(context: Context, mailer: Mailer) {
  const { company_id, user_id, company_name, email } = actorOf(context)
  if (!email) throw new AppError('conflict', 'Your account has no email address to send a test to.')
  await refuseFlood(context)
  try {
    await mailer.send(context.db, company_id, testMail({ to: email, company: company_name }))
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const said = error.said ? ` The server said: ${error.said}` : ''
    throw new AppError('conflict', error.message + said, {
      audit: { company_id, actor_id: user_id, action: 'mail.tested', data: { sent: false } },
    })
  }
  return email
}

async function refuseFlood(context: Context) {
  const { company_id, user_id } = actorOf(context)
  const { tests } = await context.db
    .selectFrom('audit_events')
    .select((eb) => eb.fn.countAll<string>().as('tests'))
    .where('company_id', '=', company_id)
    .where('actor_id', '=', user_id)
    .where('action', '=', 'mail.tested')
    .where('at', '>', new Date(context.now.getTime() - hourMs))
    .executeTakeFirstOrThrow()
  if (Number(tests) < testsAnHour) return
  throw new AppError('too_many_requests', `You can send ${testsAnHour} test emails per hour. Try again later.`, {
    retryAfter: hourMs / 1000,
  })
}
