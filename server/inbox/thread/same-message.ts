// Some programs give many messages the same ID: scanners, shops, forms. What has a known ID is the same message only if it
// says the same; otherwise it is stored by a key of its own.
import { createHash } from 'node:crypto'
import { Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import type { Incoming, Party } from '../channels/channel.ts'
import type { ChannelAudience } from './known-threads.ts'

type File = { name: string; size: number }
export type Stored = {
  key: string
  direction: string | null
  from_address: string | null
  subject: string
  text: string
  files: File[]
  /** Why files are missing, among others. */
  state_reason: string | null
  /** 0: someone sent it with another program. */
  attempts: number
}
export type Said = { direction: string; from: Party | null; subject: string; text: string; files: File[] }

/** By its headers alone. Mailing lists put their name before the subject. */
export const hasSameHead = (stored: Pick<Stored, 'from_address' | 'subject'>, from: string | null, subject: string) =>
  stored.from_address === from && subjectOf(stored.subject) === subjectOf(subject)

const subjectOf = (text: string) => words(text.replace(/^((?:\p{L}{1,3}:\s*)*)\[[^\]]{1,60}\]\s*/u, '$1'))

export function isSameMessage(stored: Stored, said: Said) {
  const isKithsOwn = stored.direction === 'out' && stored.attempts > 0
  // Some servers write another sender into what they send for us.
  if (isKithsOwn && said.direction === 'out') return true
  if (!hasSameHead(stored, said.from?.address ?? null, said.subject)) return false
  // Its text is not stored as it was sent.
  return isKithsOwn || (hasSameText(stored.text, said.text) && hasSameFiles(stored, said.files))
}

/** Mailing lists add lines below. */
function hasSameText(a: string, b: string) {
  const [one, other] = [words(a), words(b)]
  return one === other || words(withoutFooter(a)) === other || one === words(withoutFooter(b))
}

function withoutFooter(text: string) {
  const [last] = [...text.matchAll(/^(?:_{5,}|-- ?)$/gm)].slice(-1)
  return last?.index ? text.slice(0, last.index) : text
}

const hasSameFiles = ({ files, state_reason }: Stored, others: File[]) =>
  (!files.length && state_reason !== null) || sizes(files) === sizes(others)

const sizes = (files: File[]) =>
  files
    .map(({ size }) => size)
    .sort((a, b) => a - b)
    .join(' ')

const words = (text: string) => text.replaceAll('\0', '').toWellFormed().normalize().replace(/\s+/g, ' ').trim()

/** Of a message whose ID is that of another one. The same each time it is found. */
function ownKeyOf(key: string, { from, subject, text, files }: Said) {
  const said = [from?.address ?? '', subjectOf(subject), words(text), sizes(files)]
  return `${key.slice(0, 900)} ${createHash('sha256').update(said.join('\n')).digest('hex')}`
}

/** With a key of its own for each message that only shares its ID with another one, stored or among these. */
export async function withOwnKeys(db: Db, place: ChannelAudience, mails: Incoming[]): Promise<Incoming[]> {
  const named = mails.filter(({ isNamedBySender }) => isNamedBySender)
  if (!named.length) return mails
  const known = await storedByKey(
    db,
    place,
    named.map(({ key }) => key),
  )
  return mails.map((mail) => {
    if (!mail.isNamedBySender) return mail
    const said = saidIn(mail)
    const stored = known.get(mail.key)
    if (stored && !isSameMessage(stored, said)) return { ...mail, key: ownKeyOf(mail.key, said) }
    if (!stored)
      known.set(mail.key, {
        ...said,
        key: mail.key,
        from_address: mail.from?.address ?? null,
        state_reason: null,
        attempts: 0,
      })
    return mail
  })
}

const saidIn = ({ direction, from, subject, text, files }: Incoming): Said => ({
  direction,
  from,
  subject,
  text,
  files: files.map(({ name, content }) => ({ name, size: 'id' in content ? content.size : content.length })),
})

export async function storedByKey(
  db: Db,
  { company_id, audience }: Omit<ChannelAudience, 'channel_id'>,
  keys: string[],
) {
  const params = new Params()
  const rows = await run<Stored>(
    db,
    `select key, direction, from_address, subject, text, files, state_reason, attempts from messages
      where company_id = ${params.add(company_id, 'uuid')} and audience = ${params.add(audience, 'uuid')}
        and key = any(${params.add([...new Set(keys)], 'text[]')})`,
    params,
  )
  return new Map(rows.map((row) => [row.key, row]))
}
