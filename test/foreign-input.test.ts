// Everything that strangers send is read in a time that grows with its size, not with the square of it.
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { isFormattable } from '../contract/shared/formattable.ts'
import { previewOf } from '../contract/shared/message-preview.ts'
import { email } from '../contract/shared/shapes.ts'
import { readPosted } from '../server/channels/api/parse-post.ts'
import { idsOf } from '../server/channels/email/mime/headers.ts'
import { readHead, readMail } from '../server/channels/email/mime/read-mail.ts'
import { incomingOf as incomingMail } from '../server/channels/email/read.ts'
import { incomingOf, type MessageItem, partyOf } from '../server/channels/gateway/items.ts'
import { readBounded } from '../server/channels/gateway/read-json.ts'
import { itemsOf as telegramItems } from '../server/channels/telegram/read.ts'
import { verify as verifyTwilio } from '../server/channels/twilio/signature.ts'
import { itemsOf as whatsappItems } from '../server/channels/whatsapp/read.ts'
import { isHtml, markdownOf } from '../server/engine/cells/html-cell.ts'
import { readCell, readingOf } from '../server/engine/cells/read-cell.ts'
import { detectDateOrder, detectDecimal, detectDelimiter, detectEncoding } from '../server/engine/csv/detect-format.ts'
import { columnNames, rowsIn } from '../server/engine/csv/rows.ts'
import { looksLike } from '../server/engine/csv/suggest-fields.ts'
import { readJsonTable } from '../server/engine/tables/json.ts'
import { readCards } from '../server/engine/tables/vcard.ts'
import { readWorkbook } from '../server/engine/tables/xlsx.ts'
import { safeName } from '../server/files/names.ts'
import { typeOf } from '../server/files/sniff.ts'
import type { ChannelRow } from '../server/inbox/channels/channel.ts'
import { bodyDocument, textAsHtml } from '../server/inbox/content/body-document.ts'
import { outgoingHtml } from '../server/inbox/content/outgoing-html.ts'
import { plainText, preview } from '../server/inbox/content/plain-text.ts'
import { roughText } from '../server/inbox/content/rough-text.ts'
import { readContent, readText } from '../server/inbox/receiving/read-content.ts'
import { cleaned } from '../server/inbox/receiving/sanitize-incoming.ts'
import { baseSubject, foldedSubject } from '../server/inbox/thread/conversation.ts'
import { queryOf } from '../server/inbox/thread/search-words.ts'
import { onOneLine } from '../server/leads/forms/read-submission.ts'
import { spamScore } from '../server/leads/forms/spam.ts'
import { cpuSeconds } from './cpu-time.ts'
import { sized } from './long.ts'
import { chosen } from './random.ts'
import { workbook } from './workbook.ts'

const size = sized(8000, 20_000)
/** Below this, nothing is proved by comparing. Quadratic time is far above it. */
const littleSeconds = 0.2

type Reader = (text: string) => unknown

/** Four times as much takes four times as long; the square of it would take sixteen times. */
async function growsWithSize(make: (length: number) => string, read: Reader) {
  const seconds = (length: number) => cpuSeconds(() => read(make(length)))
  if ((await seconds(4 * size)) < littleSeconds) return
  // The fastest of three, because other programs on the machine only add time.
  const fastest = async (length: number) =>
    Math.min(await seconds(length), await seconds(length), await seconds(length))
  const [some, more] = [await fastest(size), await fastest(4 * size)]
  if (more < Math.max(littleSeconds, 9 * some)) return
  // Freeing memory may take much of the time at one size. What grows with the square does so at each.
  expect(await fastest(16 * size)).toBeLessThan(9 * more)
}

const fill = (text: string, length: number) => text.repeat(Math.ceil(length / text.length))

/** What strangers repeat, with something at the end that makes a reader look back. */
const floods = [
  '.', ' ', '\t', '\n', '\r\n', '\r\n ', '\u00a0', '-', '_', '=', '*', '#', '>', '> ', '> > ', '|', ':', ';', ',', '"', "'", '\\', '/',
  '<', '<<', '</', '<!--', '<a', '<a ', '<p>', '<b><p>', '<li>', '<td>', '<br>', '<div style="', '<img src=', '<blockquote type=cite>',
  ...['<div class=gmail_quote></div>', '<p style="color:red">x', '<a href="http://x.y">', '<style>', '<pre>\n', '<!', '<?', '<![CDATA['],
  '&', '&amp;', '&#', '&lt;<br>', '(', '((', ')', '[', '[a](', '{', '@', 'a@', 'a@b,', '<a@b>', '<a@b>, ', 'a:', 'a:b;', 'a@b.c;',
  'a', 'A b ', '1', '1 ', '+1 ', '1(', '0.', '1,', '1.000,', 'a.b', 'a..', '\u0301', 'e\u0301\u0316', 'é', 'Ã¼', '\ufffd', '漢', 'ไทย', '😀',
  '=?utf-8?q?a?=', '=?utf-8?b?YQ==?= ', '=3D', '=\r\n', '%20', 'filename*0=a; ', '; a=b', 'charset=utf-8;', '--b\r\n', '--b--\r\n',
  ...['http://', 'http://a.b ', 'www.', 'https://a.b/open/', 'mailto:', 'data:image/png;base64,', 'cid:', 'javascript:', 'rgb(1,'],
  'On Monday, Ada <a@b.c> wrote:\n', 'From: a@b.c\n', 'From: a\nSent: 10:30\nTo: b\n', '-----Original Message-----\n', 'Re: ', 'Re:Re[2]: ',
  'one two three four five six\n', 'Am 1.2.2026 um 10:00 schrieb Ada:\n', 'X: b\r\n', 'Received: a\r\n b\r\n', 'Final-Recipient: rfc822; a@b\n\n',
] // biome-ignore format: a list

const ends = ['', 'x', '\nx', '@', '>', '"', ' x<']

const now = new Date('2026-06-15T12:00:00Z')
const channel: ChannelRow = {
  company_id: 'c',
  id: 'i',
  kind: 'api',
  name: 'Chat',
  address: 'team',
  owner_id: null,
  settings: {},
  secrets: null,
}
const found = { role: 'inbox' as const, flags: new Set<string>(), arrivedAt: now, ownKey: Buffer.alloc(32) }

async function mail(source: string) {
  const read = await readMail(Buffer.from(source), now)
  return cleaned(incomingMail(read, channel, found), now)
}

const headers = 'From: Ada <ada@b.c>\r\nTo: team@b.c\r\nMessage-ID: <1@b.c>\r\nSubject: Hi\r\n'
const part = (head: string, body: string) =>
  `${headers}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${head}\r\n\r\n${body}\r\n--b--\r\n`
const report = (body: string) =>
  `${headers.replace('Ada <ada', 'MAILER-DAEMON <mailer-daemon')}Subject: Undelivered Mail\r\nContent-Type: multipart/report; boundary=b\r\n\r\n` +
  `--b\r\n\r\nfailed\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${body}\r\n--b--\r\n`

const content = (text: string, html: string | null, earlier: string[] = []) =>
  readContent({ text, html, also: [text.slice(0, 1000)] }, earlier)

const posted = (item: object) =>
  Buffer.from(JSON.stringify({ items: [{ kind: 'message', id: '1', thread: '1', ...item }] }))
const twilio = (text: string) =>
  verifyTwilio('token', 'https://a.b', { body: Buffer.from(text), headers: {}, query: '' })
/** What exceeds the limits of the contract is refused. */
const orRefused = async (work: () => unknown) => {
  try {
    await work()
  } catch {}
}

const cell = readingOf(
  { encoding: 'utf-8', delimiter: ',', decimal: ',', date_order: 'dmy' } as never,
  { currency: 'EUR', language: 'de' },
  now,
)
const types = [
  'text',
  'long_text',
  'number',
  'money',
  'boolean',
  'date',
  'datetime',
  'email',
  'phone',
  'url',
  'select',
  'multi_select',
  'country',
]

async function csv(text: string) {
  const source = { name: 'a.csv', size: text.length, read: async () => Readable.from([Buffer.from(text)]) }
  for (const delimiter of [',', ';'] as const)
    for await (const _ of rowsIn(source, { encoding: 'utf-8', delimiter, decimal: '.' }));
}

/** Each reads the flood where a stranger can put it. */
const readers: Record<string, Reader> = {
  'headers of a mail': (text) => mail(`${text}\r\n${headers}${text}\r\n\r\nbody`),
  'the head of a mail that could not be read': (text) => readHead(Buffer.from(`${headers}${text}`), now),
  'a name in a mail': (text) => mail(`From: ${text} <a@b.c>\r\n${headers}\r\nbody`),
  'recipients of a mail': (text) => mail(`${headers}Cc: ${text}\r\nReply-To: ${text}\r\n\r\nbody`),
  'a subject': (text) => mail(headers.replace('Hi', text)),
  'references of a mail': (text) => mail(`${headers}References: ${text}\r\nIn-Reply-To: ${text}\r\n\r\nbody`),
  'dates, lists and paths': (text) => mail(`Date: ${text}\r\nList-Unsubscribe: ${text}\r\nReturn-Path: ${text}\r\n${headers}\r\nbody`),
  'types of content': (text) => mail(part(`Content-Type: text/plain; name="${text}"; ${text}`, 'body')),
  'names of files': (text) => mail(part(`Content-Type: image/png\r\nContent-Disposition: attachment; filename="${text}"; ${text}`, 'body')),
  'parts of a mail': (text) => mail(part('Content-Type: text/plain', text)),
  'encoded parts': (text) => mail(part('Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable', text)),
  'base64 of a mail': (text) => mail(part('Content-Type: image/png\r\nContent-Transfer-Encoding: base64', text)),
  'formatted text': (text) => mail(`${headers}Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${text}`),
  'reports of mail servers': (text) => mail(report(text)),
  'attached messages': (text) => mail(part('Content-Type: message/rfc822', `${headers}${text}`)),
  'IDs': (text) => idsOf(text),
  'HTML': (text) => content('', text),
  'HTML with attributes': (text) => content('', `<p style="${text}" class="${text}" title="${text}">x</p><img src="${text}" style="${text}"><a href="${text}">x</a>`),
  'HTML that quotes': (text) => content('', `<p>a</p><blockquote type=cite>${text}</blockquote>`, [text, text]),
  'text': (text) => content(text, null),
  'text that quotes': (text) => content(`Yes\n\n${text}\n> a`, null, [text, text.slice(1)]),
  'text of HTML': (text) => plainText(text),
  'HTML in a cell': (text) => isHtml(text) && markdownOf(text),
  'text of HTML without a parser': (text) => [roughText(text), readText({ text: '', html: text, also: [] })],
  'HTML as it is shown': async (text) => {
    const { html } = content('', text)
    bodyDocument(html!, { images: new Map(), remote: new Map(), quote: 'folded' })
    outgoingHtml(html!, [])
  },
  'text as it is shown': (text) => [textAsHtml({ text, quote: text }), preview(text), isFormattable(text)],
  'previews': (text) => [previewOf({ text, direction: 'out' }), baseSubject(text.slice(0, 1000)), foldedSubject(text.slice(0, 1000))],
  'words to search for': (text) => queryOf(text.slice(0, 1000)),
  'JSON of gateways': (text) => readBounded(Buffer.from(JSON.stringify({ a: text, [text]: [...text] }))),
  'posts of gateways': (text) =>
    orRefused(() => {
      const body = posted({ from: { address: text.slice(0, 250), name: text.slice(0, 200), phone: text.slice(0, 50) }, text })
      const read = readPosted(body, now)
      for (const { item } of 'read' in read ? read.read : []) cleaned(incomingOf(channel, item as MessageItem), now)
    }),
  'files of gateways': (text) => readPosted(posted({ text, from: { address: 'a' }, files: [{ name: 'a', content: text }] }), now),
  'names in gateways': (text) => partyOf({ address: text, name: text, email: text, phone: text }),
  'updates of Telegram': (text) =>
    telegramItems({} as never, { update_id: 1, message: { message_id: 1, date: 1, chat: { id: 1, type: text, title: text }, from: { id: 1, first_name: text }, text } }),
  'posts of Twilio': (text) => orRefused(() => twilio(`a=${text}&${text}=b`)),
  'posts of WhatsApp': (text) =>
    whatsappItems({ phone_number_id: '1' } as never, {
      entry: [{ changes: [{ value: { metadata: { phone_number_id: '1' }, contacts: [{ wa_id: text, profile: { name: text } }], messages: [{ id: '1', from: text, timestamp: '1', type: text, text: { body: text } }] } }] }],
    }),
  'forms': (text) => {
    spamScore({ token: undefined, fault: 'plain', isTrapFilled: false, isRepeated: false, hasHiddenOrigin: false, isFrequent: false, texts: [{ name: 'name', text }], now })
    onOneLine(text)
    email.safeParse(text)
  },
  'CSV': (text) => orRefused(() => csv(`a,b\n${text}\n1,2`)),
  'formats of CSV': async (text) => {
    detectDelimiter(text)
    detectDecimal([text, text.slice(0, 40)], ',')
    detectDateOrder([text, text.slice(0, 40)], 'dmy')
    await detectEncoding(Readable.from([Buffer.from(text)]))
    looksLike([text])
  },
  'contact cards': (text) => orRefused(() => readCards(Buffer.from(`BEGIN:VCARD\n${text}\nN;X=${text}:${text}\nNOTE;ENCODING=QUOTED-PRINTABLE:${text}=\n${text}\nEND:VCARD`))),
  'JSON of imports': (text) => orRefused(() => readJsonTable(Buffer.from(text.startsWith('{') ? text : JSON.stringify({ [text]: text, b: { c: [...text] } })))),
  'workbooks': (text) => orRefused(() => readWorkbook(workbook({ sheets: [{ name: 'a', rows: `<row><c t="str"><v>${text}</v></c></row>` }], texts: [`<si><t>${text}</t></si>`] }))),
  'columns of CSV': (text) => orRefused(() => columnNames(text.split(/[,;\n]/).slice(0, 500))),
  'cells of CSV': (text) => {
    for (const type of types)
      for (const is_multi of [true, false])
        try {
          readCell({ type, is_multi, options: null } as never, text, cell)
        } catch {}
  },
  'names of uploads': (text) => [safeName(text), safeName(`a${text}.pdf`), safeName(`${text}/a`), typeOf(Buffer.from(text), text)],
} // biome-ignore format: one reader per line

for (const [name, read] of Object.entries(readers))
  test(`${name} of any size: the time to read grows with the size`, async () => {
    const cases = floods.flatMap((flood) => ends.map((end) => ({ flood, end })))
    for (const { flood, end } of chosen(cases, sized(8, 16), name))
      await growsWithSize((length) => `a${fill(flood, length)}${end}`, read).catch((error) => {
        throw new Error(`${JSON.stringify(flood)} and then ${JSON.stringify(end)}: ${error.message}`)
      })
  }, 300_000) // The long run takes more and longer cases.

test.each<[string, (length: number) => string, Reader]>([
  ['mail with the same header again and again', (length) => `${fill('X: b\r\n', length * 6)}${headers}\r\nbody`, mail],
  ['mail to very many people', (length) => `${headers}Cc: ${fill('a@b.c, ', length)}\r\n\r\nbody`, mail],
  ['file whose name is made of dots', (length) => `a${fill('.', length)}x`, safeName],
  ['file whose name is made of spaces', (length) => `a${fill(' ', length)}x`, safeName],
  ['post with very many fields', (length) => Array.from({ length: length / 4 }, (_, i) => `${i}=b`).join('&'), (text) => twilio(text)],
  ['mail with empty quotes', (length) => fill('<blockquote type=cite></blockquote>', length), (html) => content('', html)],
  ['amount that is mostly spaces', (length) => `1${fill(' ', length)}\nx`, (text) => readCell({ type: 'money', is_multi: false, options: null }, text, cell)],
  ['address that is mostly dots', (length) => `a@${fill('.', length)}@`, (text) => looksLike([text])],
  ['message with many spaces in a form', (length) => `${fill(' ', length)}x`, onOneLine],
])('a %s is read in a time that grows with its size', (_, make, read) => growsWithSize(make, (text) => orRefused(() => read(text)))) // biome-ignore format: a list
