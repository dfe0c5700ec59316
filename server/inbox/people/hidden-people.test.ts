// What the inbox shows of people whom a reader may not read: only what their messages say.
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Grant } from '../../../contract/shared/access.ts'
import { testApp } from '../../../test/app.ts'
import { arrivingAt, givenChannel, testChannelKind } from '../../../test/channel.ts'
import type { GivenUser } from '../../../test/given.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const kith = await testApp({ channelKinds: { test: testChannelKind().kind } })
await testWorker(kith)
const { legacy } = await mcpFor(kith)
const { given } = kith
const arrives = arrivingAt(kith)
const none = { read: 'none', create: false, edit: 'none', delete: 'none' } as const
const [phone, email] = ['+4930123456', 'hana@customer.example']

type Api = ReturnType<typeof kith.withKey>
let admin: GivenUser
let api: Api
let support: Awaited<ReturnType<typeof givenChannel>>
let person: string
let conversation: string

beforeEach(async () => {
  admin = await given.company()
  api = kith.withSession(await given.session(admin))
  const hana = { first_name: 'Hidden', last_name: 'Harbor', emails: [email], phones: [phone] }
  person = (await api.createRecords({ object: 'people', records: [hana] })).records[0]!.id
  support = await givenChannel(kith, admin, { agents: 'send' })
  conversation = (await arrives(support, phone, { subject: '' })).conversation_id
})

async function reader(read: 'none' | 'own', grants: Grant[] = []) {
  const { name } = await api.createRole({ name: `Reads ${read}`, grants, records: { '*': { ...none, read } } })
  return given.user(admin, { role: name, name: 'Rita Reader' })
}

test('their names and IDs are not shown, found or sent in notifications', async () => {
  const participantOf = async (one: Api) => (await one.listConversations({})).items[0]!.participants[0]
  expect(await participantOf(api)).toEqual({ address: phone, name: 'Hidden Harbor', person_id: person })
  for (const read of ['none', 'own'] as const) {
    const user = await reader(read)
    const key = await given.key(user)
    const one = kith.withKey(key)
    expect(await participantOf(one)).toEqual({ address: phone, name: 'Cora Customer', person_id: null })
    const found = async (filter: string) => (await one.listConversations({ filter })).items.length
    expect(await found('participant ~ "harbor"')).toBe(0)
    expect(await found('participant = "Hidden Harbor"')).toBe(0)
    expect(await found('participant ~ "30123"')).toBe(1)
    await api.assignConversation({ id: conversation, user_id: user.user_id })
    const [notified] = await soon(async () => {
      const { items } = await one.listNotifications({})
      expect(items).toHaveLength(1)
      return items
    })
    const call = { name: 'get_conversation', arguments: { id: conversation } }
    const all = [
      notified,
      await one.getConversation({ id: conversation }),
      await one.listConversations({ q: 'work' }),
      (await legacy(key, 'tools/call', call)).text,
    ]
    expect(JSON.stringify(all)).not.toMatch(new RegExp(`Harbor|${person}`))
  }
  expect((await api.listConversations({ filter: 'participant ~ "harbor"' })).items).toHaveLength(1)
})

test('their own people are shown to those who read only their own', async () => {
  const user = await reader('own')
  await api.updateRecords({ object: 'people', records: [{ id: person, values: { owner: user.user_id } }] })
  const one = kith.withKey(await given.key(user))
  const { items } = await one.listConversations({ filter: 'participant ~ "harbor"' })
  expect(items[0]!.participants).toEqual([{ address: phone, name: 'Hidden Harbor', person_id: person }])
})

test('“Do not contact” is reported by address, without the name of the person', async () => {
  await api.updateRecords({ object: 'people', records: [{ id: person, values: { do_not_contact: true } }] })
  const one = kith.withSession(await given.session(await reader('own', ['messages.send'])))
  const refused = await one.sendMessage({ to: [email], subject: 'Hello', text: 'Hello' }).catch((error) => error)
  expect(refused).toMatchObject({ problem: { status: 409 }, message: expect.stringContaining(`${email} must not be`) })
  expect(JSON.stringify(refused.problem)).not.toContain('Harbor')
})

test('a record is unlinked only by those who can see it', async () => {
  const one = kith.withKey(await given.key(await reader('none')))
  const links = async () => (await api.getConversation({ id: conversation })).links.map(({ id }) => id)
  expect(await links()).toEqual([person])
  await one.linkConversation({ id: conversation, remove: [person] })
  expect(await links()).toEqual([person])
  await api.linkConversation({ id: conversation, remove: [person] })
  expect(await links()).toEqual([])
})

test('messages of others are cancelled only by those who may send messages, and one’s own always', async () => {
  const user = await reader('none', ['messages.send'])
  const one = kith.withSession(await given.session(user))
  const { conversation_id } = await arrives(support, 'someone@customer.example')
  const send_at = new Date(kith.time.now.getTime() + 86_400_000).toISOString()
  const later = async (by: Api) => (await by.sendMessage({ conversation_id, text: 'Later', send_at })).message!
  const [theirs, mine] = [await later(api), await later(one)]
  await sql`update roles set grants = '{}' where company_id = ${admin.company_id} and name = 'Reads none'`.execute(
    kith.db,
  )
  await expect(one.cancelMessage({ id: theirs.id })).toBeRefused(403)
  expect((await one.cancelMessage({ id: mine.id })).state).toBe('cancelled')
  expect((await api.cancelMessage({ id: theirs.id })).state).toBe('cancelled')
})
