// Files of posted messages: given with the message, or fetched from where the gateway has them.
import { mostPostedFilesMb } from '../../../contract/gateways.ts'
import type { IncomingFile } from '../../inbox/channel.ts'
import { AppError } from '../../kernel/app-error.ts'
import { OutboundError, type PublicFetch } from '../../platform/public-fetch.ts'

const mostBytes = mostPostedFilesMb * 1024 * 1024
const timeoutMs = 15_000

type Given = { name: string; type?: string | undefined; content?: string | undefined; url?: string | undefined }

/** `path`: where they are in the input, for errors. */
export async function filesOf(fetch: PublicFetch, given: Given[], path: string): Promise<IncomingFile[]> {
  const files: IncomingFile[] = []
  let size = 0
  for (const [i, { name, type = 'application/octet-stream', content, url }] of given.entries()) {
    const at = `${path}.${i}`
    if ((content === undefined) === (url === undefined)) throw refused(at, 'Give either content or url')
    const bytes = content === undefined ? await load(fetch, url!, at) : Buffer.from(content, 'base64')
    size += bytes.length
    if (size > mostBytes)
      throw new AppError('too_large', `The files of a message can have at most ${mostPostedFilesMb} MB.`)
    files.push({ name, type, content: bytes, contentId: null, isInline: false })
  }
  return files
}

async function load(fetch: PublicFetch, url: string, path: string) {
  try {
    const { status, body } = await fetch(url, { mostBytes, timeoutMs })
    if (status === 200) return body
    if (status >= 500 || status === 429) throw unavailable(`The file server answered ${status}.`)
    throw refused(`${path}.url`, `The file could not be fetched: the server answered ${status}`)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.code === 'refused' || error.code === 'too_large') throw refused(`${path}.url`, error.message)
    throw unavailable(error.message)
  }
}

const refused = (path: string, message: string) =>
  new AppError('invalid_input', message, { errors: [{ path, message }] })
const unavailable = (message: string) =>
  new AppError('unavailable', `${message} Nothing was stored; post it again.`, { retryAfter: 10 })
