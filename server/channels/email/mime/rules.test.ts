import { expect, test } from 'vitest'
import { composeMail, type Letter } from './compose-mail.ts'
import { ownMessageId, readOwnId } from './own-id.ts'
import { readMail } from './read-mail.ts'
import { readReplyAddress, replyAddress, withoutTag } from './reply-address.ts'

const now = new Date('2026-11-17T08:00:00Z')
const ids = {
  conversationId: '01890000-0000-7000-8000-000000000001',
  messageId: '01890000-0000-7000-8000-000000000002',
}
const key = Buffer.alloc(32, 7)

test('R2: our own Message-ID leads back to its conversation, whatever else was dropped', () => {
  const id = ownMessageId({ ...ids, key, domain: 'kith.example' })
  expect(readOwnId(id, key)).toBe(ids.conversationId)
  expect(readOwnId(`<${id}>`, key)).toBe(ids.conversationId)
})

test('R2: nobody can make a Message-ID that leads to a conversation', () => {
  const id = ownMessageId({ ...ids, key, domain: 'kith.example' })
  expect(readOwnId(id, Buffer.alloc(32, 8))).toBeNull()
  expect(readOwnId(id.replace('000000000001', '000000000009'), key)).toBeNull()
  expect(readOwnId(id.replace('000000000002', '000000000009'), key)).toBeNull()
  expect(readOwnId('kith.x.y.z@kith.example', key)).toBeNull()
  expect(readOwnId('kith.'.repeat(20_000), key)).toBeNull()
})

test('R2: the address that replies go to leads back to its conversation, in upper and lower case', () => {
  const address = replyAddress('support@kith.example', ids.conversationId, key)!
  expect(address).toMatch(/^support\+k[\da-v]{42}@kith\.example$/)
  expect(address.indexOf('@')).toBeLessThanOrEqual(64)
  expect(readReplyAddress(address, key)).toBe(ids.conversationId)
  expect(withoutTag(address)).toBe('support@kith.example')
  for (const other of ['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'])
    expect(readReplyAddress(replyAddress('a+b@kith.example', other, key)!, key)).toBe(other)
  expect(replyAddress(`${'a'.repeat(21)}@kith.example`, ids.conversationId, key)).toBeNull()
})

test('R2: nobody can make an address that leads to a conversation', () => {
  const address = replyAddress('support@kith.example', ids.conversationId, key)!
  expect(readReplyAddress(address, Buffer.alloc(32, 8))).toBeNull()
  const other = address.replace(/.(?=@)/, (last) => (last === '0' ? '1' : '0'))
  expect(readReplyAddress(other, key)).toBeNull()
  expect(withoutTag(other)).toBe('support@kith.example')
  expect(readReplyAddress(`support+k${'v'.repeat(42)}@kith.example`, key)).toBeNull()
  for (const usual of ['support@kith.example', 'support+sales@kith.example', `support+k${'z'.repeat(42)}@kith.example`])
    expect([readReplyAddress(usual, key), withoutTag(usual)]).toEqual([null, usual])
})

test('senders who want no automatic replies, and those who failed the check of our mail server, are known as such', async () => {
  const read = (...lines: string[]) =>
    readMail(Buffer.from([...lines, 'From: ada@example.com', 'Subject: Hello', '', 'Hello'].join('\r\n')), now)
  for (const asked of ['All', 'OOF, AutoReply', 'DR, oof'])
    expect((await read(`X-Auto-Response-Suppress: ${asked}`)).no_reply, asked).toBe('asked')
  const [failed, passed] = ['fail', 'pass'].map((dmarc) => `Authentication-Results: mx.acme.example; dmarc=${dmarc}`)
  expect((await read(failed!)).no_reply).toBe('unproven')
  expect((await read(passed!, failed!)).no_reply, 'only what our own server says counts').toBe(null)
  expect((await read('X-Auto-Response-Suppress: DR')).no_reply).toBe(null)
})

const letter: Letter = {
  from: { address: 'support@kith.example', name: 'Kith Support' },
  to: [{ address: 'ada@example.com', name: 'Lovelace, Ada' }],
  subject: 'Grüße – 你好',
  text: 'Hello\n',
  message_id: '1@kith.example',
  date: now,
}

test('a mail that Kith writes is read as it was meant', async () => {
  const content = Buffer.from('iVBORw0KGgo=', 'base64')
  const source = await composeMail({
    ...letter,
    cc: [{ address: 'c@x.y', name: '' }],
    bcc: [{ address: 'hidden@x.y', name: '' }],
    reply_to: [{ address: 'support+c1@kith.example', name: '' }],
    html: '<p>Hello <img src="cid:logo@kith"></p>',
    files: [
      { name: 'logo.png', type: 'image/png', content_id: 'logo@kith', content },
      { name: 'Angebot für Ada.pdf', type: 'application/pdf', content: Buffer.from('%PDF-') },
    ],
    in_reply_to: '0@example.com',
    references: ['a@example.com', '0@example.com'],
    unsubscribe: 'https://kith.example/off/1',
  })
  const { files, ...read } = await readMail(source, now)
  expect(read).toMatchObject({
    message_id: '1@kith.example',
    references: ['0@example.com', 'a@example.com'],
    from: { address: 'support@kith.example', name: 'Kith Support' },
    to: [{ address: 'ada@example.com', name: 'Lovelace, Ada' }],
    reply_to: [{ address: 'support+c1@kith.example', name: '' }],
    subject: 'Grüße – 你好',
    text: 'Hello',
    sent_at: now,
    unsubscribe: 'https://kith.example/off/1',
  })
  expect(files).toMatchObject([
    { name: 'logo.png', content_id: 'logo@kith', is_inline: true },
    { name: 'Angebot für Ada.pdf', content_id: null, is_inline: false },
  ])
  expect(source.toString()).not.toContain('hidden@x.y')
})

test.each<[string, Partial<Letter>]>([
  ['the subject', { subject: 'Hi\r\nBcc: all@x.y' }],
  ['the subject, as another sign for a new line', { subject: 'Hi\u2028x' }],
  ['a name', { to: [{ address: 'a@b.c', name: 'A\nB' }] }],
  ['an address', { to: [{ address: 'a@b.c\r\nRCPT TO:<x@y.z>', name: '' }] }],
  ['two addresses in one', { cc: [{ address: 'a@b.c, d@e.f', name: '' }] }],
  ['a Message-ID', { message_id: '1@x>\r\nX: y' }],
  ['a reference', { references: ['1@x y'] }],
  ['the name of a file', { files: [{ name: 'a\r\nb', type: 'text/plain', content: Buffer.from('x') }] }],
  ['the address for unsubscribing', { unsubscribe: 'https://x.y/>\r\nX: y' }],
])('a line break in %s is refused', async (_, change) => {
  await expect(composeMail({ ...letter, ...change })).rejects.toMatchObject({ code: 'invalid_input' })
})
