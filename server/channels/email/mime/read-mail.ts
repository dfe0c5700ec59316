// Reads the source of an email. Never throws: a message that cannot be read must not stop its mailbox.
import { createHash } from 'node:crypto'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { safeName } from '../../../files/names.ts'
import { plainText } from '../../../inbox/content/plain-text.ts'
import { automaticOf, noReplyOf } from './automatic.ts'
import { bounceOf, receiptOf } from './bounce.ts'
import { asWestern, isBroken, repaired, withReadableLines } from './charset.ts'
import { addressesOf, type Headers, header, headersOf, idsOf, oneLine, timeOf, unsubscribeOf } from './headers.ts'
import type { Mail, MailFile } from './mail.ts'
import { withoutTag } from './reply-address.ts'

const unreadable = 'This message could not be read.'
const mostReferences = 100
const mostAddresses = 1000
const longestSubject = 1000
/** Programs that repeat themselves send megabytes of text. The file with the source has the rest. */
const longestText = 1_000_000
const longestHtml = 5_000_000
/** Takes no time, whatever is in them. */
const headBytes = 64_000
/** Parts without a boundary are looked for in so much of it. */
const mostSearched = 2_000_000
/** To read a message again takes as long as the first time. */
const largestRepaired = 10_000_000

export async function readMail(source: Uint8Array, now = new Date()): Promise<Mail> {
  const email = await parsed(source)
  if (!email) return withSource(await readHead(source, now), source)
  const readable = hasType(email) ? source : withoutType(source)
  const again = readable === source ? email : await parsed(readable)
  const mail = toMail(await withRightCharset(again ?? email, readable), source, now)
  return isLost(mail, source) ? withSource(mail, source) : mail
}

const hasType = ({ headers }: Email) => {
  const type = headers.find(({ key }) => key === 'content-type')?.value
  return type === undefined || /^\s*[\w.+-]+\/[\w.+-]+/.test(type)
}

/** A type that is none means plain text. */
function withoutType(source: Uint8Array) {
  const head = Buffer.from(source.subarray(0, headBytes)).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length
  const plain = head.slice(0, end).replace(/^content-type[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*\n?/gim, '')
  return Buffer.concat([Buffer.from(plain.trimEnd(), 'latin1'), source.subarray(end)])
}

/** Nothing was found in it, or parts of it have no boundary to be found by. */
function isLost({ text, html, files }: Mail, source: Uint8Array) {
  const start = Buffer.from(source.subarray(0, mostSearched)).toString('latin1')
  const types = [...start.matchAll(/^content-type[ \t]*:\s{0,100}multipart\/([^\n]*(?:\n[ \t][^\n]*)*)/gim)]
  const boundaries = types.map(([, rest]) => /boundary[*\d]*\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i.exec(rest!))
  if (boundaries.includes(null)) return true
  const names = boundaries.map((found) => found![1] ?? found![2]!)
  const isEmpty = !text && !html && !files.length
  return isEmpty && names.some((name) => !start.includes(`--${name}`)) && /\r?\n\r?\n\s*\S/.test(start)
}

/** So that nothing of it is lost. */
const withSource = (mail: Mail, source: Uint8Array): Mail => ({
  ...mail,
  text: mail.text || unreadable,
  files: [...mail.files, sourceFile(source)],
  notice: 'Kith could not read all of this message. The original is attached.',
  fault: unreadable,
})

export const sourceFile = (content: Uint8Array): MailFile => ({
  name: 'message.eml',
  type: 'message/rfc822',
  content_id: null,
  is_inline: false,
  content,
})

async function parsed(source: Uint8Array) {
  try {
    return await PostalMime.parse(source, { rfc822Attachments: true, maxNestingDepth: 100 })
  } catch {
    // A message that cannot be parsed is shown as its source.
    return null
  }
}

/** Only the headers, if the body is too odd to be read. */
export async function readHead(source: Uint8Array, now: Date): Promise<Mail> {
  const head = Buffer.from(source.subarray(0, headBytes)).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length
  // The type of the content would decide how the text is read, and is what could not be understood.
  const plain = head.slice(0, end).replace(/^content-[^\n]*(?:\n[ \t][^\n]*)*\n?/gim, '')
  const email = await parsed(Buffer.from(`${plain}\r\n\r\n${unreadable}\r\n`, 'latin1'))
  return email ? toMail(email, source, now) : unreadMail(source, now)
}

/** What a message is recognized by. */
export type Header = { key: string; from: string | null; subject: string }

export async function readHeader(headers: Uint8Array | undefined): Promise<Header> {
  const lines = Buffer.from(headers?.subarray(0, headBytes) ?? [])
    .toString('latin1')
    .trimEnd()
  const email = await parsed(Buffer.from(`${lines}\r\n\r\n`, 'latin1'))
  const mail = email && toMail(email, Buffer.alloc(0), new Date())
  return {
    key: mail?.message_id ?? '',
    from: mail?.from ? withoutTag(mail.from.address) : null,
    subject: (mail?.subject ?? '').replace(/\s+/g, ' ').trim(),
  }
}

/** Not even the headers. */
export const unreadMail = (source: Uint8Array, now: Date) =>
  toMail({ headers: [], headerLines: [], attachments: [], text: unreadable }, source, now)

/** Each text is taken from the first attempt that understands all of its characters. */
async function withRightCharset(email: Email, source: Uint8Array): Promise<Email> {
  if (!needsRepair.some((key) => isUnclear(email[key])) || source.length > largestRepaired) return email
  const attempts = [email, await parsed(withReadableLines(source)), await parsed(asWestern(source))]
  const best = needsRepair.map((key) => [key, attempts.find((attempt) => attempt && !isUnclear(attempt[key]))?.[key]])
  return { ...email, ...Object.fromEntries(best.filter(([, text]) => text !== undefined)) }
}

const needsRepair = ['subject', 'from', 'to', 'cc', 'replyTo', 'text', 'html'] as const

const isUnclear = (value: Email[(typeof needsRepair)[number]]) =>
  isBroken(typeof value === 'string' ? value : JSON.stringify(value ?? ''))

function toMail(email: Email, source: Uint8Array, now: Date): Mail {
  const headers = headersOf(email.headers)
  const subject = repaired(oneLine(email.subject ?? '')).slice(0, longestSubject)
  const html = email.html ? withoutNull(repaired(email.html)).slice(0, longestHtml) : null
  const text = textOf(email, html)
  const from = addressesOf(email.from ? [email.from] : [])[0] ?? null
  const message_id = idsOf(header(headers, 'message-id'))[0] ?? null
  const sent_at = timeOf(header(headers, 'date'), now)
  const in_reply_to = idsOf(header(headers, 'in-reply-to')).slice(0, mostReferences)
  const parts = email.attachments.map((part) => ({ type: part.mimeType, content: asText(part) }))
  const bounce = bounceOf({ headers, subject, text, parts })
  const receipt = receiptOf({ parts })
  return {
    message_id,
    key:
      message_id ??
      keyOf([sent_at?.toISOString() ?? '', from?.address ?? '', subject, source.length, hash(html ?? text)]),
    in_reply_to,
    references: referencesOf(in_reply_to, headers, message_id),
    from: from && { ...from, name: repaired(from.name) },
    ...recipientsOf(email),
    subject,
    sent_at,
    text,
    html,
    files: email.attachments.map(fileOf),
    automatic: automaticOf(headers, subject) ?? (bounce || receipt ? 'auto_reply' : null),
    no_reply: noReplyOf(headers),
    bounce,
    receipt,
    unsubscribe: unsubscribeOf(headers),
    notice: null,
    fault: null,
  }
}

/** Newest first: what it answers, then the thread from its end. */
function referencesOf(in_reply_to: string[], headers: Headers, message_id: string | null) {
  const thread = (headers.get('references') ?? []).flatMap(idsOf).reverse()
  const ids = new Set([...in_reply_to, ...thread])
  ids.delete(message_id ?? '')
  return [...ids].slice(0, mostReferences)
}

function recipientsOf(email: Email) {
  let left = mostAddresses
  const list = (addresses: Email['to']) => {
    const taken = addressesOf(addresses ?? []).slice(0, left)
    left -= taken.length
    return taken.map(({ address, name }) => ({ address, name: repaired(name) }))
  }
  return { reply_to: list(email.replyTo), to: list(email.to), cc: list(email.cc), bcc: list(email.bcc) }
}

/** A text part that only says "use a program that shows HTML" is worse than the text of the HTML. */
function textOf(email: Email, html: string | null) {
  const text = withoutNull(repaired(email.text ?? ''))
    .replaceAll('\r\n', '\n')
    .trim()
  return (html && text.length < 20 ? plainText(html) || text : text).slice(0, longestText)
}

/** PostgreSQL stores no null characters. */
const withoutNull = (text: string) => text.replaceAll('\0', '').toWellFormed()

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

const keyOf = (parts: (string | number)[]) => `none:${hash(parts.join('\n'))}`

function fileOf(part: Attachment): MailFile {
  const content_id =
    idsOf(part.contentId ?? '')[0] ??
    (oneLine(part.contentId ?? '')
      .replace(/^<|>$/g, '')
      .slice(0, 500) ||
      null)
  return {
    name: part.filename ? safeName(repaired(part.filename)) : nameFor(part),
    type: /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(part.mimeType) ? part.mimeType : 'application/octet-stream',
    content_id,
    is_inline: content_id !== null && (part.related === true || part.disposition === 'inline'),
    content: bytesOf(part),
  }
}

const endings: Record<string, string> = {
  'message/rfc822': 'message.eml',
  'text/calendar': 'invitation.ics',
  'application/ics': 'invitation.ics',
  'application/ms-tnef': 'winmail.dat',
  'message/delivery-status': 'delivery-status.txt',
  'text/rfc822-headers': 'headers.txt',
  'text/vcard': 'contact.vcf',
  'application/pdf': 'file.pdf',
  'image/png': 'image.png',
  'image/jpeg': 'image.jpg',
  'image/gif': 'image.gif',
}
const nameFor = ({ mimeType }: Attachment) => endings[mimeType] ?? 'file'

function bytesOf({ content }: Attachment): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}

/** Reports and their originals are short; other parts are not read as text. */
function asText(part: Attachment) {
  if (!/^(?:message|text)\//.test(part.mimeType)) return ''
  return Buffer.from(bytesOf(part).subarray(0, 200_000)).toString('utf8')
}
