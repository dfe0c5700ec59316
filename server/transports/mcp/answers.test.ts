// What agents read: no more than fits, nothing twice, and what to do next.
import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contract } from '../../../contract/index.ts'
import type { Contract } from '../../../contract/operation.ts'
import { mostAnswerBytes } from '../../../contract/shared/limits.ts'
import { testApp } from '../../../test/app.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { instructions } from './guide.ts'
import { promptsOf } from './prompts.ts'
import { fitted } from './shorten-answer.ts'
import { toolName } from './tools.ts'

const kith = await testApp()
const { given, withKey } = kith
const mcp = await mcpFor(kith)

type Json = Record<string, unknown>
type Result = { isError?: true; content: { text: string }[]; structuredContent: Json }

async function agent() {
  const admin = await given.company()
  const key = await given.key(admin)
  const call = async (name: string, args: object = {}) => {
    const { rpc } = await mcp.legacy(key, 'tools/call', { name, arguments: args })
    const { isError, content, structuredContent: answer } = rpc.result as unknown as Result
    expect(Buffer.byteLength(content[0]!.text), name).toBeLessThanOrEqual(mostAnswerBytes)
    return { isError, answer: answer as Json & { error: Json & { errors: Json[] }; records: Json[]; items: Json[] } }
  }
  const read = async (uri: string) => {
    const { rpc } = await mcp.legacy(key, 'resources/read', { uri })
    const [content] = (rpc.result as { contents: { text: string }[] }).contents
    expect(Buffer.byteLength(content!.text), uri).toBeLessThanOrEqual(mostAnswerBytes)
    return JSON.parse(content!.text) as Json
  }
  return { admin, key, call, read, api: withKey(key) }
}

const people = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    first_name: `Person number ${i}`,
    last_name: 'Lovelace',
    emails: [`p${i}@mail.example`],
    job_title: 'Head of operations',
    city: 'Berlin',
    country: 'Germany',
    source: 'Website',
    status: 'active',
    score: i,
    linkedin: `https://in.example/person-${i}`,
  }))

test('first guesses are answered with what to send instead', async () => {
  const { call, key } = await agent()
  const said = async (name: string, args: object) => (await call(name, args)).answer.error.message
  expect(await said('query_records', { object: 'deals', filter: '{"status":"open"}' })).toContain(
    'Use {"field":"status","op":"eq","value":"open"}, or text: status = "open"',
  )
  expect(await said('query_records', { object: 'tasks', fields: ['titel'] })).toContain('Did you mean title?')
  const lead = randomUUIDv7()
  expect(await said('convert_lead', { id: lead, deal: { amount: 5 } })).toContain(
    'deal.amount: Unknown field. Fields of the record go into deal.values',
  )
  expect(await said('update_records', { object: 'people', records: [{ id: lead, city: 'Rome' }] })).toContain(
    'Fields of the record go into records.0.values',
  )
  expect(await said('list_changes', { since: '-15m' })).toContain('-30min')
  const { rpc } = await mcp.legacy(key, 'tools/list')
  const tools = rpc.result!.tools as { inputSchema: { properties: Record<string, Json> } }[]
  for (const { inputSchema } of tools)
    if (inputSchema.properties.limit) expect(inputSchema.properties.limit.maximum).toEqual(expect.any(Number))
})

test('the REST operations are listed in brief, and each is described on its own', async () => {
  const { read, key } = await agent()
  const { operations } = (await read('crm://openapi')) as { operations: Record<string, string> }
  expect(operations.updateRecords).toBe('PATCH /api/v1/records/{object}')
  expect(await read('crm://openapi/updateRecords')).toMatchObject({
    route: operations.updateRecords,
    summary: 'Update records',
    schemas: { RecordValues: expect.any(Object) },
  })
  for (const name of Object.keys(operations)) await read(`crm://openapi/${name}`)
  const ref = { type: 'ref/resource', uri: 'crm://openapi/{operation}' }
  const argument = { name: 'operation', value: 'updateRec' }
  const { rpc } = await mcp.legacy(key, 'completion/complete', { ref, argument })
  expect(rpc.result).toMatchObject({ completion: { values: ['updateRecords'] } })
})

test('a dashboard that is too long is cut in its longest widget, and says how to read that one alone', () => {
  const figures = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `k${i}`, values: { count: i } }))
  const widgets = [
    { id: 'small', figures: figures(3) },
    { id: 'huge', figures: [{ key: 'list', records: figures(3000) }] },
    { id: 'last', figures: figures(20) },
  ]
  const answer = JSON.parse(fitted('queryDashboard', { widgets }))
  expect(answer.widgets.map(({ id }: { id: string }) => id)).toEqual(['small', 'huge', 'last'])
  expect(answer.widgets[0]).toEqual(widgets[0])
  expect(answer.widgets[2]).toEqual(widgets[2])
  expect(answer.widgets[1].figures[0].records.length).toBeGreaterThan(100)
  expect(answer.hint).toBe('These widgets are cut: huge. Request one alone to see more of it: {"widgets": ["huge"]}.')
})

describe('the schema', () => {
  test('leaves out what is false or empty and what only a screen needs', async () => {
    const { call, read } = await agent()
    const { answer } = await call('describe_schema')
    const text = JSON.stringify(answer)
    expect(text.length).toBeLessThan(13_300)
    expect(text).not.toMatch(/:false|:null|:""|:\[\]|"color"|is_built_in/)
    const deals = (answer.objects as { key: string; fields: Json[] }[]).find(({ key }) => key === 'deals')!
    expect(deals.fields.find(({ key }) => key === 'stage')).toMatchObject({
      type: 'select',
      options: expect.arrayContaining([{ key: 'won', label: 'Won', kind: 'won', pipeline: 'sales' }]),
    })
    expect(deals.fields.find(({ key }) => key === 'status')).toMatchObject({ is_read_only: true })
    expect(await read('crm://schema')).toEqual(answer)
  })

  test('of many objects is cut to whole objects and the names of the others, and says how to request those', async () => {
    const { call, api } = await agent()
    for (let i = 0; i < 4; i++) {
      await api.createObject({ key: `projects_${i}`, label: 'Project', label_plural: 'Projects' })
      for (let n = 0; n < 15; n++)
        await api.createField({
          object: `projects_${i}`,
          key: `choice_${n}`,
          label: `Choice number ${n}`,
          description: 'Chosen by the project owner',
          type: 'select',
          options: Array.from({ length: 6 }, (_, o) => ({ label: `Option number ${o}` })),
        })
    }
    const { answer } = await call('describe_schema')
    expect(answer).toMatchObject({ truncated: true, hint: expect.stringMatching(/"objects": \[.*"projects_3"/) })
    const objects = answer.objects as { key: string; fields?: Json[] }[]
    expect(objects).toHaveLength(13)
    expect(objects.at(-1)).toEqual({ key: 'projects_3' })
    const { answer: narrowed } = await call('describe_schema', { objects: ['projects_3'] })
    expect(narrowed).not.toHaveProperty('truncated')
    expect((narrowed.objects as typeof objects)[0]!.fields).toHaveLength(17)
  })

  test('of one object with very many options is cut, field by field', async () => {
    const { call, api } = await agent()
    for (let n = 0; n < 3; n++)
      await api.createField({
        object: 'products',
        key: `kind_${n}`,
        label: 'Kind',
        type: 'select',
        options: Array.from({ length: 300 }, (_, i) => ({ label: `Kind number ${i} of many` })),
      })
    const { answer } = await call('describe_schema', { objects: ['products'] })
    const [products] = answer.objects as { fields: { key: string; options?: unknown[]; more_options?: number }[] }[]
    expect(answer.truncated).toBe(true)
    expect(products!.fields).toHaveLength(7)
    expect(products!.fields.at(-1)).toMatchObject({ key: 'kind_2', more_options: 290 })
  })

  test('requested with object instead of objects explains the error', async () => {
    const { call } = await agent()
    const { isError, answer } = await call('describe_schema', { object: 'people' })
    expect(isError).toBe(true)
    expect(answer.error).toMatchObject({ code: 'unknown_field', field: 'object' })
    expect(answer.error.message).toContain('There is no argument object. Did you mean objects')
  })
})

test('a call with a missing and an unknown argument says which is which, with the path of each', async () => {
  const { call } = await agent()
  const search = await call('search_records', { query: 'lakeshore' })
  expect(search.answer.error.message).toMatch(/q: This is required\..*There is no argument query\. Did you mean q/)
  const update = await call('update_records', { object: 'people', records: [{ id: randomUUIDv7(), first_name: 'x' }] })
  expect(update.answer.error.message).toMatch(/records\.0\.values: This is required/)
  expect(update.answer.error.message).toMatch(/records\.0\.first_name: Unknown field/)
  expect((await call('whoami', { a: 1 })).answer.error.message).toContain(
    'There is no argument a. This tool takes none',
  )
})

describe('what was written', () => {
  test('is answered with what changed; of a hundred records at least every id and version', async () => {
    const { call } = await agent()
    const { answer } = await call('create_records', { object: 'people', records: people(100), return: 'record' })
    expect(answer.records).toHaveLength(100)
    expect(answer).toMatchObject({ truncated: true, change_set_id: expect.any(String) })
    for (const record of answer.records) expect(record).toMatchObject({ id: expect.any(String), version: 1 })
    const ids = answer.records.map(({ id }) => id)
    const updates = ids.map((id) => ({ id, values: { score: 5 } }))
    const { answer: updated } = await call('update_records', { object: 'people', records: updates })
    expect(updated).not.toHaveProperty('truncated')
    expect(updated.records[0]).toEqual({ id: ids[0], version: 2, title: 'Person number 0 Lovelace', score: 5 })
    const { answer: preview } = await call('create_records', {
      object: 'people',
      records: people(100).map((person) => ({ ...person, emails: [] })),
      dry_run: true,
    })
    expect(preview.records).toHaveLength(100)
    expect(preview.hint).toContain('Nothing was written')
    const { answer: longer } = await call('create_records', {
      object: 'products',
      records: Array.from({ length: 100 }, (_, i) => ({ name: `${i} ${'長'.repeat(190)}` })),
    })
    expect(longer.records).toHaveLength(100)
    expect(Object.keys(longer.records[99]!)).toEqual(['id', 'version'])
  })

  test('shows what was cleared, and omits what is empty', async () => {
    const { call } = await agent()
    const { answer } = await call('create_records', { object: 'people', records: [{ first_name: 'Ada', score: 1 }] })
    expect(answer).not.toHaveProperty('dry_run')
    const { id } = answer.records[0]!
    const { answer: emptied } = await call('update_records', {
      object: 'people',
      records: [{ id, values: { score: null } }],
    })
    expect(emptied.records).toEqual([{ id, version: 2, title: 'Ada', score: null }])
    const { answer: read } = await call('get_records', { object: 'people', ids: [id], fields: ['title', 'city'] })
    expect(read).toEqual({ untrusted_fields: ['title'], records: [{ id, version: 2, title: 'Ada' }] })
    const fields = ['sku', 'price']
    expect((await call('query_records', { object: 'products', fields })).answer).toEqual({ records: [] })
  })

  test('a preview leaves the idempotency key for the real call, and a key must be text', async () => {
    const { call, api } = await agent()
    const args = { object: 'people', records: [{ first_name: 'Once' }], idempotency_key: 'one' }
    expect((await call('create_records', { ...args, dry_run: true })).answer).toMatchObject({ dry_run: true })
    const made = await call('create_records', args)
    expect(await call('create_records', args)).toEqual(made)
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 1 })
    const { isError, answer } = await call('create_records', { ...args, idempotency_key: 5 })
    expect(isError).toBe(true)
    expect(answer.error).toMatchObject({ code: 'invalid_input', field: 'idempotency_key' })
  })
})

describe('what is read', () => {
  test('of long texts is cut to the limit, and says so', async () => {
    const { call, read, api } = await agent()
    const bodies = Array.from({ length: 10 }, (_, i) => ({ body: `${i} ${'x'.repeat(9000)}` }))
    const { records } = await api.createRecords({ object: 'notes', records: [...bodies, { body: 'é'.repeat(90_000) }] })
    const ids = records.map(({ id }) => id)
    const { answer: some } = await call('get_records', { object: 'notes', ids: ids.slice(0, 10) })
    expect(some.records).toHaveLength(2)
    expect(some).toMatchObject({ truncated: true, hint: expect.stringContaining('Only 2 of 10 records fit') })
    const { answer: one } = await call('get_records', { object: 'notes', ids: [ids[10]!] })
    expect(String(one.records[0]!.body)).toMatch(/^é{4000,}…$/)
    expect((await call('query_records', { object: 'notes', limit: 1 })).answer.hint).toContain('are cut and end with')
    expect(await read(`crm://notes/${ids[10]}`)).toMatchObject({ truncated: true })
    const { answer: titles } = await call('get_records', {
      object: 'notes',
      ids: ids.slice(0, 10),
      fields: ['version'],
    })
    expect(titles.records).toHaveLength(10)
  })

  test('of changes can still be paged, however much one call changed', async () => {
    const { call, read, api } = await agent()
    const { records } = await api.createRecords({ object: 'people', records: people(100) })
    await api.createRecords({ object: 'notes', records: [{ body: 'x'.repeat(90_000), about: [records[0]!.id] }] })
    for (let i = 0; i < 12; i++)
      await api.updateRecords({ object: 'people', records: [{ id: records[0]!.id, values: { score: 1000 + i } }] })
    const { answer } = await call('list_changes', {})
    expect(answer.items.length).toBeGreaterThan(10)
    const { answer: own } = await call('list_changes', { record_id: records[0]!.id })
    expect(own).not.toHaveProperty('truncated')
    expect(own.items).toHaveLength(13)
    expect(JSON.stringify(own)).not.toContain(records[1]!.id)
    expect(await read(`crm://people/${records[0]!.id}/timeline`)).toMatchObject({ scope: 'all' })
    const { answer: whole } = await call('list_changes', { max_changes: 100, until: '2999-01-01T00:00:00Z' })
    expect(whole.truncated).toBe(true)
  })

  test('finds records of any object by a name', async () => {
    const { call, api } = await agent()
    await api.createRecords({ object: 'organizations', records: [{ name: 'Schönfeld' }] })
    expect((await call('search_records', { q: 'schonf' })).answer.items).toMatchObject([
      { object: 'organizations', title: 'Schönfeld' },
    ])
  })
})

describe('an error', () => {
  test('that many records share is reported once, with a count and the next step', async () => {
    const { admin, call, key } = await agent()
    const records = Array.from({ length: 30 }, () => ({ tags: ['vip'] }))
    const { answer } = await call('create_records', { object: 'people', records })
    expect(answer.error.errors).toEqual([
      {
        path: 'records.0.tags',
        message: 'This field has no options yet. Add it with update_field',
        also: 29,
      },
    ])
    expect(answer.error.message).toContain('(and 29 more like it)')
    expect(JSON.stringify(answer).length).toBeLessThan(600)
    const memberKey = await given.key(await given.user(admin))
    const { rpc } = await mcp.legacy(memberKey, 'tools/call', {
      name: 'create_records',
      arguments: { object: 'people', records },
    })
    expect(JSON.stringify(rpc.result)).toContain('Ask an Admin to add it')
    expect(key).not.toBe(memberKey)
  })

  test('in an array of messages does not lose the answers of those before it', async () => {
    const { key, api } = await agent()
    const message = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params })
    const create = { name: 'create_records', arguments: { object: 'people', records: [{ first_name: 'Ada' }] } }
    const missing = { uri: 'crm://people/01a1de52-9cd6-735a-bd32-4ceb59c38c4b' }
    const { status, text } = await mcp.post(key, [
      message(1, 'tools/call', create),
      message(2, 'resources/read', missing),
      message(3, 'tools/call', create),
    ])
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject([
      { id: 1, result: { structuredContent: { records: [{ title: 'Ada' }] } } },
      { id: 2, error: { data: { code: 'not_found' } } },
      { id: 3, result: { structuredContent: { records: [{ title: 'Ada' }] } } },
    ])
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 2 })
  })
})

test('every tool that a text names is there', () => {
  const tools = new Set(Object.entries(contract as Contract).flatMap(([name, op]) => (op.tool ? [toolName(name)] : [])))
  const verbs = new Set([...tools].map((name) => name.split('_')[0]))
  const texts = {
    instructions,
    prompts:
      JSON.stringify(promptsOf(null as never).map(({ listing }) => listing)) +
      readFileSync('server/transports/mcp/prompts.ts', 'utf8'),
    'docs/agents.md': readFileSync('docs/agents.md', 'utf8'),
    descriptions: Object.values(contract as Contract)
      .map(({ tool }) => tool ?? '')
      .join(' '),
  }
  const prompts = new Set(promptsOf(null as never).map(({ listing }) => listing.name))
  for (const [where, text] of Object.entries(texts)) {
    const named = (text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).filter((word) => verbs.has(word.split('_')[0]!))
    for (const word of named) expect(tools.has(word) || prompts.has(word), `${word} in ${where}`).toBe(true)
  }
})
