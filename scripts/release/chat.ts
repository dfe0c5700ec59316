// A chat on the company's website, with a visitor who types an address and one whom the site has identified.
import { createHmac } from 'node:crypto'
import { callerOn } from './caller.ts'
import type { At, Story, Team } from './story.ts'

const site = { origin: 'https://www.acme.example' }

export async function chatWithVisitors(story: Story, at: At, { ada }: Team) {
  const { origin, work } = story
  await at('2026-05-08T12:00:00Z')
  const made = await ada.post('/channels/chats', {
    name: 'Website chat',
    allowed_origins: [site.origin],
    greeting: 'Ahoy! How can we help?',
    consent: 'We keep this chat for a year.',
  })
  const { chat, identity_secret } = made as unknown as { chat: { chat_id: string }; identity_secret: string }
  const path = `/chats/${chat.chat_id}`
  const visitor = callerOn(origin, 'visitor', 'Mozilla/5.0 (iPhone) Safari/26.0')

  const stranger = await visitor.submit(`${path}/opening`, {}, site)
  await visitor.submit(
    `${path}/messages`,
    {
      visitor: String(stranger.visitor),
      client_id: 'stranger-1',
      text: 'Do you rent boats?',
      email: 'stranger@guest.example',
      name: 'Gil Guest',
      page: `${site.origin}/boats`,
    },
    site,
  )
  await work()
  await story.at('2026-05-08T12:05:00Z')
  const signature = createHmac('sha256', identity_secret).update('id:42\nemail:maria@example.com\n').digest('hex')
  const identity = { user_id: '42', email: 'maria@example.com', name: 'Maria Müller', signature }
  const known = await visitor.submit(`${path}/opening`, identity, site)
  const written = { visitor: String(known.visitor), client_id: 'maria-chat-1', text: 'Is the harbor open today?' }
  await visitor.submit(`${path}/messages`, written, site)
  await work()
  const { items } = await ada.get('/conversations?limit=100')
  const conversation = (items as { id: string; preview: string }[]).find(({ preview }) => preview.includes('harbor'))!
  await ada.post('/messages', { conversation_id: conversation.id, text: 'Until six.' })
  await work()
  await visitor.submit(`${path}/reading`, { visitor: String(known.visitor) }, site)
}
