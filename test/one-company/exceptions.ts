// Where a statement may concern several companies, and why. None of these touches a table that grows with records.
import { migrationsFolder, readMigrations } from '../../server/platform/migrate.ts'

/** What is looked up before the company is known. Each value leads to one company, except a browser's token. */
export const foundBySecret: Record<string, string> = {
  company_by_secret: 'hash',
  sign_in_emails: 'email',
  sign_in_steps: 'token_hash',
  sign_in_devices: 'token_hash',
  account_links: 'token_hash',
  passkeys: 'credential_id',
}

/** The dispatcher takes the events of all companies in one batch, and a process looks which companies have work. */
export const queues = ['outbox', 'due_work']

const migrations = new Set(readMigrations(migrationsFolder).map(({ text }) => text))

/** As written, with single spaces and without quotes. */
const exceptions: { statement: RegExp; because: string }[] = [
  {
    statement:
      /^select distinct d\.company_id from (reminders|lead_submissions|lead_returns|conversations|conversation_openings|channels|proposals|audit_events|notification_choices) d where/,
    because: 'A process looks which companies have something to deliver, or tasks to remind of',
  },
  {
    statement: /^select company_id, min\([\w(), ]+\) as at from \w+ (where .+ )?group by company_id$/,
    because: 'Every ten minutes and after a start, a process looks for work that no event announced',
  },
  {
    statement: /^select state, count\(.* from channels where .* group by state$/,
    because: 'Metrics count the mailboxes of the whole installation',
  },
  {
    statement: /^select hash, company_id from company_by_secret where hash = any\(/,
    because: 'The keys of calls that arrive together are looked up together',
  },
  {
    statement:
      /^delete from (company_by_secret|sessions|sign_in_steps|sign_in_devices|account_links) where (\( )?(last_|created_at|expires_at)/,
    because: 'What expired in the tables for signing in is found by its own index',
  },
  { statement: /^select id from users limit/, because: 'The first start looks whether there is any user' },
  {
    statement: /^select company_id from mail_settings limit/,
    because: 'Whether this installation sends mail at all',
  },
  {
    statement: /^select .* from (users|mail_settings) where substring\(/,
    because: 'The start encrypts secrets of version 0.1 again',
  },
  {
    statement:
      /^(update (users|mail_settings) set (totp_secret|password) = \$1[^?]*$|delete from (recovery_codes|sign_in_steps)$|update subscriptions set is_active = false where kind = 'webhook'$|update webhooks set secret = null|update lead_destinations set secrets = null where secrets is not null)/,
    because: 'FORGET_SECRETS: the key to all secrets is lost',
  },
  {
    statement: /^select .* from views where filter_field_ids is null/,
    because: 'Views of earlier versions are rewritten',
  },
  {
    statement: /^select u\.company_id, u\.id as user_id from users u join roles r .* where r\.is_admin .* limit 1$/,
    because: 'npm run doctor tries the MCP endpoint as the first Admin',
  },
  { statement: /from mail_settings as m inner join companies/, because: 'npm run doctor tries all mail servers' },
  {
    statement: /^select distinct company_id ?, user_id from (account_links|passkeys|sign_in_\w+) ?$/,
    because: 'npm run doctor looks for sign-ins without a user',
  },
  {
    statement: /from users as u inner join roles .* where u \. email = \$1 and u \. removed_at is null$/,
    because: 'npm run reset-password finds users by their address',
  },
  { statement: /^select \* from pictures limit/, because: 'Pictures of earlier versions are moved, one at a time' },
]

export function isException(text: string) {
  const plain = text.replace(/["\s]+/g, ' ').trim()
  return migrations.has(text) || exceptions.some(({ statement }) => statement.test(plain))
}
