// The description of the API for programs and for people who are not signed in.
import { describe, expect, test } from 'vitest'
import { type ApiDocument, answerOf, exampleOf, operationsOf } from '../contract/document/api-document.ts'
import { examples } from '../contract/document/examples.ts'
import { contract, type OperationName } from '../contract/index.ts'
import { webhookPayload } from '../contract/webhooks.ts'
import { testApp } from './app.ts'
import { refusals } from './samples.ts'

const kith = await testApp()
const document = (await (await kith.send('/api/v1/openapi.json')).json()) as ApiDocument
const operations = operationsOf(document)

test.each(operations.map((one) => [one.operationId, one] as const))('%s is complete', (name, operation) => {
  const { input, output } = contract[name as OperationName]
  expect(input.safeParse(exampleOf(operation)).error, 'its example is valid').toBeUndefined()
  const { example } = answerOf(operation)
  if (example !== undefined) expect(output.safeParse(example).error, 'its answer too').toBeUndefined()
  expect(document.tags.map((tag) => tag.name)).toContain(operation.tags[0])
  const refused = refusals[name as OperationName]
  if (refused)
    expect(Object.keys(operation.responses), 'its usual refusal is among its errors').toContain(String(refused))
})

test('no example is for an operation that programs cannot call', () => {
  const names = operations.map(({ operationId }) => operationId)
  expect(Object.keys(examples).filter((name) => !names.includes(name))).toEqual([])
})

test('a stored file is sent with its own type, such as CSV', () => {
  const { responses } = operations.find(({ operationId }) => operationId === 'downloadFile')!
  expect(Object.keys((responses['200'] as { content: object }).content)).toContain('*/*')
})

test('every event that webhooks deliver is described with a valid example', () => {
  const events = Object.entries(document.webhooks!)
  expect(events.map(([type]) => type)).toEqual(expect.arrayContaining(['record.updated', 'deal.won']))
  for (const [type, { post }] of events) {
    const { example } = post.requestBody.content['application/json']!
    expect(webhookPayload.parse(example).type).toBe(type)
  }
})

describe('without signing in', () => {
  test('a plain page without scripts describes every operation, event and schema', async () => {
    const answer = await kith.send('/api/v1/docs')
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await answer.text()
    expect(html).not.toMatch(/<script|undefined|\[object/)
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]))
    for (const { operationId } of operations) expect(ids).toContain(operationId)
    for (const type of Object.keys(document.webhooks!)) expect(ids).toContain(`event-${type}`)
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(links.filter((link) => !ids.has(link))).toEqual([])
  })

  test('it is sent compressed, and not again if nothing has changed', async () => {
    const first = await kith.send('/api/v1/docs', { headers: { 'accept-encoding': 'gzip' } })
    expect(first.headers.get('content-encoding')).toBe('gzip')
    const etag = first.headers.get('etag')!
    expect((await kith.send('/api/v1/docs', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})
