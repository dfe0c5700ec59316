// A change fires exactly one event of each type, whatever caused it.
import { expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { finished, imported } from '../../test/csv.ts'
import { mcpFor } from '../../test/mcp.ts'
import { testHooks, testReceiver } from '../../test/receiver.ts'
import { soon } from '../../test/worker.ts'

const kith = await testApp({ own: true })
const receiver = await testReceiver()
await testHooks(kith)
const mcp = await mcpFor(kith)

test('via the web, REST, MCP, an import, a bulk change and an undo', async () => {
  const admin = await kith.given.company()
  const key = await kith.given.key(admin)
  const [api, web] = [kith.withKey(key), kith.withSession(await kith.given.session(admin))]
  await api.createWebhook({ target_url: `${receiver.url}/all` })
  await api.createWebhook({ target_url: `${receiver.url}/single`, skip_bulk: true })
  await api.createWebhook({ target_url: `${receiver.url}/stages`, events: ['deal.stage_changed'], object: 'deals' })
  const { records } = await api.createRecords({
    object: 'deals',
    records: [{ name: 'Roof', stage: 'qualified', amount: { amount: '10', currency: 'EUR' } }],
  })
  const id = records[0]!.id
  const update = (stage: string) => ({ object: 'deals', records: [{ id, values: { stage } }] })
  const moved = ['record.updated', 'deal.stage_changed']
  const undone = async () => {
    const [last] = (await api.listChanges({ record_id: id, limit: 1 })).items
    await api.undoChanges({ change_set_ids: [last!.id] })
  }
  const bulk = async (stage: string) => {
    const { job_id } = await api.bulkUpdateRecords({ object: 'deals', ids: [id], values: { stage } })
    await finished(api, job_id!)
  }
  const imports = (stage: string) =>
    imported(api, { object: 'deals', csv: `ID,Stage\n${id},${stage}\n`, mode: 'update', match_by: 'id' })
  const tool = (name: string, given: object) => mcp.legacy(key, 'tools/call', { name, arguments: given })
  type Step = [via: string, act: () => Promise<unknown>, types: string[], isBulk?: true]
  const steps: Step[] = [
    ['rest', () => api.updateRecords(update('proposal')), moved],
    ['web', () => web.updateRecords(update('negotiation')), moved],
    ['mcp', () => tool('update_records', update('proposal')), moved],
    ['rest', () => api.moveDeal({ ids: [id], stage: 'won' }), [...moved, 'deal.won']],
    ['import', () => imports('negotiation'), moved, true],
    ['rest', () => bulk('proposal'), moved, true],
    ['rest', undone, moved],
    [
      'mcp',
      () => tool('move_deal', { ids: [id], stage: 'lost', values: { lost_reason: 'Price' } }),
      [...moved, 'deal.lost'],
    ],
    [
      'web',
      () => web.updateRecords({ object: 'deals', records: [{ id, values: { name: 'Roof 2' } }] }),
      ['record.updated'],
    ],
    ['rest', () => api.updateRecords({ object: 'deals', records: [{ id, values: { name: 'Roof 2' } }] }), []],
    ['rest', () => api.deleteRecords({ object: 'deals', ids: [id] }), ['record.deleted']],
    ['rest', () => api.restoreRecords({ object: 'deals', ids: [id] }), ['record.restored']],
  ]
  const expected: string[] = ['1 record.created rest']
  const ofBulk: string[] = []
  let version = 1
  for (const [via, act, types, isBulk] of steps) {
    await act()
    if (types.length) version++
    const lines = types.map((type) => `${version} ${type} ${via}`)
    expected.push(...lines)
    if (isBulk) ofBulk.push(...lines)
  }
  const got = (path: string) =>
    receiver
      .at(path)
      .map(({ payload }) => `${payload.version} ${payload.type} ${payload.principal.via}`)
      .sort()
  await soon(async () => expect(got('/all')).toEqual(expected.toSorted()))
  await soon(async () => expect(got('/single')).toEqual(expected.filter((line) => !ofBulk.includes(line)).sort()))
  expect(got('/stages')).toEqual(expected.filter((line) => line.includes('stage_changed')).sort())
  const { items } = await api.listEvents({ record_id: id, limit: 100 })
  const sent = receiver.at('/all').map(({ payload }) => payload)
  expect(items.map((event) => event.id).sort()).toEqual(sent.map((event) => event.id).sort())
  for (const type of ['deal.stage_changed', 'deal.won', 'record.deleted'] as const)
    expect((await api.listEvents({ type })).items.every((event) => event.type === type)).toBe(true)
  const paged: string[] = []
  for (let cursor: string | undefined, i = 0; i < 50; i++) {
    const page = await api.listEvents({ record_id: id, limit: 1, ...(cursor && { cursor }) })
    paged.push(...page.items.map((event) => event.id))
    cursor = page.next_cursor ?? undefined
    if (!cursor) break
  }
  expect(paged).toEqual(items.map((event) => event.id))
})

test('of a lead: sent by a form or a server, assigned, converted and converted back', async () => {
  const admin = await kith.given.company()
  const other = await kith.given.user(admin, { name: 'Olga' })
  const key = await kith.given.key(admin)
  const [api, web] = [kith.withKey(key), kith.withSession(await kith.given.session(admin))]
  const source = await api.createLeadSource({ name: 'Website', assignment: [{ user_ids: [other.user_id] }] })
  await api.createWebhook({ target_url: `${receiver.url}/leads`, object: 'leads' })
  await api.createWebhook({ target_url: `${receiver.url}/converted`, events: ['lead.converted'] })
  const leads = async () => (await api.listRecords({ object: 'leads', sort: ['created_at'] })).records
  const has = (count: number) => soon(async () => expect(await leads()).toHaveLength(count))
  const form = await kith.send(`/public/forms/${source.form_id}/description`)
  const { token } = (await form.json()) as { token: string }
  kith.time.now = new Date(kith.time.now.getTime() + 10_000)
  const post = () =>
    kith.send(`/public/forms/${source.form_id}/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email: 'a@example.com', kith_token: token }).toString(),
    })
  await Promise.all([post(), post()])
  await has(1)
  const values = { email: 'b@example.com' }
  await mcp.legacy(key, 'tools/call', { name: 'submit_lead', arguments: { source_id: source.id, values } })
  await has(2)
  // Someone who writes again: an empty field is filled.
  await api.submitLead({ id: source.id, values: { ...values, first_name: 'Bob' } })
  await soon(async () => expect((await leads())[1]!.first_name).toBe('Bob'))
  const [a, b] = (await leads()).map(({ id }) => id)
  const own = (id: string, owner: string) => ({ object: 'leads', records: [{ id, values: { owner } }] })
  await web.updateRecords(own(b!, admin.user_id))
  await web.updateRecords(own(b!, other.user_id))
  await mcp.legacy(key, 'tools/call', { name: 'convert_lead', arguments: { id: a, dry_run: true } })
  await mcp.legacy(key, 'tools/call', { name: 'convert_lead', arguments: { id: a } })
  const { change_set_id } = await web.convertLead({ id: b! })
  await api.undoChanges({ change_set_ids: [change_set_id!] })
  const arrival = ['record.created', 'lead.submitted', 'lead.assigned']
  const expected = [
    ...arrival.map((type) => `a 1 ${type} lead_form`),
    ...['record.updated', 'lead.converted'].map((type) => `a 2 ${type} mcp`),
    ...arrival.map((type) => `b 1 ${type} mcp`),
    ...['record.updated', 'lead.submitted'].map((type) => `b 2 ${type} rest`),
    'b 3 record.updated web',
    ...['record.updated', 'lead.assigned'].map((type) => `b 4 ${type} web`),
    ...['record.updated', 'lead.converted'].map((type) => `b 5 ${type} web`),
    'b 6 record.updated rest',
  ]
  const got = (path: string) =>
    receiver
      .at(path)
      .map(({ payload }) => payload)
      .map(
        ({ record_id, version, type, principal }) =>
          `${record_id === a ? 'a' : 'b'} ${version} ${type} ${principal.via}`,
      )
      .sort()
  await soon(async () => expect(got('/leads')).toEqual(expected.toSorted()))
  await soon(async () => expect(got('/converted')).toEqual(['a 2 lead.converted mcp', 'b 5 lead.converted web']))
  const [submitted] = receiver.at('/leads').filter(({ payload }) => payload.type === 'lead.submitted')
  expect(submitted!.payload).toMatchObject({
    principal: { kind: 'source', name: 'Website' },
    record: { email: 'a@example.com' },
  })
  const { items } = await api.listEvents({ object: 'leads', limit: 100 })
  const sent = receiver.at('/leads').map(({ payload }) => payload.id)
  expect(items.map(({ id }) => id).sort()).toEqual(sent.sort())
})
