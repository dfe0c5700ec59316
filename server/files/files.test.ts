import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { sized } from '../../test/long.ts'
import { testWorker } from '../../test/worker.ts'
import { sha256 } from '../platform/secrets.ts'
import { safeName } from './names.ts'
import { typeOf } from './sniff.ts'
import { diskStore } from './store.ts'
import { fileLock, sweepFiles } from './sweep.ts'

const kith = await testApp({ filesQuotaBytes: 3 * 1024 * 1024 })
const worker = await testWorker(kith)
const { given, withKey, withSession } = kith
const { store } = kith.services.files
await kith.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = kith.app.server.address() as AddressInfo

const someone = async () => {
  const user = await given.company()
  return { user, key: await given.key(user), api: withKey(await given.key(user)) }
}
const csv = (text = 'name,email\nAda,ada@example.com\n') => new Blob([text], { type: 'text/csv' })
const upload = { purpose: 'import' as const, name: 'people.csv' }
const foldersOf = () => readdirSync(kith.filesFolder).sort()
const bytesOf = ({ company_id }: { company_id: string }) => {
  const folder = join(kith.filesFolder, company_id)
  return foldersOf().includes(company_id) ? readdirSync(folder).map((id) => join(folder, id)) : []
}
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const age = (path: string) => utimesSync(path, new Date(0), new Date(0))

/** A request on a connection of its own, whose body is written as the test likes. */
function onTheWire(headers: Record<string, string>, path = '/api/v1/files?purpose=import&name=a.csv') {
  const sent = request({ port, path, method: 'POST', headers, agent: false })
  const answer = new Promise<{ status: number; body: { code?: string; size?: number } }>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const text = Buffer.concat((await Array.fromAsync(response)) as Buffer[]).toString()
      resolve({ status: response.statusCode!, body: JSON.parse(text) })
    })
  })
  return { sent, answer }
}

describe('an upload', () => {
  test('is stored with its detected type, size and hash, by key and by session', async () => {
    const { user, api } = await someone()
    for (const door of [api, withSession(await given.session(user))]) {
      const file = await door.uploadFile({ ...upload, file: csv() })
      expect(file).toMatchObject({ purpose: 'import', name: 'people.csv', type: 'text/csv', size: 31 })
      expect(file.sha256).toBe(sha256(await csv().text()).toString('hex'))
      expect(file.expires_at).toBe('2026-06-16T12:00:00.000Z')
      expect(await (await door.downloadFile({ id: file.id })).text()).toBe(await csv().text())
    }
    expect(bytesOf(user).map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
    const { items } = await withSession(await given.session(user)).listAuditEvents({ action: 'file.uploaded' })
    expect(items[0]).toMatchObject({ data: { name: 'people.csv', size: 31, purpose: 'import' } })
  })

  test('accepts any content type, even JSON, as raw bytes', async () => {
    const { api } = await someone()
    for (const type of ['application/json', 'text/html', '']) {
      const { id, type: sniffed } = await api.uploadFile({
        ...upload,
        name: 'a',
        file: new Blob(['{"a": 1'], { type }),
      })
      expect(sniffed).toBe('text/plain')
      expect(await (await api.downloadFile({ id })).text()).toBe('{"a": 1')
    }
  })

  test('inside a form is refused, because the form would become part of the file', async () => {
    const { key } = await someone()
    const headers = { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=x' }
    const answer = await kith.send('/api/v1/files?purpose=import&name=a', { method: 'POST', headers, body: 'a' })
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({
      title: 'Unsupported content type',
      detail: 'Send the content of the file as the raw body, not as a form.',
    })
  })

  test('is served as an attachment under its own name, and never as a page', async () => {
    const { key, api } = await someone()
    const name = '../../naïve "株式会社"\r\n.html'
    const { id } = await api.uploadFile({ ...upload, name, file: new Blob(['<script>alert(1)</script>']) })
    const answer = await kith.send(`/api/v1/files/${id}/content`, { headers: { 'x-api-key': key } })
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="na?ve _????_.html"; filename*=UTF-8''na%C3%AFve%20_%E6%A0%AA%E5%BC%8F%E4%BC%9A%E7%A4%BE_.html`,
    )
    expect(answer.headers.get('content-type')).toBe('text/plain')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(answer.headers.get('content-length')).toBe('25')
  })

  const megabytes = sized(40, 100)
  test(`is streamed: ${megabytes} megabytes need little memory`, async () => {
    const roomy = await testApp({ filesQuotaBytes: 1e9 })
    const key = await roomy.given.key(await roomy.given.company())
    await roomy.app.listen({ port: 0, host: '127.0.0.1' })
    const at = { port: (roomy.app.server.address() as AddressInfo).port, path: '/api/v1/files?purpose=import&name=a' }
    const piece = randomBytes(1024 * 1024)
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request({ ...at, method: 'POST', headers: { 'x-api-key': key }, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode!)
      })
      sent.on('error', reject)
      void (async () => {
        for (let i = 0; i < megabytes; i++) {
          if (!sent.write(piece)) await new Promise((resolve) => sent.once('drain', resolve))
          if (i % 10) continue
          collectGarbage()
          most = Math.max(most, process.memoryUsage().arrayBuffers - before)
        }
        sent.end()
      })()
    })
    expect(status).toBe(201)
    expect(most).toBeLessThan(20 * 1024 * 1024)
  })

  test('that is empty is refused', async () => {
    const { user, api } = await someone()
    await expect(api.uploadFile({ ...upload, file: new Blob([]) })).toBeRefused(422)
    expect(await kith.db.selectFrom('files').select('id').where('company_id', '=', user.company_id).execute()).toEqual(
      [],
    )
  })

  test('that is too large is refused immediately by its length, or while it arrives', async () => {
    const { user, key } = await someone()
    const headers = { 'x-api-key': key }
    const long = onTheWire({ ...headers, 'content-length': String(101 * 1024 * 1024) })
    long.sent.flushHeaders()
    expect(await long.answer).toMatchObject({ status: 413, body: { code: 'too_large' } })
    long.sent.on('error', () => {}).destroy()

    const chunked = onTheWire(headers)
    const piece = Buffer.alloc(1024 * 1024)
    for (let i = 0; i < 102 && !chunked.sent.destroyed; i++)
      if (!chunked.sent.write(piece))
        await Promise.race([new Promise((go) => chunked.sent.once('drain', go)), sleep(200)])
    expect(await chunked.answer).toMatchObject({ status: 413, body: { code: 'too_large' } })
    chunked.sent.on('error', () => {}).destroy()
    expect(bytesOf(user)).toEqual([])
    expect(readdirSync(join(kith.filesFolder, 'incoming'))).toEqual([])
  })

  test('that is interrupted leaves neither a row nor bytes', async () => {
    const { user, key } = await someone()
    const { sent, answer } = onTheWire({ 'x-api-key': key, 'content-length': '1000' })
    answer.catch(() => {})
    sent.write('half of it')
    await expect.poll(() => readdirSync(join(kith.filesFolder, 'incoming')).length).toBe(1)
    sent.destroy()
    await expect.poll(() => readdirSync(join(kith.filesFolder, 'incoming')).length).toBe(0)
    expect(bytesOf(user)).toEqual([])
    expect(kith.logged.join()).not.toContain('a request failed')
  })

  test('from the web app needs a header that other sites cannot send', async () => {
    const { user } = await someone()
    const cookie = `kith_session=${await given.session(user)}`
    const path = '/app/api/files?purpose=import&name=a.csv'
    const send = (headers: Record<string, string>) =>
      kith.send(path, { method: 'POST', headers: { cookie, ...headers }, body: 'a' })
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json'])
      expect((await send({ 'content-type': type })).status, type).toBe(403)
    expect((await send({ 'x-kith-upload': '1', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send({ 'x-kith-upload': '1', origin: 'https://evil.example' })).status).toBe(403)
    expect((await send({ 'x-kith-upload': '1', 'content-type': 'text/plain' })).status).toBe(201)
  })

  test('refuses an idempotency key', async () => {
    const { key } = await someone()
    const headers = { 'x-api-key': key, 'idempotency-key': 'a' }
    const answer = await kith.send('/api/v1/files?purpose=import&name=a', { method: 'POST', headers, body: 'a' })
    expect(answer.status).toBe(400)
  })

  test('without a key is refused before its body is read', async () => {
    const { sent, answer } = onTheWire({ 'content-length': '1000000' })
    sent.flushHeaders()
    expect(await answer).toMatchObject({ status: 401 })
    sent.on('error', () => {}).destroy()
  })

  test('counts against the quota of the company, even with two concurrent uploads', async () => {
    const { api } = await someone()
    const half = () => new Blob([randomBytes(2 * 1024 * 1024)])
    const answers = await Promise.allSettled([1, 2].map(() => api.uploadFile({ ...upload, file: half() })))
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(api.uploadFile({ ...upload, file: half() })).toBeRefused(409)
    const [kept] = answers.filter((answer) => answer.status === 'fulfilled')
    await api.deleteFile({ id: kept!.value.id })
    await api.uploadFile({ ...upload, file: half() })
  })

  test('is counted exactly, whatever is added, refused, deleted or expired', async () => {
    const { user, api } = await someone()
    const figures = async () => {
      const { rows } = await sql<{ counted: number; stored: number }>`
        select (select bytes::int from file_usage where company_id = ${user.company_id}) as counted,
          (select coalesce(sum(size), 0)::int from files where company_id = ${user.company_id}) as stored`.execute(
        kith.db,
      )
      return rows[0]!
    }
    const add = (size: number) => api.uploadFile({ ...upload, file: new Blob(['x'.repeat(size)]) })
    const [first] = await Promise.all([add(100), add(20), add(3)])
    expect(await figures()).toEqual({ counted: 123, stored: 123 })
    await api.deleteFile({ id: first!.id })
    expect(await figures()).toEqual({ counted: 23, stored: 23 })
    await expect(add(3 * 1024 * 1024)).toBeRefused(409)
    expect(await figures()).toEqual({ counted: 23, stored: 23 })
    const before = kith.time.now
    kith.minutes(24 * 60)
    await add(7)
    await worker.run('prune', {})
    expect(await figures()).toEqual({ counted: 7, stored: 7 })
    kith.time.now = before
    // As a process of an earlier version leaves it.
    await kith.db.updateTable('file_usage').set({ bytes: 4 }).where('company_id', '=', user.company_id).execute()
    await worker.run('recount_files', {})
    expect(await figures()).toEqual({ counted: 7, stored: 7 })
  })
})

test('a file is visible only to the user who uploaded it, until it expires', async () => {
  const { user, api } = await someone()
  const other = withKey(await given.key(await given.user(user, { role: 'Admin' })))
  const stranger = (await someone()).api
  const { id } = await api.uploadFile({ ...upload, file: csv() })
  for (const door of [other, stranger]) {
    await expect(door.downloadFile({ id })).toBeRefused(404)
    await expect(door.deleteFile({ id })).toBeRefused(404)
  }
  const before = kith.time.now
  kith.minutes(24 * 60)
  await expect(api.downloadFile({ id })).toBeRefused(404)
  await worker.run('prune', {})
  expect(await kith.db.selectFrom('files').select('id').where('id', '=', id).execute()).toEqual([])
  kith.time.now = before
})

describe('the sweep', () => {
  const sweep = () => sweepFiles(kith.backgroundDb, store)

  test('removes bytes without a row once they are old, and nothing else', async () => {
    const { user, api } = await someone()
    const [kept, deleted] = [
      await api.uploadFile({ ...upload, file: csv() }),
      await api.uploadFile({ ...upload, file: csv() }),
    ]
    await api.deleteFile({ id: deleted.id })
    const orphan = randomUUIDv7()
    await store.put(`${user.company_id}/${orphan}`, [Buffer.from('x')])
    const partial = join(kith.filesFolder, 'incoming', randomUUID())
    writeFileSync(partial, 'x')
    await sweep()
    expect(bytesOf(user)).toHaveLength(3)
    for (const path of [...bytesOf(user), partial]) age(path)
    expect(await sweep()).toBe(2)
    expect(bytesOf(user)).toEqual([join(kith.filesFolder, user.company_id, kept.id)])
    expect(readdirSync(join(kith.filesFolder, 'incoming'))).toEqual([])
    expect(await (await api.downloadFile({ id: kept.id })).text()).toBe(await csv().text())
  })

  test('does nothing while a backup copies files', async () => {
    const { user } = await someone()
    await store.put(`${user.company_id}/${randomUUIDv7()}`, [Buffer.from('x')])
    for (const path of bytesOf(user)) age(path)
    const backup = await kith.pool.connect()
    await backup.query('select pg_advisory_lock_shared($1)', [fileLock])
    expect(await sweep()).toBe(0)
    await backup.query('select pg_advisory_unlock_shared($1)', [fileLock])
    backup.release()
    expect(await sweep()).toBe(1)
  })
})

test('a store accepts only keys of two IDs, and keeps nothing of a failed write', async () => {
  const own = diskStore(join(kith.filesFolder, 'own'))
  for (const key of ['../x', 'a/b', `${randomUUID()}/../${randomUUID()}`, randomUUID()])
    await expect(own.put(key, [])).rejects.toThrow('two IDs')
  const key = `${randomUUID()}/${randomUUID()}`
  const failing = async function* () {
    yield Buffer.from('a')
    throw new Error('lost')
  }
  await expect(own.put(key, failing())).rejects.toThrow('lost')
  expect(await own.sizeOf(key)).toBe(null)
  expect(readdirSync(join(kith.filesFolder, 'own', 'incoming'))).toEqual([])
})

test.each([
  ['people.csv', 'people.csv'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\list.xlsx', 'list.xlsx'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['a\r\nSet-Cookie: x', 'aSet-Cookie_ x'],
  ['...', 'file'],
  ['.htaccess', 'htaccess'],
  ['con.txt', '_con.txt'],
  ['résumé.pdf', 'résumé.pdf'],
  [`${'a'.repeat(400)}.csv`, `${'a'.repeat(196)}.csv`],
])('the name %j becomes %j', (given, safe) => {
  expect(safeName(given)).toBe(safe)
})

test.each([
  ['image/png', Buffer.from('89504e470d0a1a0a00', 'hex')],
  ['image/webp', Buffer.from('RIFF0000WEBPVP8 ')],
  ['application/pdf', Buffer.from('%PDF-1.7')],
  ['application/zip', Buffer.from('PK\x03\x04 word/document.xml')],
  [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    Buffer.from('PK\x03\x04 [Content_Types].xml xl/workbook.xml'),
  ],
  ['text/plain', Buffer.from('<!doctype html><script>')],
  ['text/plain', Buffer.from('Stra\xdfe;1', 'latin1')],
  ['text/plain', Buffer.from('Straße\x01;1')],
  ['application/octet-stream', Buffer.from('Stra\xdfe\x01;1', 'latin1')],
  ['text/plain', Buffer.from('\ufeffa;b', 'utf16le')],
  ['application/octet-stream', Buffer.from('a\0b')],
])('%s is recognized by its content', (type, head) => {
  expect(typeOf(head)).toBe(type)
})
