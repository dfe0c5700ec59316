// A file storage that is as strict as the specification of S3 allows: it verifies every signature and checksum, lists a few
// keys at a time and refuses parts that are too small. It can go away, or lose answers.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Settings } from '../server/files/s3-store.ts'

type Stored = { content: Buffer; at: number }
type Upload = { key: string; parts: Map<number, Buffer>; at: number }
type Asked = { request: IncomingMessage; method: string; url: URL; body: Buffer }

const bucket = 'kith-files'
const region = 'eu-test-1'
const accessKeyId = 'AKTEST'
const secretAccessKey = 'canary-secret-access-key'
const perPage = 3
const skewMs = 15 * 60_000
const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
const etagOf = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`

class Refused extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

/** `leastPart`: except the last one. */
export async function startS3({ leastPart = 5 * 1024 * 1024 } = {}) {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Upload>()
  let mode: 'there' | 'away' | 'deaf' = 'there'

  const server = createServer(async (request, response) => {
    if (mode === 'deaf') return request.socket.destroy()
    const body = Buffer.concat((await Array.fromAsync(request)) as Buffer[])
    const url = new URL(request.url!, 'http://s3')
    try {
      if (mode === 'away') throw new Refused(503, 'SlowDown')
      const asked = { request, method: request.method!, url, body }
      verify(asked)
      answer(asked, response)
    } catch (error) {
      const { status = 500, message } = error as Partial<Refused>
      const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${message}</Code><Key>canary-key</Key></Error>`
      response.writeHead(status, { 'content-type': 'application/xml' }).end(request.method === 'HEAD' ? '' : text)
    }
  })

  function verify({ request, method, url, body }: Asked) {
    const given =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
        request.headers.authorization ?? '',
      )
    if (!given) throw new Refused(403, 'AccessDenied')
    const [, id, day, of, names, signature] = given as unknown as [string, string, string, string, string, string]
    if (id !== accessKeyId) throw new Refused(403, 'InvalidAccessKeyId')
    if (of !== region) throw new Refused(400, 'AuthorizationHeaderMalformed')
    const signed = names.split(';')
    if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)))
      throw new Refused(403, 'AccessDenied')
    const date = String(request.headers['x-amz-date'])
    const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    if (!(Math.abs(Date.now() - at) < skewMs) || !date.startsWith(day)) throw new Refused(403, 'RequestTimeTooSkewed')
    const checksum = String(request.headers['x-amz-content-sha256'])
    if (checksum !== hash(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch')
    const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted()
    const path = url.pathname.split('/').map((part) => encoded(decodeURIComponent(part)))
    const canonical = [
      method,
      path.join('/'),
      query.join('&'),
      ...signed.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}`),
      '',
      names,
      checksum,
    ].join('\n')
    const scope = `${day}/${region}/s3/aws4_request`
    const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
    const wanted = hmac(key, ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n')).toString('hex')
    if (signature !== wanted) throw new Refused(403, 'SignatureDoesNotMatch')
  }

  function answer({ method, url, body }: Asked, response: ServerResponse) {
    const [, inBucket, ...rest] = url.pathname.split('/')
    if (inBucket !== bucket) throw new Refused(404, 'NoSuchBucket')
    const key = rest.join('/')
    const query = Object.fromEntries(url.searchParams)
    const xml = (text: string) =>
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`)
    if (!key && 'uploads' in query) return xml(listUploads(query))
    if (!key) return xml(list(query))
    if (method === 'POST' && 'uploads' in query) {
      const id = randomUUID()
      uploads.set(id, { key, parts: new Map(), at: Date.now() })
      return xml(
        `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (query.uploadId !== undefined) {
      const upload = uploads.get(query.uploadId)
      if (upload?.key !== key) throw new Refused(404, 'NoSuchUpload')
      if (method === 'PUT') {
        upload.parts.set(Number(query.partNumber), body)
        return response.writeHead(200, { etag: etagOf(body) }).end()
      }
      if (method === 'POST') return xml(complete(query.uploadId, upload, body.toString()))
      uploads.delete(query.uploadId)
      return response.writeHead(204).end()
    }
    if (method === 'PUT') {
      objects.set(key, { content: body, at: Date.now() })
      return response.writeHead(200, { etag: etagOf(body) }).end()
    }
    if (method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const found = objects.get(key)
    if (!found) throw new Refused(404, 'NoSuchKey')
    response.writeHead(200, { 'content-length': found.content.length, etag: etagOf(found.content) })
    return response.end(method === 'HEAD' ? '' : found.content)
  }

  function complete(id: string, { key, parts }: Upload, text: string) {
    const named = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
    const contents = named.map(([, number, etag], i) => {
      const content = parts.get(Number(number))
      if (!content || etagOf(content) !== etag || Number(number) !== i + 1) throw new Refused(400, 'InvalidPart')
      if (content.length < leastPart && i < named.length - 1) throw new Refused(400, 'EntityTooSmall')
      return content
    })
    if (!contents.length) throw new Refused(400, 'MalformedXML')
    const content = Buffer.concat(contents)
    objects.set(key, { content, at: Date.now() })
    uploads.delete(id)
    return `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>${etagOf(content)}</ETag></CompleteMultipartUploadResult>`
  }

  function list({ 'list-type': type, 'continuation-token': token = '' }: Record<string, string>) {
    if (type !== '2') throw new Refused(400, 'InvalidArgument')
    const keys = [...objects.keys()].toSorted().filter((key) => key > token)
    const page = keys.slice(0, perPage)
    const more = keys.length > perPage ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    const contents = page.map((key) => {
      const { content, at } = objects.get(key)!
      return `<Contents><Key>${key}</Key><LastModified>${new Date(at).toISOString()}</LastModified><Size>${content.length}</Size></Contents>`
    })
    return `<ListBucketResult><IsTruncated>${more !== ''}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`
  }

  function listUploads({ 'upload-id-marker': after = '' }: Record<string, string>) {
    const ids = [...uploads.keys()].toSorted().filter((id) => id > after)
    const page = ids.slice(0, perPage)
    const items = page.map((id) => {
      const { key, at } = uploads.get(id)!
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(at).toISOString()}</Initiated></Upload>`
    })
    const isMore = ids.length > perPage
    const next = isMore
      ? `<NextKeyMarker>${uploads.get(page.at(-1)!)!.key}</NextKeyMarker><NextUploadIdMarker>${page.at(-1)}</NextUploadIdMarker>`
      : ''
    return `<ListMultipartUploadsResult><IsTruncated>${isMore}</IsTruncated>${next}${items.join('')}</ListMultipartUploadsResult>`
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const settings: S3Settings = { endpoint, bucket, region, accessKeyId, secretAccessKey }
  return {
    settings,
    /** As settings of the product. */
    env: {
      S3_ENDPOINT: endpoint.origin,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    secret: secretAccessKey,
    objects,
    uploads,
    becomes: (now: typeof mode) => {
      mode = now
    },
    /** Makes everything older. */
    age: (ms: number) => {
      for (const one of [...objects.values(), ...uploads.values()]) one.at -= ms
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
