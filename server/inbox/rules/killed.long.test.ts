// What rules do happens once, whatever ends the process that does it.
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { install } from '../../../test/installation.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { createPool, transaction } from '../../platform/db.ts'
import { joinEmbeddedPostgres } from '../../platform/embedded-postgres.ts'
import type { ChannelRow, Incoming } from '../channels/channel.ts'
import { readShort } from '../receiving/read-messages.ts'
import { receive } from '../receiving/receive.ts'

waitForProcesses()

const kith = await install({ LOG: 'off' })
afterAll(kith.remove)

test('with kill -9 between a message and what a rule does with it, all of it happens once, soon after a start', async () => {
  const admin = await kith.given.company()
  const { company_id } = admin
  const api = kith.withKey(await kith.given.key(admin))
  const channel: ChannelRow = {
    company_id,
    id: randomUUIDv7(),
    kind: 'email',
    name: 'Support',
    address: 'support@acme.example',
    owner_id: null,
    settings: {},
    secrets: null,
  }
  await kith.db
    .insertInto('channels')
    .values({ ...channel, settings: '{}', state: 'paused', created_at: new Date(), created_by: admin.user_id })
    .execute()
  const label = await api.createConversationLabel({ name: 'Billing', color: 'blue' })
  const rule = await api.createInboxRule({
    name: 'Invoices',
    on: 'message_received',
    actions: [
      { kind: 'label', label_ids: [label.id] },
      { kind: 'task', title: 'Call back', due_in_hours: 4, user_id: admin.user_id },
      { kind: 'close' },
    ],
  })
  // The message is claimed by the rules, which then wait for this lock.
  const holder = await kith.pool.connect()
  await holder.query('begin')
  await holder.query('lock table inbox_rule_runs in share row exclusive mode')
  const mail: Incoming = {
    key: '<1@customer.example>',
    providerId: '<1@customer.example>',
    references: [],
    conversationId: null,
    direction: 'in',
    from: { address: 'ada@customer.example', name: 'Ada Stone' },
    subject: 'Invoice',
    recipients: [{ kind: 'to', address: channel.address, name: null }],
    at: new Date(),
    text: 'It is wrong.',
    html: null,
    files: [],
    isAutomatic: false,
    bounce: null,
    isRead: false,
  }
  const read = readShort([mail], new Date())
  const [received] = await transaction(kith.db, (tx) => receive(tx, channel, read, new Date()))
  try {
    const waiting = 'select 1 from pg_locks where not granted'
    await kith.eventually(async () => (await kith.pool.query(waiting)).rows.length > 0)
    await kith.kill(kith.server)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  const seen = await api.listInboxRules({}).catch(() => undefined)
  expect(seen, 'the server is gone').toBe(undefined)
  const { rows: before } = await kith.pool.query('select rules_at from messages where company_id = $1', [company_id])
  expect(before).toEqual([{ rules_at: null }])

  // Its last sign of life is half a minute ago, as the next process sees when it looks.
  const queue = createPool((await joinEmbeddedPostgres(kith.dataDir)).connection, { max: 1 })
  await queue.query(`update pgboss.job set heartbeat_on = now() - interval '31 seconds'
    where name = 'apply_inbox_rules' and state = 'active'`)
  await queue.query('update pgboss.queue set monitor_claim_on = null, monitor_on = null')
  await queue.end()
  const server = await kith.startServer()
  await kith.eventually(async () => (await api.listInboxRules({})).items[0]!.run_count > 0, 150)
  const { conversation, messages } = await api.getConversation({ id: received!.conversationId })
  expect(conversation).toMatchObject({ state: 'closed', label_ids: [label.id] })
  const lines = messages.filter(({ kind }) => kind === 'event').map(({ text }) => text)
  expect(lines).toEqual(['Added the label Billing', 'Closed this'])
  expect((await api.listRecords({ object: 'tasks' })).records).toHaveLength(1)
  const { rows: runs } = await kith.pool.query('select rule_id from inbox_rule_runs where company_id = $1', [
    company_id,
  ])
  expect(runs).toEqual([{ rule_id: rule.id }])
  await kith.kill(server)
}, 300_000)
