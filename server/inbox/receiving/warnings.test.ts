// Messages whose sender or links are not what they seem say so, to people and to agents.
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { mcpFor } from '../../../test/mcp.ts'
import type { ChannelRow, Incoming } from '../channels/channel.ts'

const kith = await testApp()
const { legacy } = await mcpFor(kith)
const inbox = inboxFor(kith)
let admin: GivenUser
let api: ReturnType<typeof kith.withKey>
let team: ChannelRow

beforeEach(async () => {
  admin = await kith.given.company()
  api = kith.withKey(await kith.given.key(admin))
  team = await inbox.channel(admin, { address: 'support@acme.example' })
})

const warningsOf = async (values: Partial<Incoming>) => {
  const { conversationId } = await inbox.arrives(team, values)
  const { messages, conversation, maybe } = await api.getConversation({ id: conversationId })
  const { warnings, from_name } = messages.at(-1)!
  return { warnings, from_name, participant: conversation.participants[0], maybe }
}
const from = (address: string, name: string | null = null) => ({ from: { address, name } })

test('a sender whose name is the address of someone else is shown by its own, and belongs to no conversation of theirs', async () => {
  const first = await inbox.arrives(team, { ...from('mara@customer.example', 'Mara'), subject: 'Offer 4711' })
  const references = [first.mail.key]
  expect(await warningsOf({ ...from('eve@evil.example', 'mara@customer.example'), references })).toMatchObject({
    warnings: ['The sender claims to be mara@customer.example, but wrote from eve@evil.example.'],
    from_name: null,
    participant: { address: 'eve@evil.example', name: null },
    maybe: null,
  })
  expect(await warningsOf({ ...from('max@other.example', 'Max'), references })).toMatchObject({
    warnings: [],
    from_name: 'Max',
    maybe: { subject: 'Offer 4711' },
  })
})

test.each([
  ['a letter of another alphabet', 'mara@custоmer.example', 'mara@xn--custmer-djg.example'],
  ['a domain in punycode', 'mara@xn--custmer-djg.example', 'mara@xn--custmer-djg.example'],
  ['a word of letters that look like others', 'mara@рау.example', 'mara@xn--80a5ak.example'],
])('an address with %s is pointed out', async (_, address, plain) => {
  expect((await warningsOf(from(address))).warnings).toEqual([
    `The address ${address} contains letters of another alphabet that look like ${plain}.`,
  ])
})

test.each(['ada@müller.example', 'ada@xn--mller-kva.example', 'мария@пример.рф', 'ada@море.рф', 'łukasz@example.pl'])(
  'an honest address in any alphabet has no warning: %s',
  async (address) => expect((await warningsOf(from(address))).warnings).toEqual([]),
)

test('replies that go to another site are pointed out, but not those of our own forms and of newsletters', async () => {
  const replyTo = { address: 'eve@evil.example', name: null }
  expect((await warningsOf({ replyTo })).warnings).toEqual([
    'Replies go to eve@evil.example, not to the sender ada@customer.example.',
  ])
  expect((await warningsOf({ replyTo: { address: 'ada@mail.customer.example', name: null } })).warnings).toEqual([])
  expect((await warningsOf({ ...from(team.address), replyTo })).warnings).toEqual([])
  expect((await warningsOf({ replyTo, isAutomatic: true })).warnings).toEqual([])
})

test('links that show another site than theirs are pointed out', async () => {
  const html = `<p><a href="https://bank.example/x">https://kith.test/settings</a> <a href="https://bank.example">bank.example</a>
    <a href="https://www.shop.example/a">shop.example/a</a> <a href="https://bank.example">Click here</a></p>`
  expect((await warningsOf({ html })).warnings).toEqual(['A link shown as kith.test goes to bank.example.'])
})

test('agents see first which texts of conversations outsiders may have written', async () => {
  const { conversationId } = await inbox.arrives(team)
  const key = await kith.given.key(admin)
  const untrusted = async (name: string, args: object) => {
    const { rpc } = await legacy(key, 'tools/call', { name, arguments: args })
    const { structuredContent } = rpc.result as { structuredContent: { untrusted_fields: string[] } }
    expect(Object.keys(structuredContent)[0], name).toBe('untrusted_fields')
    return structuredContent.untrusted_fields
  }
  expect(await untrusted('list_conversations', {})).toEqual(['subject', 'preview', 'participants'])
  expect(await untrusted('get_conversation', { id: conversationId })).toEqual(
    expect.arrayContaining(['subject', 'text', 'quote', 'reply_address', 'state_reason', 'maybe', 'warnings']),
  )
})
