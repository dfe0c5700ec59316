// The inbox with a gateway of the company: conversations in every state, proposals of an agent, rules and targets.
// There is no mailbox, because it would need a mail server; its rows have the same form as those of a gateway.
import { createHmac } from 'node:crypto'
import { type Caller, callerOn } from './caller.ts'
import type { At, Story, Team } from './story.ts'

type Conversation = { id: string; subject: string; participants: { name: string }[] }
type Sent = { conversation_id: string; message: { id: string }; proposal: { id: string } }

export async function writeToCustomers(story: Story, at: At, { ada, grace, scout, ids }: Team) {
  const { partners, work } = story
  await at('2026-05-08T08:00:00Z')
  const days = { monday: open, tuesday: open, wednesday: open, thursday: open, friday: open, saturday: [], sunday: [] }
  await ada.patch('/settings/working-hours', {
    hours: { days, holidays: [{ day: '2026-05-14', name: 'Ascension Day' }] },
    targets: { response_minutes: 60, resolution_minutes: 480 },
  })
  await ada.patch('/settings/inbox', { agents_may_send: true })
  const given = {
    name: 'Dockside app',
    address: '@acme',
    webhook_url: `${partners}/gateway`,
    unknown_senders: 'person',
  }
  const { channel, secret, post_address } = (await ada.post('/channels/api', given)) as unknown as Connected
  const signature = 'Your **Acme** team'
  await ada.patch(`/channels/${channel.id}`, { signature, agents: 'draft', hourly_limit: 50 })
  await ada.patch(`/settings/working-hours/channels/${channel.id}`, {
    targets: { response_minutes: 30, resolution_minutes: null },
  })
  const gateway = gatewayOn(story, post_address, secret)

  const [urgent, billing] = [
    await ada.post('/conversation-labels', { name: 'Urgent', color: 'red' }),
    await ada.post('/conversation-labels', { name: 'Billing' }),
  ]
  const template = await ada.post('/message-templates', {
    name: 'Welcome',
    text: 'Hello {{ first_name }}, thank you for your message.',
    is_shared: true,
  })
  await grace.post('/message-templates', { name: 'My greeting', text: 'Ahoy {{ name }}' })
  await ada.post('/inbox-rules', {
    name: 'Urgent',
    on: 'message_received',
    filter: 'search("urgent")',
    actions: [
      { kind: 'label', label_ids: [urgent.id] },
      { kind: 'assign', user_ids: [ids.grace] },
      { kind: 'task', title: 'Call back', user_id: ids.grace },
      { kind: 'notify', user_ids: [ids.ada] },
    ],
  })
  const greet = { kind: 'reply', template_id: template.id }
  await ada.post('/inbox-rules', {
    name: 'Greet',
    on: 'conversation_created',
    during: 'working_hours',
    actions: [greet],
  })
  await ada.post('/inbox-views', { name: 'Urgent ones', filter: `labels has any (${urgent.id})`, is_shared: true })
  await grace.post('/inbox-views', { name: 'Mine', filter: 'assignee = me and state = open' })

  const first = [
    message('m1', 'mia', 'Mia Sommer', 'Can we move the delivery? It is urgent', { email: 'mia@harbor.example' }),
    message('m2', 'tom', 'Tom Stern', 'Where is my invoice?', { phone: '+49 171 7654321' }, file),
    message('m3', 'tom-2', 'Tom Stern', 'Here is the number: 4711'),
    message('m4', 'spammer', 'Prize', 'You have won'),
    message('m5', 'uma', 'Uma Closed', 'All good, thank you'),
    message('m6', 'vera', 'Vera Later', 'Please ask me again in June'),
    message('m7', 'walt', 'Walt Two', 'First topic'),
    message('m8', 'walt', 'Walt Two', 'Second topic'),
  ]
  // Each in a minute of its own, so that their replies get the same IDs in every recording.
  for (const [minute, one] of first.entries()) {
    const time = `2026-05-08T08:${30 + minute}:00Z`
    await story.at(time)
    await gateway.post(time, [one])
    await work()
  }
  const of = async (name: string) => {
    const { items } = (await ada.get('/conversations?limit=100')) as unknown as { items: Conversation[] }
    return items.filter(({ participants }) => participants.some((one) => one.name === name)).at(-1)!.id
  }

  await at('2026-05-08T09:10:00Z')
  const mia = await of('Mia Sommer')
  const answer = (await ada.post('/messages', {
    conversation_id: mia,
    text: 'Of course. *When* suits you?',
  })) as never as Sent
  await grace.post(`/conversations/${mia}/notes`, { text: `[@Ada Lovelace](mention:${ids.ada}) is Friday free?` })
  await work()
  await gateway.post('2026-05-08T09:10:00Z', [
    { kind: 'state', message_id: answer.message.id, id: 'g1', state: 'delivered', at: '2026-05-08T09:10:00Z' },
    { kind: 'state', message_id: answer.message.id, state: 'read', at: '2026-05-08T09:10:00Z' },
    { ...message('m9', 'mia', 'Mia Sommer', 'On Fridy'), reply_to: 'g1' },
    { kind: 'edited', id: 'm9', text: 'On Friday', at: '2026-05-08T09:10:00Z' },
    { kind: 'deleted', id: 'm4', at: '2026-05-08T09:10:00Z' },
    { ...message('m10', 'mia', '', 'From my phone: see you'), direction: 'out', from: undefined },
  ])
  const [invoice, number] = (await threadsOf(ada, 'Tom Stern')) as [string, string]
  await ada.post(`/conversations/${number}/merge`, { into_id: invoice })
  const walt = await of('Walt Two')
  const { messages } = (await ada.get(`/conversations/${walt}`)) as unknown as {
    messages: { id: string; text: string }[]
  }
  const second = messages.find(({ text }) => text === 'Second topic')!
  await ada.post(`/conversations/${walt}/split`, { message_ids: [second.id] })
  await ada.patch('/conversations', { ids: [invoice], add_label_ids: [billing.id] })
  await ada.patch('/conversations', { ids: [await of('Prize')], state: 'spam' })
  await ada.patch('/conversations', { ids: [await of('Uma Closed')], state: 'closed' })
  const vera = await of('Vera Later')
  await ada.patch('/conversations', { ids: [vera], state: 'snoozed', snoozed_until: '2026-06-01T08:00:00Z' })
  await ada.post(`/conversations/${invoice}/assignment`, { user_id: ids.grace })
  await ada.post('/conversations/reading', { ids: [mia] })
  await ada.post(`/conversations/${mia}/visit`)
  const { records } = await ada.post('/records/deals/query', { filter: 'name = "Service contract"' })
  const [deal] = records as { id: string }[]
  await ada.post(`/conversations/${mia}/links`, { add: [{ object: 'deals', id: deal!.id }] })
  await work()

  await at('2026-05-08T10:00:00Z')
  const propose = (text: string) =>
    scout.post('/messages/proposals', {
      conversation_id: invoice,
      text,
      reason: 'It answers the question',
    }) as never as Promise<Sent>
  const approved = await propose('Here is your invoice.')
  await ada.post(`/proposals/${approved.proposal.id}/decision`, { decision: 'approve', text: 'Here it is.' })
  const rejected = await propose('Please pay now!')
  await ada.post(`/proposals/${rejected.proposal.id}/decision`, { decision: 'reject', note: 'Be more polite' })
  await work()
  await at('2026-05-08T11:00:00Z')
  const { id: file_id } = await ada.upload('/files?purpose=message&name=route.txt', 'Turn left at the harbor\n')
  await ada.post('/messages', {
    conversation_id: mia,
    text: 'Shall we renew?',
    send_at: '2026-06-08T07:00:00Z',
    file_ids: [file_id],
  })
  await ada.put('/message-drafts/019e0000-0000-7000-8000-000000000001', {
    conversation_id: vera,
    channel_id: channel.id,
    kind: 'reply',
    text: 'A text that is not ready',
  })
  await ada.patch(`/channels/${channel.id}/gateway`, { webhook_url: `${partners}/gateway-that-refuses` })
  await ada.post('/messages', { conversation_id: invoice, text: 'Is everything clear?' })
  await work()
  await ada.post(`/channels/${channel.id}/secret`)
  await at('2026-05-11T08:00:00Z')
  await propose('May I help?')
  await work()
}

const open = [
  { from: '08:00', to: '12:00' },
  { from: '13:00', to: '18:00' },
]
const file = { files: [{ name: 'invoice.txt', type: 'text/plain', content: Buffer.from('4711').toString('base64') }] }

const message = (id: string, thread: string, name: string, text: string, from: object = {}, more: object = {}) => ({
  kind: 'message',
  id,
  thread,
  from: { address: thread.replace(/-\d$/, ''), name, ...from },
  text,
  ...more,
})

async function threadsOf(ada: Caller, name: string) {
  const { items } = (await ada.get('/conversations?limit=100')) as unknown as { items: Conversation[] }
  const own = items.filter(({ participants }) => participants.some((one) => one.name === name))
  return own.map(({ id }) => id).sort()
}

type Connected = { channel: { id: string }; secret: string; post_address: string }

/** What the gateway posts is signed as in https://www.standardwebhooks.com */
function gatewayOn({ origin }: Story, post_address: string, secret: string) {
  const visitor = callerOn(origin, 'visitor', 'dockside/1.0')
  const path = new URL(post_address).pathname.replace('/public', '')
  let posts = 0
  return {
    async post(time: string, items: object[]) {
      const id = `post-${++posts}`
      const timestamp = String(Date.parse(time) / 1000)
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const signed = `${id}.${timestamp}.${JSON.stringify({ items })}`
      const signature = createHmac('sha256', key).update(signed).digest('base64')
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
      const answer = await visitor.send('POST', path, { items }, headers)
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    },
  }
}
