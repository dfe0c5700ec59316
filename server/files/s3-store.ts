// Stores the bytes of files with any service that speaks S3. Small files are sent whole, larger ones in parts, each with its
// checksum, so that a file appears only when all of it has arrived as it was sent.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { DomUtils, parseDocument } from 'htmlparser2'
import { AppError } from '../kernel/app-error.ts'
import { type FileStore, isKey, measuring } from './store.ts'

export type S3Settings = {
  /** Of the service, without the bucket. */
  endpoint: URL
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}
type Limits = { partBytes: number; attempts: number; firstWaitMs: number; mostMs: number }
/** Services want parts of at least 5 MB, and at most 10,000 of them. */
const usual: Limits = { partBytes: 8 * 1024 * 1024, attempts: 4, firstWaitMs: 200, mostMs: 60_000 }

type Call = { key?: string; query?: Record<string, string>; body?: Buffer; accepts?: number[] }

export function s3Store({ endpoint, bucket, ...as }: S3Settings, given: Partial<Limits> = {}): FileStore {
  const limits = { ...usual, ...given }
  const client = new AwsClient({ ...as, service: 's3', retries: 0 })
  const root = new URL(`${endpoint.href.replace(/\/$/, '')}/${bucket}`)

  /** Repeated if the service does not respond: each call has the same effect as one. */
  async function call(method: string, { key, query = {}, body, accepts = [] }: Call = {}) {
    const url = new URL(key ? `${root.href}/${key}` : root.href)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const headers = {
      'x-amz-content-sha256': hashOf(body ?? ''),
      ...(body && { 'content-type': 'application/octet-stream' }),
    }
    for (let attempt = 1; ; attempt++) {
      const signed = await client.sign(url, { method, headers, body: body as BodyInit | undefined })
      const { answer, cause } = await begun(signed, limits.mostMs)
      if (answer && (answer.ok || accepts.includes(answer.status))) return answer
      const isAway = !answer || answer.status >= 500 || answer.status === 429
      const problem = answer && codeIn(await answer.text().catch(() => ''))
      if (!isAway) throw failure(answer.status, problem)
      if (attempt === limits.attempts)
        throw Object.assign(
          new AppError('unavailable', 'The file storage does not respond. Try again in a minute.', { retryAfter: 60 }),
          { cause: cause ?? failure(answer!.status, problem) },
        )
      await sleep(limits.firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2))
    }
  }

  async function putInParts(key: string, parts: AsyncIterable<Buffer>) {
    const uploadId = textsIn(await (await call('POST', { key, query: { uploads: '' } })).text(), 'UploadId')[0]!
    try {
      const etags: string[] = []
      for await (const body of parts) {
        const query = { partNumber: String(etags.length + 1), uploadId }
        etags.push((await call('PUT', { key, query, body })).headers.get('etag')!)
      }
      const list = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
      const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
      const answer = await (await call('POST', { key, query: { uploadId }, body })).text()
      // It can fail after its status was sent.
      if (textsIn(answer, 'ETag').length === 0) throw failure(200, codeIn(answer))
    } catch (error) {
      // What remains is removed by `tidy`.
      await call('DELETE', { key, query: { uploadId }, accepts: [404] }).catch(() => {})
      throw error
    }
  }

  async function* pagesOf(query: Record<string, string>, next: (text: string) => Record<string, string> | undefined) {
    for (let more: Record<string, string> | undefined = {}; more; ) {
      const text: string = await (await call('GET', { query: { ...query, ...more } })).text()
      yield text
      more = next(text)
    }
  }

  return {
    async put(key, content) {
      const measured = measuring(content)
      const parts = inParts(measured.content, limits.partBytes)
      const { value: first } = await parts.next()
      const { value: second } = await parts.next()
      if (second) await putInParts(keyed(key), join([first as Buffer, second as Buffer], parts))
      else await call('PUT', { key: keyed(key), body: (first as Buffer | undefined) ?? Buffer.alloc(0) })
      return measured.result()
    },

    async read(key) {
      const answer = await call('GET', { key: keyed(key), accepts: [404] })
      if (answer.status === 404) throw Object.assign(new Error('The file does not exist'), { code: 'ENOENT' })
      return answer.body!
    },

    async sizeOf(key) {
      const answer = await call('HEAD', { key: keyed(key), accepts: [404] })
      return answer.status === 404 ? null : Number(answer.headers.get('content-length'))
    },

    async remove(key) {
      await call('DELETE', { key: keyed(key), accepts: [404] })
    },

    async *keys(olderThanMs) {
      const next = (text: string) => {
        const [token] = textsIn(text, 'NextContinuationToken')
        return token ? { 'continuation-token': token } : undefined
      }
      for await (const text of pagesOf({ 'list-type': '2' }, next))
        for (const { Key, LastModified } of elementsIn(text, 'Contents'))
          if (Key && isKey(Key) && isOlder(LastModified, olderThanMs)) yield Key
    },

    async tidy(olderThanMs) {
      const next = (text: string) => {
        const [[key], [id]] = [textsIn(text, 'NextKeyMarker'), textsIn(text, 'NextUploadIdMarker')]
        return key && textsIn(text, 'IsTruncated')[0] === 'true'
          ? { 'key-marker': key, 'upload-id-marker': id ?? '' }
          : undefined
      }
      for await (const text of pagesOf({ uploads: '' }, next))
        for (const { Key, UploadId, Initiated } of elementsIn(text, 'Upload'))
          if (Key && UploadId && isOlder(Initiated, olderThanMs))
            await call('DELETE', { key: Key, query: { uploadId: UploadId }, accepts: [404] })
    },
  }
}

/** The answer, if it begins in time. How long reading it takes depends on its receiver. */
async function begun(request: Request, mostMs: number): Promise<{ answer?: Response; cause?: Error }> {
  const control = new AbortController()
  const late = new Error(`no response within ${mostMs / 1000} seconds`)
  const timer = setTimeout(() => control.abort(late), mostMs)
  return fetch(request, { signal: control.signal })
    .then((answer) => ({ answer }))
    .catch((cause: Error) => ({ cause }))
    .finally(() => clearTimeout(timer))
}

function keyed(key: string) {
  if (!isKey(key)) throw new Error('The key of a file must be two IDs')
  return key
}

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const isOlder = (at: string | undefined, ms: number) => at !== undefined && Date.now() - Date.parse(at) > ms

/** Full parts, then the rest, if there is any. */
async function* inParts(content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const piece of content) {
    waiting.push(piece)
    size += piece.length
    while (size >= bytes) {
      const all = Buffer.concat(waiting)
      yield all.subarray(0, bytes)
      waiting = [all.subarray(bytes)]
      size -= bytes
    }
  }
  if (size) yield Buffer.concat(waiting)
}

async function* join(first: Buffer[], rest: AsyncIterable<Buffer>) {
  yield* first
  yield* rest
}

// Answers are XML.
const parsed = (text: string) => parseDocument(text, { xmlMode: true })
const textsIn = (text: string, name: string) =>
  DomUtils.getElementsByTagName(name, parsed(text)).map((element) => DomUtils.textContent(element))
const elementsIn = (text: string, name: string): Record<string, string | undefined>[] =>
  DomUtils.getElementsByTagName(name, parsed(text)).map((element) =>
    Object.fromEntries(
      element.children.flatMap((child) => ('name' in child ? [[child.name, DomUtils.textContent(child)]] : [])),
    ),
  )
const codeIn = (text: string) => textsIn(text, 'Code')[0]

/** Nothing that the service says beyond its code, which could name the key. */
const failure = (status: number, code = 'unknown') => new Error(`The file storage answered ${status} (${code})`)
