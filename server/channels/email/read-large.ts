// Messages that are too large to be held in memory: their text is read, and their files are stored piece by piece.
import { randomUUIDv7 } from 'node:crypto'
import type { FetchMessageObject, MessageStructureObject } from 'imapflow'
import type { Kept } from '../../files/queries.ts'
import { keyOf } from '../../files/store.ts'
import type { IncomingFile } from '../../inbox/channels/channel.ts'
import type { Imap } from './connect.ts'
import type { Session } from './session.ts'

const mostTextBytes = 1024 * 1024
/** Of larger messages, the files stay on the mail server. */
const mostBytes = 150 * 1024 * 1024
const pieceBytes = 1024 * 1024

/** `source`: a message with the same headers and text, and without files. */
export async function readLarge(
  session: Session,
  { uid, size = 0 }: FetchMessageObject,
): Promise<{ source: Buffer; files: IncomingFile[] }> {
  const { client } = session
  const found = await client.fetchOne(String(uid), { uid: true, headers: true, bodyStructure: true }, { uid: true })
  if (!found) throw new Error('The message is no longer on the server')
  const parts = found.bodyStructure ? partsIn(found.bodyStructure) : []
  const texts: { type: string; text: Buffer }[] = []
  for (const { part = '1', type } of parts.filter(isText)) texts.push({ type, text: await textOf(client, uid, part) })
  const note =
    size > mostBytes
      ? `This message is ${inMb(size)} MB, more than the ${inMb(mostBytes)} MB limit. Its files are on the mail server.`
      : ''
  const files: IncomingFile[] = []
  if (!note) for (const part of parts) if (!isText(part)) files.push(await fileOf(session, uid, part))
  const plain = texts.find(({ type }) => type === 'text/plain')?.text.toString() ?? ''
  const html = texts.find(({ type }) => type === 'text/html')?.text
  const boundary = `kith-${uid}-${size}`
  const source = Buffer.concat([
    Buffer.from(withoutContent(found.headers), 'latin1'),
    Buffer.from(`Content-Type: multipart/alternative; boundary="${boundary}"\r\n\r\n`),
    partOf(boundary, 'text/plain', Buffer.from(`${plain}\n\n${note}\n`)),
    ...(html ? [partOf(boundary, 'text/html', Buffer.concat([html, Buffer.from(note && `<p>${note}</p>`)]))] : []),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return { source, files }
}

const inMb = (bytes: number) => Math.round(bytes / 1024 / 1024)

/** An attached message is one file. */
const partsIn = (node: MessageStructureObject): MessageStructureObject[] =>
  node.childNodes && node.type.startsWith('multipart/') ? node.childNodes.flatMap(partsIn) : [node]

const isText = ({ type, disposition }: MessageStructureObject) =>
  /^text\/(plain|html)$/.test(type) && disposition !== 'attachment'

/** Decoded to UTF-8 by the library. */
async function textOf(client: Imap, uid: number, part: string) {
  const { content } = await client.download(String(uid), part, { uid: true, maxBytes: mostTextBytes })
  return Buffer.concat(content ? await Array.fromAsync(content as AsyncIterable<Buffer>) : [])
}

async function fileOf({ client, channel, reading: { files } }: Session, uid: number, node: MessageStructureObject) {
  const { part = '1', type, id, disposition, dispositionParameters, parameters } = node
  const { content } = await client.download(String(uid), part, { uid: true, chunkSize: pieceBytes })
  if (!content) throw new Error('The message is no longer on the server')
  const fileId = randomUUIDv7()
  const key = keyOf({ company_id: channel.company_id, id: fileId })
  const kept: Kept = { id: fileId, ...(await files.store.put(key, content as AsyncIterable<Buffer>)) }
  const contentId = id?.replace(/^<|>$/g, '') ?? null
  return {
    name: dispositionParameters?.filename ?? parameters?.name ?? (type === 'message/rfc822' ? 'message.eml' : 'file'),
    type,
    content: kept,
    contentId,
    isInline: contentId !== null && disposition === 'inline',
  }
}

const withoutContent = (headers: Buffer | undefined) =>
  `${(headers?.toString('latin1') ?? '').replace(/^content-[^\n]*\n(?:[ \t][^\n]*\n)*/gim, '').trimEnd()}\r\n`

const partOf = (boundary: string, type: string, content: Buffer) =>
  Buffer.from(
    `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`,
  )
