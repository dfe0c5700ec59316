// What a destination gets, what its answers mean, and what Kith keeps to itself.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { testBuyer } from '../../test/buyer.ts'
import { hasty } from '../../test/receiver.ts'
import { testSmtp } from '../../test/smtp.ts'
import { soon, testWorker } from '../../test/worker.ts'
import { render, templateFault } from '../platform/template.ts'
import { returnLink } from './return-link.ts'

const smtp = await testSmtp()
const kith = await testApp({ outbound: hasty(400), smtpUrl: smtp.url, mailFrom: 'Kith <kith@example.com>' } as never)
const buyer = await testBuyer()
await testWorker(kith)
let api: ReturnType<typeof kith.withKey>
beforeEach(async () => {
  api = kith.withKey(await kith.given.key(await kith.given.company()))
})

const problem = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error) => error.problem,
  )
const lead = async (values: object = {}) => {
  const given = { first_name: 'Ada', email: 'ada@example.com', ...values }
  return (await api.createRecords({ object: 'leads', records: [given] as never })).records[0]!.id
}

test('values are escaped as the content type needs it, and a template is checked against the fields of leads', async () => {
  const nasty = 'A "quoted" <b>&\n{{ email }} \\'
  const values = { message: { raw: nasty, text: nasty }, score: { raw: 5, text: '5' }, email: { raw: null, text: '' } }
  const json = render('{"m": "say {{message}}", "s": {{ score }}, "e": {{ email }}}', 'json', values)
  expect(JSON.parse(json)).toEqual({ m: `say ${nasty}`, s: 5, e: null })
  expect(new URLSearchParams(render('m={{ message }}&s={{score}}', 'form', values)).get('m')).toBe(nasty)
  expect(render('<m>{{ message }}</m>', 'xml', values)).toBe(
    '<m>A &#34;quoted&#34; &#60;b&#62;&#38;\n{{ email }} \\</m>',
  )
  expect(render('Hi {{ message }}', 'line', values)).toBe('Hi A "quoted" <b>& {{ email }} \\')
  const known = ['email', 'message']
  expect(templateFault('{"a": "{{ emial }}"}', 'json', known)).toBe(
    '{{ emial }} is not a field of leads. Did you mean {{ email }}?',
  )
  expect(templateFault('{"a": {{ email }', 'json', known)).toContain('braces')
  expect(templateFault('{"a": {{ email }}', 'json', known)).toContain('not valid JSON')
  expect(templateFault('{{ constructor }}', 'text', known)).toContain('not a field')

  const http = { url: `${buyer.url}/x`, body: '{"name": "{{ nmae }}"}' }
  const refused = await problem(api.createLeadDestination({ name: 'A', http }))
  expect(refused).toMatchObject({ status: 422, errors: [{ path: 'http.body' }] })
  const elsewhere = { url: 'https://{{ company_name }}/x' }
  expect(await problem(api.createLeadDestination({ name: 'A', http: elsewhere }))).toMatchObject({ status: 422 })
  expect(await problem(api.createLeadDestination({ name: 'A', http: { url: 'http://10.0.0.1/' } }))).toMatchObject({
    status: 422,
  })
  expect(await problem(api.createLeadDestination({ name: 'A' }))).toMatchObject({ status: 422 })
})

test('"Send a test" shows the exact request and answer without secrets, which only their own host ever gets', async () => {
  const at = buyer.at((_, response) =>
    response.writeHead(200, { 'x-buyer': 'yes' }).end('{"result": {"status": "OK", "id": 7}}'),
  )
  const made = await api.createLeadDestination({
    name: 'Partner',
    http: { url: `${at.url}?who={{ email }}`, body: '{"mail": "{{ email }}", "lead": "{{ lead_id }}"}' },
    headers: { 'x-secret': 'hush-hush' },
    authentication: { type: 'basic', user: 'kith', password: 'hush-pass' },
  })
  expect(made).toMatchObject({ kind: 'http', header_names: ['x-secret'], authentication: 'basic', problem: null })
  const dry = await api.testLeadDestination({ id: made.id, dry_run: true })
  expect(dry).toMatchObject({ answer: null, request: { method: 'POST', url: `${at.url}?who=ada.test%40example.com` } })
  expect(at.got()).toHaveLength(0)
  const shown = await api.testLeadDestination({ id: made.id, lead_id: await lead() })
  const [got] = at.got()
  expect(shown).toMatchObject({ result: 'accepted', answer: { status: 200, headers: { 'x-buyer': 'yes' } } })
  expect(shown.request.body).toBe(got!.body)
  expect(got!.headers).toMatchObject({
    'x-secret': 'hush-hush',
    authorization: `Basic ${Buffer.from('kith:hush-pass').toString('base64')}`,
    'idempotency-key': shown.request.headers['idempotency-key'],
  })
  expect(shown.request.headers).toMatchObject({ 'x-secret': '•••', authorization: '•••' })
  const stored = await kith.db
    .selectFrom('lead_destinations')
    .selectAll()
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
  const everything = JSON.stringify([
    made,
    dry,
    shown,
    await api.listLeadDestinations({}),
    stored.settings,
    stored.secrets?.toString('latin1'),
  ])
  expect(everything).not.toMatch(/hush|a2l0aD/)

  const moved = { id: made.id, http: { ...made.http!, url: 'https://other.example.com/' } }
  expect(await problem(api.updateLeadDestination(moved))).toMatchObject({ status: 422, errors: [{ path: 'headers' }] })
  const kept = await api.updateLeadDestination({ id: made.id, name: 'Renamed', authentication: { type: 'none' } })
  expect(kept).toMatchObject({ name: 'Renamed', header_names: ['x-secret'], authentication: 'none' })
  await api.testLeadDestination({ id: made.id })
  expect(at.got().at(-1)!.headers).toMatchObject({ 'x-secret': 'hush-hush' })
  expect(at.got().at(-1)!.headers.authorization).toBeUndefined()
})

test('the answer means what its mapping says, by status or by a JSON path, with reason and price', async () => {
  const outcome = async (status: number, body: string, mapping: object = {}) => {
    const at = buyer.at((_, response) => response.writeHead(status).end(body))
    const { id } = await api.createLeadDestination({ name: 'P', http: { url: at.url, ...mapping } as never })
    const { result, reason, price } = await api.testLeadDestination({ id })
    return { result, reason, price }
  }
  expect(await outcome(204, '')).toMatchObject({ result: 'accepted', reason: null })
  expect(await outcome(409, '')).toMatchObject({ result: 'duplicate' })
  expect(await outcome(400, '')).toMatchObject({ result: 'rejected', reason: 'The destination responded with 400.' })
  expect(await outcome(503, '')).toMatchObject({ result: 'again' })
  expect(await outcome(302, '')).toMatchObject({
    result: 'rejected',
    reason: expect.stringContaining('Redirects are not followed'),
  })
  const mapping = {
    rules: [
      { path: 'data.0.state', equals: 'SOLD', result: 'accepted' },
      { path: 'data.0.state', equals: 'dup', result: 'duplicate' },
      { status: '2xx', result: 'rejected' },
    ],
    reason_path: 'why',
    price_path: 'data.0.price',
  }
  expect(await outcome(200, '{"data": [{"state": "sold", "price": "12.5"}]}', mapping)).toEqual({
    result: 'accepted',
    reason: null,
    price: 12.5,
  })
  expect(await outcome(200, '{"data": [{"state": "dup"}], "why": "seen"}', mapping)).toMatchObject({
    result: 'duplicate',
    reason: 'seen',
  })
  expect(await outcome(200, 'no json', mapping)).toMatchObject({ result: 'rejected' })
  expect(await outcome(200, '{"data": {"__proto__": 1}}', mapping)).toMatchObject({ result: 'rejected' })
})

test('against a server that is slow, drops, fails, is missing, redirects inside or sends 100 MB, the state says what is known', async () => {
  let inside = 0
  const other = buyer.at((_, response) => {
    inside++
    response.end()
  })
  const states = async (answer: Parameters<typeof buyer.at>[0], prefix = '/', http: object = {}) => {
    const { id } = await api.createLeadDestination({ name: 'P', http: { url: buyer.at(answer, prefix).url, ...http } })
    const { result, answer: given } = await api.testLeadDestination({ id })
    return [result, given!.status]
  }
  expect(await states(() => {}, '/hasty')).toEqual(['unknown', null])
  expect(await states((_, response) => setTimeout(() => response.end('{}'), 300))).toEqual(['accepted', 200])
  expect(await states((_, response) => response.writeHead(500).end())).toEqual(['again', 500])
  expect(await states((_, response) => response.writeHead(429, { 'retry-after': '600' }).end())).toEqual(['again', 429])
  expect(await states((_, response) => response.writeHead(200).write('{"half'), '/hasty')).toEqual(['unknown', null])
  expect(await states((_, response) => response.destroy())).toEqual(['unknown', null])
  expect(await states((_, response) => response.writeHead(307, { location: other.url }).end())).toEqual([
    'rejected',
    307,
  ])
  expect(inside).toBe(0)
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let unsent = 100
  const huge: Parameters<typeof buyer.at>[0] = (_, response) => {
    response.on('error', () => {})
    const more = (): unknown => (unsent-- && !response.destroyed ? response.write(piece, more) : response.end())
    more()
  }
  expect(await states(huge)).toEqual(['accepted', 200])
  expect(unsent, 'the rest is not read').toBeGreaterThan(50)
  const { id } = await api.createLeadDestination({ name: 'P', http: { url: 'http://127.0.0.1:9/' } })
  expect(await api.testLeadDestination({ id })).toMatchObject({
    result: 'failed',
    reason: expect.stringContaining('ECONNREFUSED'),
  })
})

test('an email without a text has the contact data, the message and the time, but saved ones stay as they are', async () => {
  const { id } = await api.createLeadDestination({ name: 'Partner', email: { to: ['partner@example.com'] } })
  const lead_id = await lead({ message: 'Call me', source: 'Fair' })
  const bodyOf = async () => (await api.testLeadDestination({ id, lead_id, dry_run: true })).request.body
  const body = await bodyOf()
  expect(body).toMatch(/^First name: Ada\n(.+\n)*Message: Call me\nReceived: .+ \(.+\)$/)
  expect(body).not.toMatch(/Fair|Status|\dT\d/)
  await sql`update lead_destinations set settings = settings - 'values' where id = ${id}`.execute(kith.db)
  expect(await bodyOf()).toContain('Source: Fair')
  await api.updateLeadDestination({ id, email: { to: ['other@example.com'] } })
  expect(await bodyOf()).toContain('Source: Fair')
})

test('an email has the values and, if wanted, a CSV; another Kith gets the lead by its source', async () => {
  const { id } = await api.createLeadDestination({
    name: 'Partner',
    email: { to: ['partner@example.com'], subject: 'Lead {{ first_name }}', attach_csv: true },
  })
  const lead_id = await lead({ message: '=1+1' })
  await expect(api.sendLead({ id: lead_id, destination_id: 'Nobody' })).rejects.toMatchObject({
    problem: { status: 422, detail: expect.stringContaining(`Partner (${id})`) },
  })
  await api.sendLead({ id: lead_id, destination_id: 'partner' })
  const mail = await soon(async () => {
    expect(smtp.received).toHaveLength(1)
    return smtp.received[0]!
  })
  expect(mail.subject).toBe('Lead Ada')
  expect(mail.recipients).toEqual(['partner@example.com'])
  expect(mail.text).toContain('Email: ada@example.com')
  expect(mail.text).toMatch(/Return this lead:\s+http\S+\/public\/returns\//)
  expect(mail.attachments[0]!.content.toString()).toMatch(/^\ufeff.*Email.*\r\n/)
  expect(mail.attachments[0]!.content.toString()).toContain("'=1+1")

  const there = buyer.at()
  const { id: kith_id } = await api.createLeadDestination({
    name: 'Other Kith',
    kith: { url: there.url, source_id: id },
    api_key: 'secret-key',
  })
  await api.testLeadDestination({ id: kith_id, lead_id })
  const sent = buyer.received.find(({ path }) => path === `/api/v1/lead-sources/${id}/submissions`)!
  expect(JSON.parse(sent.body).values).toMatchObject({ email: 'ada@example.com', message: '=1+1' })
  expect(sent.headers).toMatchObject({ 'x-api-key': 'secret-key' })
})

test('a link to return a lead is only called wrong or expired if it is', async () => {
  const link = (delivery_id: string, days = 7) =>
    returnLink(kith.services, { company_id: randomUUIDv7(), returns: { days } } as never, delivery_id, kith.time.now)
  const statusOf = async (url: string) => (await kith.send(new URL(url).pathname)).status
  expect(await statusOf(link(randomUUIDv7()))).toBe(404)
  // What the database cannot answer is a failure of ours.
  expect(await statusOf(link('not-an-id'))).toBe(500)
})
