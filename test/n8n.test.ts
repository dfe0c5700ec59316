// The parts of connectors/n8n that need no n8n. connectors/n8n/try.sh runs the rest in a real one.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { eventTypes } from '../connectors/n8n/kith/events.ts'
import { inboxOptions } from '../connectors/n8n/kith/inbox.ts'
import {
  allPages,
  type Operation,
  type Page,
  requestOf,
  routes,
  secondsUntilRetry,
} from '../connectors/n8n/kith/requests.ts'
import { mapperFields, type Schema, writableFields } from '../connectors/n8n/kith/schema.ts'
import { signatureProblem } from '../connectors/n8n/kith/signature.ts'
import { valuesOf } from '../connectors/n8n/kith/values.ts'
import { contract } from '../contract/index.ts'
import { isForKeys } from '../contract/operation.ts'
import { webhookEventTypes } from '../contract/webhooks.ts'
import { signingKey, verify } from '../server/platform/standard-webhooks.ts'
import { testApp } from './app.ts'
import { givenGateway, written } from './gateway.ts'
import type { GivenUser } from './given.ts'

const kith = await testApp()
const { given, send } = kith

async function asConnector(admin?: GivenUser) {
  const key = await given.key(admin ?? (await given.company()))
  return async <T>(operation: Operation, input = {}) => {
    const { method, path, query, body } = requestOf(operation, input)
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
    const address = query ? `${path}?${new URLSearchParams(query)}` : path
    const response = await send(address, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    expect(response.status, `${operation} ${await response.clone().text()}`).toBeLessThan(300)
    return (await response.json()) as T
  }
}

test('every operation and event that the n8n nodes use is in the contract, for API keys', () => {
  for (const [name, http] of Object.entries(routes)) {
    const operation = contract[name as Operation]
    expect(operation?.http, name).toBe(http)
    expect(isForKeys(operation), name).toBe(true)
  }
  expect(Object.keys(eventTypes).sort()).toEqual(Object.keys(webhookEventTypes).sort())
})

test('what people map in n8n is written as they meant it, and read back page by page', async () => {
  const call = await asConnector()
  const schema = await call<Schema>('describeSchema', { objects: 'people,organizations' })
  const [people] = schema.objects.filter(({ key }) => key === 'people')
  const fields = writableFields(people!)
  const mapped = {
    first_name: 'Ada',
    last_name: '',
    emails: 'ada@example.com, ada@example.org',
    score: '80',
    consent: 'true',
    birthday: '1815-12-10T00:00:00.000+01:00',
    status: 'Active',
    tags: '{"add": []}',
    organization: null,
  }
  const values = valuesOf(fields, mapped)
  const created = await call<Page>('createRecords', { object: 'people', records: [values], return: 'record' })
  expect(created.records[0]).toMatchObject({
    emails: ['ada@example.com', 'ada@example.org'],
    score: 80,
    consent: true,
    birthday: '1815-12-10',
    status: 'active',
  })
  const upsert = { object: 'people', match_on: 'emails', records: [{ emails: ['ada@example.org'], city: 'London' }] }
  const again = await call<Page>('upsertRecords', upsert)
  expect(again.records[0]).toMatchObject({ id: created.records[0]!.id, city: 'London' })

  const many = Array.from({ length: 100 }, (_, index) => ({ last_name: `Number ${index}` }))
  for (const records of [many, many]) await call('createRecords', { object: 'people', records })
  const ask = (input: object) => call<Page>('queryRecords', input)
  expect(await allPages(ask, { object: 'people', fields: ['title'] })).toHaveLength(201)
  expect(await allPages(ask, { object: 'people', fields: ['title'] }, 130)).toHaveLength(130)
  const found = await call<{ items: unknown[] }>('searchRecords', { q: 'ada', objects: 'people,leads', limit: 5 })
  expect(found.items).toHaveLength(1)
})

test('conversations are answered, assigned and closed, with channels and members to choose from', async () => {
  const admin = await given.company()
  const { post, channel, api } = await givenGateway(kith, admin)
  await api.updateChannel({ id: channel.id, agents: 'send' })
  const { items } = await post([written({ text: 'Is it still available?' })])
  const id = items[0]!.conversation_id
  const call = await asConnector(admin)
  const ask = (operation: Operation, input: object) => call<{ items: never[] }>(operation, input)
  expect(await inboxOptions(ask, 'channels')).toEqual([{ name: 'Chat', value: channel.id }])
  const [user] = await inboxOptions(ask, 'users')
  expect(await inboxOptions(ask, 'labels')).toEqual([])
  expect(await inboxOptions(ask, 'templates')).toEqual([])

  expect(await call('sendMessage', { conversation_id: id, text: 'Yes.' })).toMatchObject({ conversation_id: id })
  const read = await call<{ messages: { text: string }[] }>('getConversation', { id })
  expect(read.messages.map(({ text }) => text).toSorted()).toEqual(['Is it still available?', 'Yes.'])
  expect(await call('assignConversation', { id, user_id: user!.value })).toMatchObject({ assignee_id: user!.value })
  const closed = await call<{ items: object[] }>('updateConversations', { ids: [id], state: 'closed' })
  expect(closed.items[0]).toMatchObject({ id, state: 'closed' })
})

test('the form for a record has its fields, options and the field to match on', async () => {
  const call = await asConnector()
  const schema = await call<Schema>('describeSchema', { objects: 'people' })
  const fields = mapperFields(schema.objects[0]!, 'upsert')
  const named = (id: string) => fields.find((field) => field.id === id)
  expect(named('emails')).toMatchObject({ type: 'string', canBeUsedToMatch: true, defaultMatch: true })
  expect(named('status')).toMatchObject({
    type: 'options',
    options: expect.arrayContaining([{ name: 'Active', value: 'active' }]),
  })
  expect(named('birthday')).toMatchObject({ type: 'dateTime', required: false })
  expect(named('owner')).toBeDefined()
  expect(named('last_activity_at')).toBeUndefined()
})

test('a request is sent again when Kith is busy, after the time it asks for, and not for ever', () => {
  expect(secondsUntilRetry(429, '3', 1)).toBe(3)
  expect(secondsUntilRetry(503, undefined, 3)).toBe(1)
  expect(secondsUntilRetry(429, '86400', 1)).toBe(30)
  expect(secondsUntilRetry(429, '3', 4)).toBeUndefined()
  expect(secondsUntilRetry(422, undefined, 1)).toBeUndefined()
})

describe('a request to the trigger', () => {
  // The example of the Standard Webhooks libraries.
  const secret = `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}`
  const body = Buffer.from('{"test": 2432232314}')
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const at = new Date(1614265330_000)
  const minutesLater = (minutes: number) => new Date(at.getTime() + minutes * 60_000)

  // The nodes are a separate package, so their copy must match the server's.
  const verified = (sent: Record<string, string>, content: Buffer, now: Date) =>
    verify([signingKey(secret)], { headers: sent, body: content }, now, 5)

  test('is accepted if one of its signatures is right', () => {
    expect(signatureProblem(secret, headers, body, minutesLater(4))).toBeUndefined()
    expect(verified(headers, body, minutesLater(4))).toEqual({ id: headers['webhook-id'] })
  })

  test.each([
    ['without a signature', {}, body, at],
    ['with another body', headers, Buffer.from('{}'), at],
    ['with another id', { ...headers, 'webhook-id': 'msg_2' }, body, at],
    [
      'of another version',
      { ...headers, 'webhook-signature': headers['webhook-signature'].replaceAll('v1', 'v2') },
      body,
      at,
    ],
    ['that is old', headers, body, minutesLater(6)],
    ['without a time', { ...headers, 'webhook-timestamp': 'now' }, body, at],
  ])('%s is refused', (_, sent, content, now) => {
    expect(signatureProblem(secret, sent, content, now)).toBeDefined()
    expect(verified(sent as Record<string, string>, content, now).problem).toBeDefined()
  })
})

test('the package pins its tools, ships none, and its examples use only its own nodes and those of n8n', () => {
  const read = (file: string) => JSON.parse(readFileSync(`connectors/n8n/${file}`, 'utf8'))
  const { dependencies, devDependencies, n8n } = read('package.json')
  expect(dependencies).toBeUndefined()
  for (const [name, version] of Object.entries(devDependencies)) expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
  const locked = Object.entries(read('package-lock.json').packages as Record<string, { integrity?: string }>)
  for (const [path, { integrity }] of locked) if (path) expect(integrity, path).toMatch(/^sha512-/)
  const sources = globSync('{nodes,credentials}/**/*.{node,credentials}.ts', { cwd: 'connectors/n8n' })
  expect([...n8n.nodes, ...n8n.credentials].sort()).toEqual(
    sources.map((file) => `dist/${file.replace('.ts', '.js')}`).sort(),
  )
  const examples = globSync('examples/*.json', { cwd: 'connectors/n8n' })
  expect(examples).toHaveLength(3)
  for (const file of examples)
    for (const { type } of read(file).nodes)
      expect(type, file).toMatch(/^(n8n-nodes-kith\.kith(Trigger)?|n8n-nodes-base\.(form|schedule)Trigger)$/)
})
