// The source of an email that Kith sends.
import { AppError } from '../../../kernel/app-error.ts'
import type { Address } from './mail.ts'

export type Letter = {
  from: Address
  to: Address[]
  cc?: Address[]
  bcc?: Address[]
  reply_to?: Address[]
  subject: string
  text: string
  html?: string | null
  files?: OutgoingFile[]
  /** Without angle brackets, like all Message-IDs here. */
  message_id: string
  in_reply_to?: string | null
  /** Oldest first. */
  references?: string[]
  date: Date
  /** A page where the recipient can unsubscribe. */
  unsubscribe?: string | null
  /** For replies that no person wrote: other machines do not answer them. */
  isAutomatic?: boolean
}
/** With a content ID, the HTML shows it as `cid:…`. */
export type OutgoingFile = { name: string; type: string; content_id?: string | null; content: Buffer }

/** Loaded with the first email. */
const library = () => import('nodemailer/lib/mail-composer')

export async function composeMail(letter: Letter): Promise<Buffer> {
  refuseTricks(letter)
  const { from, to, cc, bcc, reply_to, subject, text, html, files = [], message_id, in_reply_to, date } = letter
  const { default: MailComposer } = await library()
  const composer = new MailComposer({
    from,
    to,
    cc,
    bcc,
    replyTo: reply_to,
    subject,
    text,
    ...(html && { html }),
    date,
    messageId: `<${message_id}>`,
    ...(in_reply_to && { inReplyTo: `<${in_reply_to}>` }),
    ...(letter.references?.length && { references: newest(letter.references).map((id) => `<${id}>`) }),
    headers: { ...unsubscribing(letter.unsubscribe), ...(letter.isAutomatic && automatic) },
    attachments: files.map(({ name, type, content_id, content }) => ({
      filename: name,
      contentType: type,
      content,
      ...(content_id && { cid: content_id, contentDisposition: 'inline' }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return await composer.compile().build()
}

const automatic = { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All', Precedence: 'auto_reply' }

/** Mail servers refuse headers that grow forever. The first one is the beginning of the thread. */
const newest = (ids: string[]) => (ids.length <= 50 ? ids : [ids[0]!, ...ids.slice(-49)])

/** One-click unsubscribing requires HTTPS (RFC 8058). */
const unsubscribing = (url: string | null | undefined) => ({
  ...(url && { 'List-Unsubscribe': `<${url}>` }),
  ...(url?.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

// A line break would let an attacker add headers, and a list in place of an address would reach more people.
function refuseTricks({ subject, files = [], unsubscribe, ...letter }: Letter) {
  const { from, to, cc = [], bcc = [], reply_to = [] } = letter
  const people = [from, ...to, ...cc, ...bcc, ...reply_to]
  refuseBreaks('subject', [subject])
  refuseBreaks(
    'name of a sender or recipient',
    people.map(({ name }) => name),
  )
  refuseBreaks(
    'name of a file',
    files.flatMap(({ name, type }) => [name, type]),
  )
  for (const { address } of people)
    if (!isAddress(address))
      throw new AppError('invalid_input', `${quoted(address)} is not an email address. Correct it.`)
  const ids = [letter.message_id, letter.in_reply_to, ...(letter.references ?? [])].filter(
    (id) => typeof id === 'string',
  )
  const contentIds = files.flatMap(({ content_id }) => content_id ?? [])
  for (const id of [...ids, ...contentIds])
    if (!/^[^\s\p{Cc}<>]{1,998}$/u.test(id))
      throw new AppError('invalid_input', 'A Message-ID contains a space or a line break.')
  if (unsubscribe && !/^https?:\/\/[^\s\p{Cc}<>]+$/u.test(unsubscribe))
    throw new AppError('invalid_input', 'The address for unsubscribing must be a URL.')
}

function refuseBreaks(field: string, texts: string[]) {
  if (texts.some((text) => /[\p{Cc}\u2028\u2029]/u.test(text)))
    throw new AppError('invalid_input', `The ${field} contains a line break. Remove it.`)
}

const isAddress = (text: string) => text.length <= 320 && /^[^\s\p{Cc}<>,;:"()@]+@[^\s\p{Cc}<>,;:"()@]+$/u.test(text)

const quoted = (text: string) => `"${text.replace(/\p{Cc}/gu, ' ').slice(0, 100)}"`
