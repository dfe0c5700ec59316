// Mailboxes of a test company at a Dovecot of the test.
import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, expect, vi } from 'vitest'
import type { HoldPace } from '../server/channels/email/hold.ts'
import { mailboxWork } from '../server/channels/email/hold.ts'
import {
  type MailboxSecrets,
  type MailboxServices,
  mailboxServices,
  sealSecrets,
} from '../server/channels/email/mailbox.ts'
import { createSignIns } from '../server/channels/email/oauth.ts'
import type { Receive } from '../server/channels/email/session.ts'
import type { Files } from '../server/files/queries.ts'
import { diskStore } from '../server/files/store.ts'
import { receive as receiveMessages } from '../server/inbox/receiving/receive.ts'
import { makeDue } from '../server/kernel/due-work.ts'
import { startWorkers } from '../server/kernel/worker.ts'
import type { Db } from '../server/platform/db.ts'
import { createOffload } from '../server/platform/offload.ts'
import { createVault, type Vault } from '../server/platform/vault.ts'

export const testVault = createVault('a secret for tests')

export const testMailboxServices = (more: Partial<MailboxServices> = {}): MailboxServices => ({
  ...mailboxServices({
    vault: testVault,
    signIns: createSignIns({ baseUrl: new URL('http://localhost:3000'), providers: {} }),
    openSignup: true,
    outboundAllow: '127.0.0.1',
  }),
  ...more,
})

type Given = {
  company_id: string
  address: string
  port: number
  secrets: MailboxSecrets
  smtpPort?: number
  provider?: 'google' | null
  created_at?: Date
  created_by?: string
  owner_id?: string
  vault?: Vault
}

export async function givenMailbox(
  db: Db,
  {
    company_id,
    address,
    port,
    secrets,
    smtpPort = 1,
    provider = null,
    created_at = new Date(),
    created_by,
    owner_id,
    vault = testVault,
  }: Given,
) {
  const id = randomUUIDv7()
  const server = (at: number) => ({ host: '127.0.0.1', port: at, security: 'none' })
  const settings = { imap: server(port), smtp: server(smtpPort), username: address, provider }
  await sql`insert into channels (company_id, id, kind, name, address, settings, secrets, created_at, created_by, owner_id)
    values (${company_id}, ${id}, 'email', 'Team', ${address}, ${JSON.stringify(settings)}::jsonb,
      ${sealSecrets(vault, { company_id, id }, secrets)}, ${created_at}, ${created_by}, ${owner_id})`.execute(db)
  await makeDue(db, [{ company_id, queue: 'mailboxes', at: created_at }])
  return { company_id, id }
}
export type GivenMailbox = Awaited<ReturnType<typeof givenMailbox>>

/** Fast enough for tests. */
export const fast: Partial<HoldPace> = {
  pollMs: 1500,
  sliceMs: 500,
  againMs: [50, 500],
  helplessMs: 60_000,
  silenceMs: 10_000,
}

type Runner = {
  db: Db
  receive?: Receive
  files?: Files
  services?: MailboxServices
  pace?: Partial<HoldPace>
  clock?: () => Date
}

export const testFiles = (): Files => ({
  store: diskStore(mkdtempSync(join(tmpdir(), 'kith-files-'))),
  quotaBytes: 1e9,
})

export function testMailboxRunner({
  db,
  receive = receiveMessages,
  files = testFiles(),
  services = testMailboxServices(),
  pace = {},
  clock = () => new Date(),
}: Runner) {
  const log = pino({ level: process.env.MAILBOX_LOG ?? 'silent' })
  const offload = createOffload({ log })
  const reading = { files, offload }
  const work = mailboxWork({ db, log, clock, services, reading, receive, pace: { ...fast, ...pace } })
  const workers = startWorkers({ db, log, clock }, [work])
  const runner = { wake: () => workers.wake('mailboxes'), stop: workers.stop }
  afterAll(async () => {
    await runner.stop()
    await offload.stop()
  })
  return runner
}

export const soonOr = <T>(look: () => Promise<T>, timeout = 120_000) => vi.waitFor(look, { timeout, interval: 25 })

/** What is here of a mailbox. */
export function mailboxesIn(db: Db) {
  async function messages({ company_id }: GivenMailbox) {
    const { rows } = await sql<{ id: string; subject: string; direction: string; text: string }>`
      select id, subject, direction, text from messages where company_id = ${company_id} and kind = 'message'
      order by subject`.execute(db)
    return rows
  }
  async function places({ company_id, id }: GivenMailbox) {
    const { rows } = await sql<{ path: string; uid: string; message_id: string | null }>`
      select path, uid, message_id from message_places where company_id = ${company_id} and channel_id = ${id}
      order by path, uid`.execute(db)
    return rows
  }
  async function stateOf({ company_id, id }: GivenMailbox) {
    const { rows } = await sql<{ state: string; state_reason: string | null; leased_by: string | null }>`
      select state, state_reason, leased_by from channels where company_id = ${company_id} and id = ${id}`.execute(db)
    return rows[0]!
  }
  async function faults({ company_id, id }: GivenMailbox) {
    const { rows } = await sql<{ reason: string; source: Buffer | null; path: string }>`
      select reason, source, path from channel_faults where company_id = ${company_id} and channel_id = ${id}`.execute(
      db,
    )
    return rows
  }
  const synced = (box: GivenMailbox, count: number, timeout = 120_000) =>
    soonOr(async () => {
      expect(await messages(box)).toHaveLength(count)
      expect(await stateOf(box)).toMatchObject({ state: 'synced' })
    }, timeout)
  return { messages, places, stateOf, faults, synced }
}

let count = 0
/** The source of a message. */
export function letter(values: Partial<Record<'id' | 'from' | 'to' | 'subject' | 'text' | 'more', string>> = {}) {
  const n = ++count
  const { id = `<m${n}@example.com>`, from = 'Max <max@example.com>', to = 'ada@acme.test' } = values
  const { subject = `Message ${n}`, text = `Hello ${n}`, more = '' } = values
  return `${id && `Message-ID: ${id}\r\n`}From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\n${more}\r\n${text}\r\n`
}
