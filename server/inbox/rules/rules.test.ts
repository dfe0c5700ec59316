// Rules of the inbox: what they do, when, and what they never do.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RuleAction } from '../../../contract/inbox-rules.ts'
import { testApp } from '../../../test/app.ts'
import { testChannelKind } from '../../../test/channel.ts'
import type { GivenUser } from '../../../test/given.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import type { ChannelRow } from '../channels/channel.ts'

const sender = testChannelKind()
const kith = await testApp({ channelKinds: { email: sender.kind } })
const worker = await testWorker(kith)
const { given, db } = kith
const inbox = inboxFor(kith)
let admin: GivenUser
let grace: GivenUser
let api: ReturnType<typeof kith.withSession>
let key: ReturnType<typeof kith.withKey>
let team: ChannelRow

beforeEach(async () => {
  admin = await given.company()
  grace = await given.user(admin, { name: 'Grace Hopper' })
  api = kith.withSession(await given.session(admin))
  key = kith.withKey(await given.key(admin))
  team = await inbox.channel(admin, { name: 'Support' })
})

const rule = (actions: RuleAction[], more: Partial<Parameters<typeof api.createInboxRule>[0]> = {}) =>
  api.createInboxRule({ name: 'Rule', on: 'conversation_created', actions, ...more })

/** Until the rules have been applied to it. */
async function arrives(...given: Parameters<typeof inbox.arrives>) {
  const received = await inbox.arrives(...given)
  worker.wake()
  await soon(async () => {
    const { rows } = await sql<{ rules_at: Date | null }>`
      select rules_at from messages where company_id = ${admin.company_id} and id = ${received.messageId}`.execute(db)
    expect(rows[0]!.rules_at).not.toBe(null)
  })
  return received
}
const read = async (id: string) => api.getConversation({ id })
const conversationOf = async ({ conversationId }: { conversationId: string }) =>
  (await read(conversationId)).conversation
const template = (text = 'We got your message, {{ first_name }}. {{ my_name }}') =>
  api.createMessageTemplate({ name: 'Received', text, is_shared: true })

describe('a rule', () => {
  test('assigns, labels, creates a task, notifies and closes, each with its name in the conversation', async () => {
    const label = await api.createConversationLabel({ name: 'Billing', color: 'blue' })
    const person = { first_name: 'Ada', last_name: 'Stone', emails: ['ada@customer.example'] }
    const { records } = await api.createRecords({ object: 'people', records: [person] })
    await rule(
      [
        { kind: 'assign', user_ids: [grace.user_id] },
        { kind: 'label', label_ids: [label.id] },
        { kind: 'task', title: 'Call back', due_in_hours: 4, user_id: null },
        { kind: 'notify', user_ids: [admin.user_id] },
        { kind: 'close' },
      ],
      { name: 'Invoices', filter: 'subject ~ invoice' },
    )
    const other = await arrives(team, { subject: 'Hello' })
    expect(await conversationOf(other)).toMatchObject({ assignee_id: null, state: 'open', label_ids: [] })
    const hit = await arrives(team, { subject: 'Your invoice' })
    const { conversation, messages } = await read(hit.conversationId)
    expect(conversation).toMatchObject({ assignee_id: grace.user_id, state: 'closed', label_ids: [label.id] })
    const lines = messages.filter(({ kind }) => kind === 'event')
    expect(lines.map(({ text, user_id, rule_name }) => [text, user_id, rule_name])).toEqual([
      ['Assigned this to Grace Hopper', null, 'Invoices'],
      ['Added the label Billing', null, 'Invoices'],
      ['Closed this', null, 'Invoices'],
    ])
    const [task] = (await api.listRecords({ object: 'tasks' })).records
    expect(task).toMatchObject({ title: 'Call back' })
    for (const id of [grace.user_id, records[0]!.id]) expect(JSON.stringify(task)).toContain(id)
    const { items } = await api.listChanges({ record_id: task!.id })
    expect(items[0]).toMatchObject({ actor_id: null, principal: { kind: 'rule', name: 'Invoices' } })
    const graces = kith.withSession(await given.session(grace))
    await soon(async () => {
      const kinds = (await graces.listNotifications({})).items.map(({ kind }) => kind)
      expect(kinds).toContain('conversation_assigned')
      const told = (await api.listNotifications({})).items.find(({ kind }) => kind === 'conversation_noticed')
      expect(told!.text).toContain('Invoices')
    })
    await api.updateConversations({ ids: [hit.conversationId], state: 'open', assignee_id: null })
    expect(await conversationOf(hit)).toMatchObject({ assignee_id: null, state: 'open' })
    const [listed] = (await api.listInboxRules({})).items
    expect(listed).toMatchObject({ run_count: 1, last_problem: null, problem: null })
  })

  test('assigns in turn, not to those who are away, and leaves what one of them has', async () => {
    const linus = await given.user(admin, { name: 'Linus' })
    await rule([{ kind: 'assign', user_ids: [admin.user_id, grace.user_id, linus.user_id] }], {
      on: 'message_received',
    })
    await sql`update users set away_from = '2026-06-01', away_until = '2026-06-30'
      where company_id = ${admin.company_id} and id = ${linus.user_id}`.execute(db)
    const got: (string | null)[] = []
    for (let i = 0; i < 4; i++) got.push((await conversationOf(await arrives(team))).assignee_id)
    expect(got).toEqual([admin.user_id, grace.user_id, admin.user_id, grace.user_id])
    const first = await arrives(team)
    await arrives(team, { references: [first.mail.key] })
    expect((await conversationOf(first)).assignee_id).toBe(admin.user_id)
  })

  test('on new conversations says nothing about later messages, and words are those of the message that arrived', async () => {
    const [a, b] = await Promise.all(['A', 'B'].map((name) => api.createConversationLabel({ name, color: 'gray' })))
    await rule([{ kind: 'label', label_ids: [a!.id] }], { filter: 'search("refund")' })
    await rule([{ kind: 'label', label_ids: [b!.id] }], { on: 'message_received', filter: 'search("refund")' })
    const first = await arrives(team, { text: 'Hello' })
    expect((await conversationOf(first)).label_ids).toEqual([])
    await arrives(team, { text: 'I want a refund', references: [first.mail.key] })
    expect((await conversationOf(first)).label_ids).toEqual([b!.id])
    await api.updateConversations({ ids: [first.conversationId], remove_label_ids: [b!.id] })
    await arrives(team, { text: 'Thank you', references: [first.mail.key] })
    expect((await conversationOf(first)).label_ids).toEqual([])
  })

  test('can be the last one, and the order can be changed', async () => {
    const [a, b] = await Promise.all(['A', 'B'].map((name) => api.createConversationLabel({ name, color: 'gray' })))
    const one = await rule([{ kind: 'label', label_ids: [a!.id] }], { name: 'One', stop_here: true })
    const two = await rule([{ kind: 'label', label_ids: [b!.id] }], { name: 'Two', filter: 'labels is empty' })
    expect((await conversationOf(await arrives(team))).label_ids).toEqual([a!.id])
    const { items } = await api.reorderInboxRules({ ids: [two.id, one.id] })
    expect(items.map(({ name }) => name)).toEqual(['Two', 'One'])
    expect((await conversationOf(await arrives(team))).label_ids.toSorted()).toEqual([a!.id, b!.id].toSorted())
    await expect(api.reorderInboxRules({ ids: [two.id] })).rejects.toMatchObject({ problem: { status: 409 } })
  })

  test('counts for its channels and hours only', async () => {
    const sales = await inbox.channel(admin, { name: 'Sales' })
    const label = await api.createConversationLabel({ name: 'Night', color: 'gray' })
    await rule([{ kind: 'label', label_ids: [label.id] }], { channel_ids: [team.id], during: 'outside_hours' })
    const closed = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [] }
    const days = { ...closed, sunday: [{ from: '09:00', to: '17:00' }] }
    expect((await conversationOf(await arrives(team))).label_ids).toEqual([])
    await api.updateWorkingHours({ hours: { days } })
    expect((await conversationOf(await arrives(team))).label_ids).toEqual([label.id])
    expect((await conversationOf(await arrives(sales))).label_ids).toEqual([])
    await api.updateChannelHours({
      id: team.id,
      hours: { days: { ...days, monday: [{ from: '00:00', to: '24:00' }] } },
    })
    expect((await conversationOf(await arrives(team))).label_ids).toEqual([])
  })

  test('never runs on history, in private mailboxes, or twice for a message', async () => {
    const label = await api.createConversationLabel({ name: 'Seen', color: 'gray' })
    const mine = await inbox.channel(admin, { is_personal: true })
    await rule([{ kind: 'notify', user_ids: [grace.user_id] }], { on: 'message_received' })
    await rule([{ kind: 'label', label_ids: [label.id] }], { on: 'message_received' })
    const old = await inbox.arrives(team, { subject: 'Old' }, { isHistory: true })
    const secret = await inbox.arrives(mine, { subject: 'Private' })
    const fresh = await arrives(team, { subject: 'New' })
    expect((await conversationOf(old)).label_ids).toEqual([])
    expect((await conversationOf(secret)).label_ids).toEqual([])
    for (const { messageId, conversationId } of [fresh, secret])
      await worker.run('apply_inbox_rules', {
        company_id: admin.company_id,
        event: 'message.received',
        payload: { message_id: messageId, conversation_id: conversationId },
      })
    expect((await conversationOf(secret)).label_ids).toEqual([])
    const runs = await db
      .selectFrom('inbox_rule_runs')
      .select('rule_id')
      .where('company_id', '=', admin.company_id)
      .execute()
    expect(runs).toHaveLength(2)
    const { messages } = await read(fresh.conversationId)
    expect(messages.filter(({ kind }) => kind === 'event')).toHaveLength(1)
  })

  test('whose process dies in the middle has done nothing, and does it once when it is tried again', async () => {
    const label = await api.createConversationLabel({ name: 'Once', color: 'gray' })
    await rule([
      { kind: 'label', label_ids: [label.id] },
      { kind: 'task', title: 'One task', due_in_hours: 1, user_id: admin.user_id },
    ])
    await sql`create or replace function refuse_run() returns trigger language plpgsql as
      $$ begin if new.company_id = '${sql.raw(admin.company_id)}' then raise exception 'killed'; end if; return new; end $$`.execute(
      kith.ownerDb,
    )
    await sql`create trigger killed before insert on inbox_rule_runs for each row execute function refuse_run()`.execute(
      kith.ownerDb,
    )
    const { messageId, conversationId } = await inbox.arrives(team)
    const job = () =>
      worker.run('apply_inbox_rules', {
        company_id: admin.company_id,
        event: 'message.received',
        payload: { message_id: messageId, conversation_id: conversationId },
      })
    await expect(job()).rejects.toThrow('killed')
    expect((await conversationOf({ conversationId })).label_ids).toEqual([])
    await sql`drop trigger killed on inbox_rule_runs`.execute(kith.ownerDb)
    await Promise.all([job(), job(), job()])
    expect((await conversationOf({ conversationId })).label_ids).toEqual([label.id])
    expect((await api.listRecords({ object: 'tasks' })).records).toHaveLength(1)
  })
})

describe('actions of a rule', () => {
  const apply = ({ messageId, conversationId }: { messageId: string; conversationId: string }) =>
    worker.run('apply_inbox_rules', {
      company_id: admin.company_id,
      event: 'message.received',
      payload: { message_id: messageId, conversation_id: conversationId },
    })

  test('that cannot be written leave nothing half done, and the rule says why', async () => {
    // No built-in field of tasks can be unique, but one of an earlier version might be.
    await sql`update fields set is_unique = true where company_id = ${admin.company_id} and key = 'title'`.execute(db)
    await sql`update companies set schema_version = schema_version + 1 where id = ${admin.company_id}`.execute(db)
    await api.createRecords({ object: 'tasks', records: [{ title: 'Call back' }] })
    const label = await api.createConversationLabel({ name: 'Half', color: 'gray' })
    const { id } = await rule([
      { kind: 'label', label_ids: [label.id] },
      { kind: 'task', title: 'Call back', due_in_hours: 1, user_id: admin.user_id },
    ])
    const hit = await inbox.arrives(team)
    await apply(hit)
    expect((await api.listRecords({ object: 'tasks' })).records).toHaveLength(1)
    const { items } = await api.listInboxRules({})
    expect(items.find((one) => one.id === id)).toMatchObject({ run_count: 1, last_problem: expect.any(String) })
    expect((await conversationOf(hit)).label_ids).toEqual([])
    const events = (await read(hit.conversationId)).messages.filter(({ kind }) => kind === 'event')
    expect(events).toEqual([])
  })

  test('do not wait for a rule that someone is changing', async () => {
    const label = await api.createConversationLabel({ name: 'At once', color: 'gray' })
    const { id } = await rule([{ kind: 'label', label_ids: [label.id] }])
    const hit = await inbox.arrives(team)
    await db.transaction().execute(async (tx) => {
      await sql`select from inbox_rules where company_id = ${admin.company_id} and id = ${id} for update`.execute(tx)
      await apply(hit)
    })
    expect((await conversationOf(hit)).label_ids).toEqual([label.id])
  })
})

describe('an automatic reply', () => {
  const sentTo = (id: string) => sender.sent.filter(({ conversationId }) => conversationId === id)

  test('is sent with the template, marked as automatic, and is no first response', async () => {
    const { id } = await template()
    await api.updateChannel({ id: team.id, sender_name: 'person' })
    await rule([{ kind: 'reply', template_id: id }], { name: 'Thanks' })
    const hit = await arrives(team, { subject: 'Lamp' })
    const waiting = (await read(hit.conversationId)).messages.at(-1)!
    expect(waiting).toMatchObject({ state: 'waiting', is_automatic: true, rule_name: 'Thanks', user_id: null })
    kith.minutes(1)
    await soon(async () => {
      worker.wake()
      expect(sentTo(hit.conversationId)).toHaveLength(1)
    })
    const [mail] = sentTo(hit.conversationId)
    expect(mail).toMatchObject({ isAutomatic: true, subject: 'Re: Lamp', references: [hit.mail.key] })
    expect(mail!.from.name, 'the mailbox, not a person').toBe('Support')
    expect(mail!.text).toContain('We got your message, Ada. Support')
    await soon(async () => {
      const { conversation, messages } = await read(hit.conversationId)
      expect(messages.at(-1)!.state).toBe('sent')
      expect(conversation).toMatchObject({ first_response_at: null, is_unread: true, last_direction: 'in' })
    })
  })

  test('goes to a conversation once a day, to an address five times, and never to machines or who must not be contacted', async () => {
    const { id } = await template('Thank you.')
    await rule([{ kind: 'reply', template_id: id }], { on: 'message_received' })
    const replies = async (one: { conversationId: string }) =>
      (await read(one.conversationId)).messages.filter(({ direction }) => direction === 'out').length
    const first = await arrives(team, { sender: 'bot@loop.example' })
    await arrives(team, { sender: 'bot@loop.example', references: [first.mail.key] })
    expect(await replies(first)).toBe(1)
    kith.minutes(1)
    await soon(async () => {
      worker.wake()
      expect(sentTo(first.conversationId)).toHaveLength(1)
    })
    kith.minutes(25 * 60)
    await arrives(team, { sender: 'bot@loop.example', references: [first.mail.key] })
    expect(await replies(first)).toBe(2)
    let count = 0
    for (let i = 0; i < 6; i++)
      count += await replies(await arrives(team, { sender: 'robot@loop.example', subject: `Loop ${i}` }))
    expect(count).toBe(5)
    expect(await replies(await arrives(team, { isAutomatic: true, sender: 'x@list.example' }))).toBe(0)
    expect(await replies(await arrives(team, { sender: 'noreply@shop.example' }))).toBe(0)
    for (const noReply of ['asked', 'unproven'] as const)
      expect(await replies(await arrives(team, { sender: `${noReply}@customer.example`, noReply }))).toBe(0)
    const quiet = { last_name: 'Quiet', emails: ['quiet@customer.example'], do_not_contact: true }
    await api.createRecords({ object: 'people', records: [quiet] })
    expect(await replies(await arrives(team, { sender: 'quiet@customer.example' }))).toBe(0)
    expect((await api.listInboxRules({})).items[0]!.last_problem).toContain('must not be contacted')
  })

  test('goes to who wrote, not to where the message asks for answers, and says nothing that the message did not', async () => {
    const { id } = await template('Dear {{ name }}, we got “{{ subject }}”.')
    await rule([{ kind: 'reply', template_id: id }])
    const canary = { first_name: 'Canary', last_name: 'Person', emails: ['canary@customer.example'] }
    await api.createRecords({ object: 'people', records: [canary] })
    const replyTo = { address: 'attacker@evil.example', name: 'Canary' }
    const forged = await arrives(team, {
      from: { address: 'canary@customer.example', name: 'Nick' },
      subject: 'Score?',
      replyTo,
    })
    const answer = (await read(forged.conversationId)).messages.at(-1)!
    expect(answer.recipients).toMatchObject([{ address: 'canary@customer.example' }])
    expect(answer.text).toContain('Dear Nick, we got “Score?”.')
    const advert = await arrives(team, {
      from: { address: 'victim@customer.example', name: 'Pills at www.evil.example' },
    })
    expect((await read(advert.conversationId)).messages.at(-1)!.text).toContain('Dear victim@customer.example,')
  })

  test('cannot use fields of people, neither when the rule is saved nor when its template is changed later', async () => {
    const secret = await template('Your number is {{ person.phones }}.')
    await expect(rule([{ kind: 'reply', template_id: secret.id }])).rejects.toMatchObject({
      problem: { status: 422, errors: [{ path: 'actions.0' }] },
    })
    const { id } = await template()
    await rule([{ kind: 'reply', template_id: id }])
    await expect(api.updateMessageTemplate({ id, text: 'Work at {{ organization }}?' })).toBeRefused(422)
  })

  test('keeps its limits for addresses of the team, too', async () => {
    const { id } = await template('Thank you.')
    await rule([{ kind: 'reply', template_id: id }], { on: 'message_received' })
    const other = await inbox.channel(admin, { name: 'Forms' })
    let count = 0
    for (let i = 0; i < 7; i++) {
      const { conversationId } = await arrives(team, { sender: other.address, subject: `Form ${i}` })
      count += (await read(conversationId)).messages.filter(({ is_automatic }) => is_automatic).length
    }
    expect(count).toBe(5)
  })

  test('has a template that only people who may send messages can change, in the web app', async () => {
    const { id } = await template()
    await rule([{ kind: 'reply', template_id: id }], { name: 'Thanks' })
    const manager = await given.user(admin, { grants: ['channels.manage'] })
    const hers = kith.withSession(await given.session(manager))
    for (const one of [key, hers]) {
      await expect(one.updateMessageTemplate({ id, text: 'Attacker' })).toBeRefused(403)
      await expect(one.deleteMessageTemplate({ id })).toBeRefused(403)
    }
    expect(await api.updateMessageTemplate({ id, text: 'Thanks, {{ first_name }}.' })).toMatchObject({ id })
  })

  test('cannot be set up with an API key, nor with a template that is not shared', async () => {
    const { id } = await template()
    const actions = [{ kind: 'reply' as const, template_id: id }]
    await expect(key.createInboxRule({ name: 'Sneaky', on: 'message_received', actions })).rejects.toMatchObject({
      problem: { status: 403, detail: expect.stringContaining('API keys') },
    })
    const { id: plain } = await key.createInboxRule({
      name: 'Close',
      on: 'message_received',
      actions: [{ kind: 'close' }],
    })
    await expect(key.updateInboxRule({ id: plain, actions })).rejects.toMatchObject({ problem: { status: 403 } })
    const replying = await rule(actions)
    await expect(key.updateInboxRule({ id: replying.id, is_on: false })).rejects.toMatchObject({
      problem: { status: 403 },
    })
    const own = await api.createMessageTemplate({ name: 'Mine', text: 'Hi', is_shared: false })
    await expect(rule([{ kind: 'reply', template_id: own.id }])).rejects.toMatchObject({ problem: { status: 422 } })
  })
})

describe('saving rules', () => {
  test('needs a right, checks what they mention, and keeps filters by ID', async () => {
    const vip = await api.createConversationLabel({ name: 'VIP', color: 'gray' })
    const close = [{ kind: 'close' as const }]
    const created = await rule(close, { filter: 'labels has any (VIP) and assignee = "Grace Hopper"' })
    expect(created.filter).toBe(`labels has any (${vip.id}) and assignee = ${grace.user_id}`)
    await api.updateConversationLabel({ id: vip.id, name: 'Important' })
    expect((await api.listInboxRules({})).items[0]!.problem).toBe(null)
    await api.deleteConversationLabel({ id: vip.id })
    expect((await api.listInboxRules({})).items[0]!.problem).not.toBe(null)
    for (const filter of ['assignee = me', 'is_unread = true', 'sbject ~ x'])
      await expect(rule(close, { filter }), filter).rejects.toMatchObject({ problem: { status: 422 } })
    await expect(rule([{ kind: 'label', label_ids: [vip.id] }])).rejects.toMatchObject({ problem: { status: 422 } })
    const member = kith.withSession(await given.session(grace))
    await expect(member.listInboxRules({})).rejects.toMatchObject({ problem: { status: 403 } })
    await api.deleteInboxRule({ id: created.id })
    expect((await api.listInboxRules({})).items).toEqual([])
  })

  test('a rule goes on when the one who saved it leaves', async () => {
    const boss = await given.user(admin, { role: 'Admin', name: 'Boss' })
    const bosses = kith.withSession(await given.session(boss))
    await bosses.createInboxRule({ name: 'Close', on: 'message_received', actions: [{ kind: 'close' }] })
    await api.deactivateUser({ id: boss.user_id, reassign_to: admin.user_id } as never)
    await soon(async () => expect((await api.listInboxRules({})).items[0]!.problem).toBe(null))
    expect((await conversationOf(await arrives(team))).state).toBe('closed')
  })
})

test('a trial says what the rules would do and changes nothing', async () => {
  const hit = await arrives(team, { subject: 'Your invoice' })
  const { id } = await template()
  await rule(
    [
      { kind: 'assign', user_ids: [grace.user_id] },
      { kind: 'reply', template_id: id },
    ],
    { name: 'Invoices' },
  )
  await rule([{ kind: 'close' }], { name: 'Mine', filter: 'assignee is empty' })
  const before = await read(hit.conversationId)
  const { steps } = await api.previewInboxRules({ conversation_id: hit.conversationId })
  expect(steps).toMatchObject([
    { name: 'Invoices', matches: true, would: ['Assign to Grace Hopper', 'Reply with the template Received'] },
    { name: 'Mine', matches: false, reason: 'The filter does not match.' },
  ])
  expect(await read(hit.conversationId)).toEqual(before)
})

test('a trial shows the text of a reply, whatever was answered before', async () => {
  const { id } = await template()
  await rule([{ kind: 'reply', template_id: id }])
  const { conversationId } = await arrives(team)
  expect((await read(conversationId)).messages.filter(({ is_automatic }) => is_automatic)).toHaveLength(1)
  const { steps } = await api.previewInboxRules({ conversation_id: conversationId })
  expect(steps).toMatchObject([{ skipped: [], replies: ['We got your message, Ada. Support'] }])
})

test('a message that is read long after it arrived gets no automatic reply and no response target', async () => {
  const { id } = await template()
  await rule([{ kind: 'reply', template_id: id }])
  await api.updateWorkingHours({ targets: { response_minutes: 60, resolution_minutes: null } })
  const { conversationId } = await arrives(team, { noReply: 'late' })
  const { conversation, messages } = await read(conversationId)
  expect([messages.length, conversation.response_due_at]).toEqual([1, null])
})
