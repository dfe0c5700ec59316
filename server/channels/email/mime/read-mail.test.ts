import { expect, test } from 'vitest'
import { cpuSeconds } from '../../../../test/cpu-time.ts'
import { charsetMails } from '../../../../test/mails/odd/charsets.ts'
import { headerMails } from '../../../../test/mails/odd/headers.ts'
import { machineMails } from '../../../../test/mails/odd/machines.ts'
import { mail, multipart, parts } from '../../../../test/mails/odd/odd-mail.ts'
import { structureMails } from '../../../../test/mails/odd/structure.ts'
import { readMail } from './read-mail.ts'

const now = new Date('2026-11-17T08:00:00Z')
const odd = [...charsetMails, ...headerMails, ...structureMails, ...machineMails]

test('there are at least 60 odd mails', () => expect(odd.length).toBeGreaterThanOrEqual(60))

test.each(odd)('is read: $name', async ({ source, expected: { files, ...expected } }) => {
  const { files: found, ...read } = await readMail(source, now)
  expect({ ...read, html: read.html?.trim() ?? null }).toMatchObject(expected)
  if (!files) return
  expect(found.map(({ content, ...file }) => ({ ...file, size: content.length }))).toMatchObject(files)
  expect(found).toHaveLength(files.length)
})

test('a mail without a Message-ID has the same key each time, and another mail has another', async () => {
  const keyOf = async (text: string) => (await readMail(mail({ 'Message-ID': null }, text), now)).key
  expect(await keyOf('Hi')).toMatch(/^none:[\da-f]{64}$/)
  expect(await keyOf('Hi')).toBe(await keyOf('Hi'))
  expect(await keyOf('Hi')).not.toBe(await keyOf('Ho'))
})

test('1,000 recipients are read, and no more', async () => {
  const list = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `"P ${index}" <${name}${index}@example.com>`).join(',\r\n ')
  const { to, cc } = await readMail(mail({ To: list('t', 900), Cc: list('c', 900) }, 'Hi'), now)
  expect([to.length, cc.length]).toEqual([900, 100])
  expect(cc[99]).toEqual({ address: 'c99@example.com', name: 'P 99' })
})

test('a mail of 30 MB is read within seconds', async () => {
  const content = Buffer.alloc(22_000_000, 'Kith')
  const lines = content.toString('base64').replace(/.{76}/g, '$&\r\n')
  const source = mail(
    multipart('mixed'),
    parts(
      'Content-Type: text/plain\n\nSee the file.',
      `Content-Type: application/zip; name=big.zip\nContent-Transfer-Encoding: base64\n\n${lines}`,
    ),
  )
  expect(source.length).toBeGreaterThan(30_000_000)
  const { text, files } = await readMail(source, now)
  expect(text).toBe('See the file.')
  expect(Buffer.from(files[0]!.content).equals(content)).toBe(true)
})

test.each([
  ['spaces', ' '],
  ['brackets', '<'],
  ['commas', ','],
  ['quotes', '"'],
  ['encoded words', '=?'],
  ['parentheses', '('],
  ['addresses', 'a@b.c '],
  ['line breaks', '\r\n '],
  ['colons', 'Re: '],
])('64 kB of %s in every header take no longer than other mail', async (_, sign) => {
  const long = sign.repeat(64_000 / sign.length)
  const names =
    'From To Cc Reply-To Subject Date Message-ID In-Reply-To References List-Unsubscribe Return-Path Content-Type'
  const headers = Object.fromEntries(names.split(' ').map((name) => [name, `x${long}x`]))
  expect(await cpuSeconds(() => readMail(mail(headers, long), now))).toBeLessThan(5)
})
