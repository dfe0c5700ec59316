// Files of posted messages: given with the message, or fetched from where the gateway has them.
import { mostPostedFilesMb } from '../../../contract/gateways.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import { attempted, type Files, put } from '../gateway/load-files.ts'

const mostBytes = mostPostedFilesMb * 1024 * 1024
/** All files that are fetched for a post. */
const mostFetchedBytes = 5 * mostBytes
const timeoutMs = 15_000
const fetchingMs = 40_000

type Posted = { name: string; type?: string | undefined; content?: string | undefined; url?: string | undefined }
export type PostedFile = Omit<Posted, 'content'> & { content?: Uint8Array | undefined }

/** What the gateway gave with a message. `path`: where it is in the input, for errors. */
export function checkedFiles(given: Posted[], path: string): PostedFile[] {
  let size = 0
  for (const [i, { content, url }] of given.entries()) {
    if ((content === undefined) === (url === undefined)) {
      const message = 'Send either content or url'
      throw new AppError('invalid_input', message, { errors: [{ path: `${path}.${i}`, message }] })
    }
    size += content === undefined ? 0 : Buffer.byteLength(content, 'base64')
  }
  if (size > mostBytes)
    throw new AppError('too_large', `The files of a message can be up to ${mostPostedFilesMb} MB in total.`)
  return given.map(({ content, ...file }) => ({
    ...file,
    ...(content !== undefined && { content: new Uint8Array(Buffer.from(content, 'base64')) }),
  }))
}

/** One for each post: the gateway waits for its answer. */
export function createFetching(fetch: PublicFetch) {
  const endsAt = Date.now() + fetchingMs
  let fetched = 0

  async function load(url: string, most: number) {
    const left = endsAt - Date.now()
    if (left <= 0 || fetched > mostFetchedBytes)
      return { reason: 'The request had too many files.', isTemporary: false }
    const limits = { mostBytes: most, timeoutMs: Math.min(timeoutMs, left) }
    const loaded = await attempted(() => fetch(url, limits))
    if ('content' in loaded) fetched += loaded.content.length
    return loaded
  }

  return async (given: PostedFile[]): Promise<Files> => {
    const files: Files = { files: [], missing: [] }
    let left = mostBytes - given.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
    for (const { name, type = 'application/octet-stream', content, url } of given) {
      const loaded = content === undefined ? await load(url!, left) : { content }
      if (content === undefined && 'content' in loaded) left -= loaded.content.length
      put(files, { name, type }, loaded)
    }
    return files
  }
}
