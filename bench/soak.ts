// The product with every feature in use for a while: memory, open files, connections and latency must stay flat.
// SOAK_MINUTES, default 30.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { contract } from '../contract/index.ts'
import { startDovecot } from '../test/dovecot.ts'
import { install } from '../test/installation.ts'
import { freePort } from '../test/process.ts'
import { createClient } from '../web/client/api.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const metricsPort = await freePort()

// What surrounds it: a receiver of webhooks, a mail server in both directions, a gateway.
const address = 'team@acme.test'
const dovecot = await startDovecot({ users: { [address]: 'secret' } })
const smtp = new SMTPServer({
  authOptional: true,
  allowInsecureAuth: true,
  onAuth: ({ username }, _, done) => done(null, { user: username }),
  disabledCommands: ['STARTTLS'],
  onData: (stream, _, done) => void stream.resume().once('end', () => done()),
})
await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
const smtpPort = (smtp.server.address() as AddressInfo).port
const count: Record<string, number> = {}
const receiver = createServer((request, response) => {
  request.resume().once('end', () => response.end())
  count['webhooks received'] = (count['webhooks received'] ?? 0) + 1
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

const kith = await install({ METRICS_PORT: String(metricsPort), OUTBOUND_ALLOW: '127.0.0.1' })
const ada = await kith.given.company({ name: 'Acme' })
const key = await kith.given.key(ada)
const api = kith.withKey(key)
const cookie = `kith_session=${await kith.given.session(ada)}`
const own = { cookie, origin: kith.url }
const web = createClient<typeof contract>(contract, '/app/api', (path, init) =>
  fetch(kith.url + path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...own } }),
)
const at = (port: number) => ({ host: '127.0.0.1', port, security: 'none' as const })
const mailbox = await web.connectMailbox({
  name: 'Team',
  address,
  username: address,
  password: 'secret',
  is_personal: false,
  imap: at(dovecot.port),
  smtp: at(smtpPort),
})
const gateway = await web.connectApiChannel({ name: 'Chat' })
await api.createWebhook({ target_url: receiverUrl, events: ['*'] })
const person = (first_name: string) => ({ first_name, last_name: 'Soak', emails: [`${randomUUID()}@example.com`] })
const first = await api.createRecords({
  object: 'people',
  records: Array.from({ length: 100 }, (_, i) => person(`P${i}`)),
})
const home = (await web.listDashboards({})).items[0]!.id
const ids = first.records.map(({ id }) => id)
const any = <T>(list: T[]) => list[Math.floor(Math.random() * list.length)]!

async function finished(job_id: string) {
  for (;;) {
    const { state } = await api.getJob({ id: job_id })
    if (state === 'done') return
    if (state !== 'waiting' && state !== 'running') throw new Error(`a job is ${state}`)
    await sleep(500)
  }
}

/** Each is done again and again, with so much time in between. */
const uses: Record<string, [everyMs: number, use: () => Promise<unknown>]> = {
  queries: [150, () => api.queryRecords({ object: 'people', filter: 'last_name = Soak', limit: 50 })],
  searches: [500, () => api.searchRecords({ q: 'Soak' })],
  dashboards: [3000, () => web.queryDashboard({ id: home })],
  'changes and undos': [
    700,
    async () => {
      const { change_set_id } = await api.updateRecords({
        object: 'people',
        records: [{ id: any(ids), values: { job_title: randomUUID() } }],
      })
      await api.undoChanges({ change_set_ids: [change_set_id!] })
    },
  ],
  'records that come and go': [
    700,
    async () => {
      const { records } = await api.createRecords({ object: 'people', records: [person('New')] })
      await api.deleteRecords({ object: 'people', ids: records.map(({ id }) => id) })
    },
  ],
  files: [
    2000,
    async () => {
      const { id } = await api.uploadFile({
        purpose: 'import',
        name: 'a.csv',
        file: new Blob(['a,b\n'.repeat(20_000)]),
      })
      await (await api.downloadFile({ id })).arrayBuffer()
      await api.deleteFile({ id })
    },
  ],
  imports: [
    30_000,
    async () => {
      const csv = `first_name,emails\n${Array.from({ length: 200 }, (_, i) => `I${i},${randomUUID()}@example.com`).join('\n')}`
      const { job_id } = await api.importRecords({ object: 'people', csv })
      await finished(job_id!)
    },
  ],
  exports: [20_000, async () => finished((await api.exportRecords({ object: 'people' })).job_id)],
  'calls of agents': [500, () => callTool('query_records', { object: 'people', limit: 20 })],
  'open pages': [
    1000,
    async () => {
      const page = new AbortController()
      const answer = await fetch(`${kith.url}/app/api/live`, { headers: own, signal: page.signal })
      await answer.body!.getReader().read()
      await sleep(5000)
      page.abort()
    },
  ],
  'mails received': [
    2000,
    () =>
      dovecot.deliver(
        address,
        `From: Bo <bo${Math.floor(Math.random() * 50)}@example.com>\r\nTo: ${address}\r\nSubject: Order ${randomUUID()}\r\nMessage-ID: <${randomUUID()}@example.com>\r\n\r\nHello\r\n`,
      ),
  ],
  'mails sent': [
    5000,
    () =>
      web.sendMessage({
        channel_id: mailbox.id,
        to: [`${randomUUID()}@example.com`],
        subject: 'Hello',
        text: 'Hello',
      }),
  ],
  'gateway posts': [
    2000,
    async () => {
      const id = randomUUID()
      const body = JSON.stringify({
        items: [
          { kind: 'message', id, thread: `chat-${id.slice(0, 1)}`, from: { address: 'ada', name: 'Ada' }, text: 'Hi' },
        ],
      })
      const now = new Date()
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(gateway.secret).sign(id, now, body),
      }
      const answer = await fetch(kith.url + new URL(gateway.post_address).pathname, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(await answer.text())
      await answer.arrayBuffer()
    },
  ],
  'conversations read': [1500, () => web.listConversations({ limit: 30 })],
  'pages of the web app': [1000, async () => (await fetch(`${kith.url}/people`, { headers: own })).arrayBuffer()],
}

async function callTool(name: string, args: object) {
  const answer = await fetch(`${kith.url}/api/v1/mcp`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const text = await answer.text()
  if (!text.includes('"structuredContent"') && !text.includes('"content"')) throw new Error(text.slice(0, 300))
}

const stopping = new AbortController()
const failures = new Map<string, number>()
async function repeat(name: string, everyMs: number, use: () => Promise<unknown>) {
  while (!stopping.signal.aborted) {
    await use().then(
      () => {
        count[name] = (count[name] ?? 0) + 1
      },
      (error: Error) => {
        const what = `${name}: ${error.message}`
        failures.set(what, (failures.get(what) ?? 0) + 1)
      },
    )
    await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
  }
}

type Point = { minute: number } & Record<
  'memory' | 'heap' | 'files' | 'handles' | 'connections' | 'late' | 'p99',
  number
>

let before = new Map<string, number>()
async function measure(minute: number): Promise<Point> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const samples = [...text.matchAll(/^(\w+)(\{.*\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels,
    value: Number(value),
  }))
  const sum = (name: string, part = '') =>
    samples
      .filter((one) => one.name === name && one.labels.includes(part))
      .reduce((total, { value }) => total + value, 0)
  const limits = [...new Set(samples.flatMap(({ labels }) => /le="([^"]+)"/.exec(labels)?.[1] ?? []))]
  const counts = new Map(limits.map((limit) => [limit, sum('kith_request_duration_seconds_bucket', `le="${limit}"`)]))
  const since = limits
    .map((limit) => ({ limit, requests: counts.get(limit)! - (before.get(limit) ?? 0) }))
    .toSorted((a, b) => Number(a.limit.replace('+Inf', 'Infinity')) - Number(b.limit.replace('+Inf', 'Infinity')))
  before = counts
  const all = since.at(-1)?.requests ?? 0
  return {
    minute,
    memory: sum('process_resident_memory_bytes') / 1e6,
    heap: sum('nodejs_heap_size_used_bytes') / 1e6,
    files: sum('process_open_fds'),
    handles: sum('nodejs_active_handles_total'),
    connections: sum('kith_connections', 'state="busy"') + sum('kith_connections', 'state="idle"'),
    late: Math.max(0, ...samples.filter(({ name }) => name === 'kith_due_oldest_seconds').map(({ value }) => value)),
    p99: Number(since.find(({ requests }) => requests >= 0.99 * all)?.limit ?? 0) * 1000,
  }
}

const points: Point[] = []
const began = Date.now()
const loops = Object.entries(uses).map(([name, [everyMs, use]]) => repeat(name, everyMs, use))
console.log('minute  memory MB  heap MB  files  handles  connections  oldest work s  p99 below ms')
for (let minute = 1; minute <= minutes; minute++) {
  await sleep(began + minute * 60_000 - Date.now())
  const point = await measure(minute)
  points.push(point)
  const { memory, heap, files, handles, connections, late, p99 } = point
  const shown = [minute, memory.toFixed(0), heap.toFixed(0), files, handles, connections, late.toFixed(0), p99]
  console.log(shown.map((value, i) => String(value).padStart([6, 9, 7, 5, 7, 11, 13, 12][i]!)).join('  '))
}
stopping.abort()
await Promise.all(loops)
console.log(
  `\nDone: ${Object.entries(count)
    .map(([name, times]) => `${times} ${name}`)
    .join(', ')}`,
)
for (const [what, times] of failures) console.log(`FAILED ${times} times: ${what}`)
const half = points.slice(Math.floor(points.length / 2))
for (const name of ['memory', 'heap', 'files', 'handles', 'connections', 'p99'] as const)
  console.log(
    `${name}: ${half[0]![name].toFixed(0)} at half time, ${half.at(-1)![name].toFixed(0)} at the end, slope ${slope(half, name).toFixed(2)} per minute`,
  )
await kith.remove()
await dovecot.remove()
smtp.close()
receiver.close()

/** Least squares. */
function slope(list: Point[], name: keyof Point) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(list.map((point) => point.minute))
  const y = mean(list.map((point) => point[name]))
  const above = list.reduce((sum, point) => sum + (point.minute - x) * (point[name] - y), 0)
  return above / list.reduce((sum, point) => sum + (point.minute - x) ** 2, 0)
}
