// Reads messages before the transaction that stores them, which others wait for: their content in a thread, because some
// take long, and their files, which are written first.
import type { Files } from '../../files/queries.ts'
import type { Db } from '../../platform/db.ts'
import { type Offload, workIn } from '../../platform/offload.ts'
import { audienceOf, type ChannelRow, type Envelope, type Incoming } from '../channels/channel.ts'
import { quotableTexts } from '../sending/quotable.ts'
import { withOwnKeys } from '../thread/same-message.ts'
import { type RawContent, type ReadContent, readContent, readText } from './read-content.ts'
import { cleaned } from './sanitize-incoming.ts'
import { type KeptFiles, keepFiles, noFiles } from './store-files.ts'

/** `read`: null if it was here already, so that nothing of it is needed. */
export type ReadMessage = Envelope & { read: Read | null }
export type Read = { content: ReadContent; files: KeptFiles; notice: string | null }

export type Reading = { files: Files; offload: Offload }

const inThread = workIn<typeof readContent>(new URL('./read-content.ts', import.meta.url), 'readContent')
/** What has fewer characters is read at once, which takes less than a millisecond or two. */
const short = 10_000

/** In the order of `incoming`. */
export async function readMessages(
  { files, offload }: Reading,
  db: Db,
  channel: ChannelRow,
  incoming: Incoming[],
  now: Date,
): Promise<ReadMessage[]> {
  if (!incoming.length) return []
  const { company_id } = channel
  const place = { company_id, audience: audienceOf(channel), channel_id: channel.id }
  const mails = await withOwnKeys(
    db,
    place,
    incoming.map((mail) => cleaned(mail, now)),
  )
  const quotable = await quotableTexts(db, place, mails)
  const read = new Map<Incoming, Read>()
  for (const mail of mails.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    if (quotable.isKnown(mail)) continue
    const content = await contentOf(offload, company_id, givenIn(mail), quotable.of(mail))
    quotable.add(mail, content.content.text)
    read.set(mail, { ...content, files: await keepFiles(files, db, company_id, mail.files, now) })
  }
  return mails.map((mail) => withoutContent(mail, read.get(mail) ?? null))
}

/** Short messages without HTML and files, such as those of a chat, at once. */
export const readShort = (incoming: Incoming[], now: Date): ReadMessage[] =>
  incoming.map((one) => {
    const mail = cleaned(one, now)
    return withoutContent(mail, { content: readContent(givenIn(mail), []), files: noFiles, notice: null })
  })

const givenIn = ({ text, html, subject, from, recipients, files }: Incoming): RawContent => ({
  text,
  html,
  also: [
    subject,
    ...[...(from ? [from] : []), ...recipients].flatMap(({ address, name }) => [address, name ?? '']),
    ...files.filter(({ isInline }) => !isInline).map(({ name }) => name),
  ],
})

const withoutContent = ({ text: _, html: __, files: ___, ...mail }: Incoming, read: Read | null): ReadMessage => ({
  ...mail,
  read,
})

/** If its HTML takes too long to read, the message arrives as plain text. */
async function contentOf(offload: Offload, company_id: string, given: RawContent, earlier: string[]) {
  const length = [given.text, ...given.also, ...earlier].reduce((sum, text) => sum + text.length, 0)
  if (given.html === null && length <= short) return { content: readContent(given, earlier), notice: null }
  const outcome = await offload.run(company_id, inThread, [given, earlier])
  if ('value' in outcome) return { content: outcome.value, notice: null }
  const notice = given.html === null ? null : 'Shown as plain text, because its formatting took too long to process.'
  return { content: readText(given), notice }
}
