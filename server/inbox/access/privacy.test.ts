// A personal mailbox is its owner's alone until it is shared. Admins are no exception, in no interface.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { testLive } from '../../../test/live.ts'
import { testWorker } from '../../../test/worker.ts'
import { noteFirstSync } from '../../channels/email/sync-job.ts'
import type { ChannelRow } from '../channels/channel.ts'

const kith = await testApp({ own: true })
const { given } = kith
const inbox = inboxFor(kith)
const secret = 'Zebrafinch'

let admin: GivenUser
let owner: GivenUser
let colleague: GivenUser
let own: ChannelRow
let mail: Awaited<ReturnType<typeof inbox.arrives>>
let person: string
let file: string

beforeEach(async () => {
  admin = await given.company()
  owner = await given.user(admin, { name: 'Olga Owner' })
  colleague = await given.user(admin, { name: 'Carl Colleague' })
  const api = kith.withKey(await given.key(admin))
  const people = await api.createRecords({
    object: 'people',
    records: [{ last_name: 'Stone', emails: ['ada@customer.example'] }],
  } as never)
  person = people.records[0]!.id
  own = await inbox.channel(owner, { is_personal: true, name: `${secret} mailbox` })
  mail = await inbox.arrives(own, {
    subject: `${secret} subject`,
    text: `${secret} text`,
    files: [
      { name: `${secret}.txt`, type: 'text/plain', content: Buffer.from(secret), contentId: null, isInline: false },
    ],
  })
  const { messages } = await kith.withKey(await given.key(owner)).getConversation({ id: mail.conversationId })
  file = messages[0]!.files[0]!.id
})

type Api = ReturnType<typeof kith.withKey>
const ways = {
  session: async (user: GivenUser): Promise<Api> => kith.withSession(await given.session(user)),
  key: async (user: GivenUser): Promise<Api> => kith.withKey(await given.key(user)),
}
const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error) => error.problem.status as number,
  )

/** What each interface says. Calls that change something come last. */
async function seenBy(api: Api, send: (path: string) => Promise<Response>) {
  const { conversationId: id, messageId } = mail
  const message = `/messages/${messageId}`
  return {
    list: (await api.listConversations({})).items.length,
    filtered: (await api.listConversations({ filter: 'state = open' })).items.length,
    search: (await api.listConversations({ q: secret })).items.length,
    searched: (await api.listConversations({ filter: `search("${secret}")` })).items.length,
    ofRecord: (await api.listConversations({ record_id: person })).items.length,
    count: (await api.countConversations({})).all,
    channelCounts: (await api.countConversations({})).channels.length,
    fields: JSON.stringify(await api.listConversationFields({})).includes(secret),
    read: await status(api.getConversation({ id })),
    body: (await send(`${message}/body`)).status,
    file: (await send(`${message}/files/${file}`)).status,
    timeline: (await api.getTimeline({ object: 'people', id: person, kinds: ['message'] })).items.length,
    changes: JSON.stringify(await api.listChanges({})).includes(secret),
    events: (await api.listEvents({ object: 'conversations' })).items.length,
    ...(await figuresFor(api)),
    mark: await status(api.markConversationsRead({ ids: [id] })),
    link: await status(api.linkConversation({ id, add: [{ object: 'people', id: person }] })),
    assign: await status(api.assignConversation({ id, user_id: owner.user_id })),
    split: await status(api.splitConversation({ id, message_ids: [messageId] })),
    close: await status(api.updateConversations({ ids: [id], state: 'closed' })),
  }
}

async function figuresFor(api: Api) {
  const [byChannel, byAssignee] = await Promise.all(
    (['channel', 'assignee'] as const).map((by) => api.previewWidget({ widget: { type: 'inbox', id: 'inbox', by } })),
  )
  return {
    widget: [byChannel!, byAssignee!].map(({ total }) => total!.values.count),
    widgetNames: JSON.stringify([byChannel, byAssignee]).includes(secret),
  }
}

const everything = {
  list: 1,
  filtered: 1,
  search: 1,
  searched: 1,
  ofRecord: 1,
  count: 1,
  channelCounts: 1,
  fields: true,
  read: 200,
  body: 200,
  file: 200,
  timeline: 1,
  changes: false,
  events: 0,
  widget: [1, 1],
  widgetNames: true,
  // The only message cannot be split off.
  mark: 200,
  link: 200,
  assign: 200,
  split: 409,
  close: 200,
}
const nothing = {
  list: 0,
  filtered: 0,
  search: 0,
  searched: 0,
  ofRecord: 0,
  count: 0,
  channelCounts: 0,
  fields: false,
  read: 404,
  body: 404,
  file: 404,
  timeline: 0,
  changes: false,
  events: 0,
  widget: [0, 0],
  widgetNames: false,
  mark: 404,
  link: 404,
  assign: 404,
  split: 404,
  close: 404,
}

const sendAs = (headers: Record<string, string>, mount: string) => (path: string) =>
  kith.send(`${mount}${path}`, { headers })
const bySession = async (user: GivenUser) =>
  seenBy(await ways.session(user), sendAs({ cookie: `kith_session=${await given.session(user)}` }, '/app/api'))
const byKey = async (user: GivenUser) =>
  seenBy(await ways.key(user), sendAs({ 'x-api-key': await given.key(user) }, '/api/v1'))

async function byAgent(user: GivenUser, tool: string, input: object) {
  const response = await kith.send('/api/v1/mcp', {
    method: 'POST',
    headers: {
      'x-api-key': await given.key(user),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: input } }),
  })
  return response.text()
}

const share = (is_shared: boolean) =>
  kith.db
    .updateTable('channels')
    .set({ is_shared })
    .where('company_id', '=', own.company_id)
    .where('id', '=', own.id)
    .execute()

describe('a personal mailbox', () => {
  test('is seen by its owner in the web app and with a key', async () => {
    expect(await bySession(owner)).toEqual(everything)
    await kith.db
      .updateTable('conversations')
      .set({ state: 'open' })
      .where('company_id', '=', owner.company_id)
      .execute()
    expect(await byKey(owner)).toEqual(everything)
  })

  test('is seen by no colleague and no Admin, in the web app or with a key', async () => {
    for (const user of [colleague, admin]) {
      expect(await bySession(user)).toEqual(nothing)
      expect(await byKey(user)).toEqual(nothing)
    }
  })

  test('is seen by the agent of its owner and by no other', async () => {
    const calls: [string, object][] = [
      ['list_conversations', {}],
      ['list_conversations', { q: secret }],
      ['get_conversation', { id: mail.conversationId }],
      ['get_timeline', { object: 'people', id: person }],
    ]
    for (const [tool, input] of calls) {
      expect(await byAgent(owner, tool, input), tool).toMatch(new RegExp(`untrusted_fields.*${secret}`))
      for (const user of [colleague, admin]) expect(await byAgent(user, tool, input)).not.toContain(secret)
    }
  })

  test('causes no event that a webhook, a notification or the audit log of the company could tell', async () => {
    const { company_id } = owner
    const { rows } = await sql<{ event: string; payload: object }>`
      select event, payload from outbox where company_id = ${company_id}
        and (event like 'conversation.%' or event like 'message.%')`.execute(kith.db)
    expect(rows.length).toBeGreaterThan(0)
    for (const { event, payload } of rows) {
      expect(event).toBe('conversation.changed')
      expect(payload).toMatchObject({ user_id: owner.user_id })
    }
    const audit = await kith.withKey(await given.key(admin)).listAuditEvents({})
    expect(JSON.stringify(audit)).not.toContain(secret)
    const record = await kith.withKey(await given.key(admin)).getRecord({ object: 'people', id: person })
    expect(record.last_activity_at ?? null).toBeNull()
  })

  test('is told live to its owner alone', async () => {
    const { listen, settled } = await testLive(kith)
    const [ofOwner, ofColleague, ofAdmin] = await Promise.all([owner, colleague, admin].map(listen))
    const worker = await testWorker(kith)
    const next = await inbox.arrives(own, { references: [mail.mail.key] })
    await worker.wake()
    await vi.waitFor(() => expect(ofOwner!.join()).toContain(next.conversationId), { timeout: 60_000 })
    await settled(owner.company_id, [ofOwner!, ofColleague!, ofAdmin!])
    for (const heard of [ofColleague!, ofAdmin!]) expect(heard.join()).not.toContain(next.conversationId)
  })

  test('is seen by everyone as soon as it is shared, and no longer when it is not', async () => {
    await share(true)
    expect(await byKey(colleague)).toEqual(everything)
    await share(false)
    expect(await byKey(colleague)).toEqual(nothing)
  })

  test('takes no proposals of colleagues while it is shared, so that they keep nothing of it', async () => {
    await share(true)
    const { id: channel_id } = await inbox.channel(admin)
    const api = await ways.key(colleague)
    const propose = (more: object) =>
      status(api.draftReply({ conversation_id: mail.conversationId, text: 'Yes', ...more }))
    expect([await propose({}), await propose({ channel_id })]).toEqual([403, 422])
    expect((await api.listProposals({})).items).toEqual([])
  })

  test('has no events, not even those from when it was shared', async () => {
    const worker = await testWorker(kith)
    await share(true)
    const api = await ways.key(colleague)
    await api.updateConversations({ ids: [mail.conversationId], state: 'closed' })
    const events = async (user: GivenUser) =>
      (await (await ways.key(user)).listEvents({ type: 'conversation.closed' })).items
    await worker.wake()
    await vi.waitFor(async () => expect(await events(colleague)).toHaveLength(1), { timeout: 60_000 })
    await share(false)
    for (const user of [owner, colleague, admin]) expect(await events(user)).toEqual([])
  })

  test('cannot be assigned to someone who may not read it', async () => {
    const api = await ways.key(owner)
    expect(await status(api.assignConversation({ id: mail.conversationId, user_id: colleague.user_id }))).toBe(409)
  })
})

describe('when the owner leaves', () => {
  const channelRow = async () =>
    kith.db
      .selectFrom('channels')
      .selectAll()
      .where('company_id', '=', own.company_id)
      .where('id', '=', own.id)
      .executeTakeFirstOrThrow()
  const left = async () => {
    const { company_id, user_id } = owner
    await kith.db
      .updateTable('users')
      .set({ deactivated_at: kith.time.now })
      .where('company_id', '=', company_id)
      .where('id', '=', user_id)
      .execute()
    const worker = await testWorker(kith)
    await worker.run('leave_channels', { company_id, payload: { user_id } })
    return worker
  }
  const stored = async () => {
    const { rows } = await sql<{ messages: number; files: number }>`
      select (select count(*)::int from messages where company_id = ${own.company_id}) as messages,
        (select count(*)::int from files where company_id = ${own.company_id}) as files`.execute(kith.db)
    return rows[0]
  }

  test('the mailbox is disconnected at once, and its mail deleted after the retention period', async () => {
    const worker = await left()
    expect(await channelRow()).toMatchObject({ state: 'disconnected', secrets: null })
    await worker.run('purge_channels', {})
    expect(await stored()).toEqual({ messages: 1, files: 1 })
    kith.minutes(31 * 24 * 60)
    await worker.run('purge_channels', {})
    expect(await stored()).toEqual({ messages: 0, files: 0 })
    expect((await channelRow()).deleted_at).not.toBeNull()
  })

  test('mail that was shared stays', async () => {
    await share(true)
    const worker = await left()
    kith.minutes(31 * 24 * 60)
    await worker.run('purge_channels', {})
    expect(await stored()).toEqual({ messages: 1, files: 1 })
    expect((await (await ways.key(colleague)).listConversations({})).items).toHaveLength(1)
  })

  test('someone who is active again has lost no mail', async () => {
    const worker = await left()
    await kith.db
      .updateTable('users')
      .set({ deactivated_at: null })
      .where('company_id', '=', owner.company_id)
      .execute()
    kith.minutes(31 * 24 * 60)
    await worker.run('purge_channels', {})
    expect(await stored()).toEqual({ messages: 1, files: 1 })
  })
})

test('how far the first sync of a private mailbox is, only its owner sees, hears and stops', async () => {
  const live = await testLive(kith)
  const users = [admin, colleague, owner]
  const pages = await Promise.all(users.map((user) => live.listen(user)))
  const team = await inbox.channel(admin, { name: 'Team' })
  const start = async (channel: ChannelRow) => {
    await sql`insert into channel_folders (company_id, channel_id, path, role, server_count, our_count, is_complete)
      values (${channel.company_id}, ${channel.id}, 'INBOX', 'inbox', 4711, 10, false)`.execute(kith.db)
    await noteFirstSync({ db: kith.db, channel, clock: () => kith.time.now } as never)
    await noteFirstSync({ db: kith.db, channel, clock: () => kith.time.now } as never)
    const { rows } = await sql<{ id: string }>`select id from jobs where company_id = ${channel.company_id}
      and input ->> 'channel_id' = ${channel.id}`.execute(kith.db)
    return rows[0]!.id
  }
  const [hidden, known] = [await start(own), await start(team)]
  await live.settled(admin.company_id, pages)
  const heardOf = (id: string) => pages.map((heard) => heard.some((line) => line.includes(id)))
  expect(heardOf(hidden)).toEqual([false, false, true])
  expect(heardOf(known)).toEqual([true, true, true])
  const [boss, , theirs] = await Promise.all(users.map(ways.session))
  const jobsOf = async (api: Api) => (await api.listJobs({})).items.map(({ id }) => id)
  expect(await jobsOf(boss!)).toEqual([known])
  expect(await jobsOf(theirs!)).toEqual([hidden])
  expect(await status(boss!.getJob({ id: hidden }))).toBe(404)
  expect(await status(boss!.cancelJob({ id: hidden }))).toBe(404)
  expect(await status(theirs!.cancelJob({ id: hidden }))).toBe(200)
  await sql`update channels set is_shared = true where company_id = ${own.company_id} and id = ${own.id}`.execute(
    kith.db,
  )
  expect(await jobsOf(boss!), 'a shared mailbox is no secret').toEqual([known, hidden])
})
