import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { expectDerived } from '../../../test/records/dump.ts'

const kith = await testApp()
const { given, withKey } = kith
kith.time.now = new Date('2026-06-15T12:00:00Z')

const company = async () => {
  const admin = await given.company()
  return { admin, api: withKey(await given.key(admin)) }
}
const add = async (api: Api, values: Record<string, unknown> = {}) =>
  (await api.createRecords({ object: 'deals', records: [{ name: 'D', ...values }], return: 'record' })).records[0]!
const update = async (api: Api, id: string, values: Record<string, unknown>) =>
  (await api.updateRecords({ object: 'deals', records: [{ id, values }], return: 'record' })).records[0]!
const errorsOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error) => error.problem.errors,
  )
const refusedWith = (status: number, detail: RegExp) => ({ problem: { status, detail: expect.stringMatching(detail) } })
const renewals = {
  name: 'Renewals',
  asks_lost_reason: false,
  stages: [
    { name: 'Due', probability: 80 },
    { name: 'Offered', probability: 90, required_fields: ['amount'] },
    { name: 'Won', kind: 'won' as const },
    { name: 'Lost', kind: 'lost' as const },
  ],
}

describe('pipelines', () => {
  test('a new company starts with Sales, whose stages have probabilities and mark stuck deals', async () => {
    const { api } = await company()
    const { items: pipelines } = await api.listPipelines({})
    expect(pipelines).toMatchObject([{ key: 'sales', name: 'Sales', asks_lost_reason: true }])
    expect(
      pipelines[0]!.stages.map(({ key, kind, probability, stuck_after_days }) => [
        key,
        kind,
        probability,
        stuck_after_days,
      ]),
    ).toEqual([
      ['qualified', 'open', 20, 14],
      ['proposal', 'open', 45, 14],
      ['negotiation', 'open', 70, 21],
      ['won', 'won', 100, null],
      ['lost', 'lost', 0, null],
    ])
  })

  test('are the options of pipeline and stage: named in filters, not edited as options', async () => {
    const { api } = await company()
    const made = await api.createPipeline(renewals)
    expect(made.stages.map(({ key }) => key)).toEqual(['due', 'offered', 'renewals_won', 'renewals_lost'])
    const { objects } = await api.describeSchema({ objects: ['deals'] })
    const optionsOf = (key: string) => objects[0]!.fields.find((field) => field.key === key)!.options!
    expect(optionsOf('pipeline').map(({ key }) => key)).toEqual(['sales', 'renewals'])
    expect(optionsOf('stage')).toContainEqual({
      key: 'renewals_won',
      label: 'Won',
      color: 'gray',
      kind: 'won',
      pipeline: 'renewals',
    })
    const deal = await add(api, { pipeline: 'Renewals' })
    const { records } = await api.queryRecords({ object: 'deals', filter: 'stage = Due and pipeline = renewals' })
    expect(records.map(({ id }) => id)).toEqual([deal.id])
    const options = [{ key: 'sales', label: 'Sales' }]
    await expect(api.updateField({ object: 'deals', field: 'pipeline', options })).rejects.toMatchObject(
      refusedWith(422, /\/pipelines/),
    )
  })

  test('are renamed, moved and archived, and keep at least one open stage and one pipeline', async () => {
    const { api } = await company()
    await api.createPipeline(renewals)
    const moved = await api.updateStage({
      stage: 'offered',
      name: 'Sent',
      position: 0,
      color: 'teal',
      stuck_after_days: 7,
    })
    expect(moved.stages.map(({ name }) => name)).toEqual(['Sent', 'Due', 'Won', 'Lost'])
    expect(moved.stages[0]).toMatchObject({ key: 'offered', color: 'teal', stuck_after_days: 7, probability: 90 })
    expect((await api.updatePipeline({ pipeline: 'renewals', position: 0, name: 'Contracts' })).name).toBe('Contracts')
    expect((await api.listPipelines({})).items.map(({ name }) => name)).toEqual(['Contracts', 'Sales'])
    await api.updateStage({ stage: 'offered', is_archived: true })
    await expect(api.updateStage({ stage: 'due', is_archived: true })).rejects.toMatchObject(
      refusedWith(409, /open stage/),
    )
    await expect(api.updateStage({ stage: 'due', kind: 'won' })).rejects.toMatchObject(refusedWith(409, /open stage/))
    const deal = await add(api, { stage: 'due' })
    await expect(api.updatePipeline({ pipeline: 'renewals', is_archived: true })).rejects.toMatchObject(
      refusedWith(409, /an open deal/),
    )
    expect(await errorsOf(update(api, deal.id, { stage: 'offered', amount: 1 }))).toMatchObject([
      { path: 'records.0.stage', message: expect.stringContaining('archived') },
    ])
    await update(api, deal.id, { stage: 'renewals_won' })
    await api.updatePipeline({ pipeline: 'renewals', is_archived: true })
    expect((await api.listPipelines({})).items.map(({ key }) => key)).toEqual(['sales'])
    expect(await api.getRecord({ object: 'deals', id: deal.id })).toMatchObject({
      stage: 'renewals_won',
      status: 'won',
    })
    await expect(api.updatePipeline({ pipeline: 'sales', is_archived: true })).rejects.toMatchObject(
      refusedWith(409, /At least one pipeline/),
    )
  })

  test('new deals start in the first open stage when the usual one is archived', async () => {
    const { api } = await company()
    await api.updateStage({ stage: 'qualified', is_archived: true })
    expect(await add(api)).toMatchObject({ stage: 'proposal', pipeline: 'sales', probability: 45 })
  })

  test('names and keys are unique, and only fields of deals can be required', async () => {
    const { api } = await company()
    await expect(api.createPipeline({ name: 'sales' })).rejects.toMatchObject(refusedWith(409, /already exists/))
    await expect(api.createStage({ pipeline: 'sales', name: 'won' })).rejects.toMatchObject(
      refusedWith(409, /already exists/),
    )
    await expect(api.createStage({ pipeline: 'sales', name: 'X', key: 'won' })).rejects.toMatchObject(
      refusedWith(409, /key/),
    )
    await expect(api.createPipeline({ name: 'X', stages: [{ name: 'Won', kind: 'won' }] })).rejects.toMatchObject(
      refusedWith(422, /open stage/),
    )
    for (const [key, message] of [
      ['score', /no field score/],
      ['probability', /set by the stage/],
    ] as const)
      await expect(api.updateStage({ stage: 'won', required_fields: [key] })).rejects.toMatchObject(
        refusedWith(422, message),
      )
    await expect(api.updateStage({ stage: 'nowhere', name: 'X' })).rejects.toMatchObject(refusedWith(404, /no stage/))
    await expect(api.updatePipeline({ pipeline: 'nowhere', name: 'X' })).rejects.toMatchObject(
      refusedWith(404, /sales/),
    )
  })
})

describe('the stage of a deal', () => {
  test('decides its pipeline, and a pipeline alone means its first open stage', async () => {
    const { admin, api } = await company()
    await api.createPipeline(renewals)
    const deal = await add(api, { stage: 'due' })
    expect(deal).toMatchObject({ pipeline: 'renewals', stage: 'due', probability: 80 })
    expect(await update(api, deal.id, { pipeline: 'sales' })).toMatchObject({ stage: 'qualified', probability: 20 })
    expect(await update(api, deal.id, { pipeline: 'Renewals', stage: 'Won' })).toMatchObject({ stage: 'renewals_won' })
    expect(await update(api, deal.id, { stage: 'lost', lost_reason: 'Price' })).toMatchObject({ pipeline: 'sales' })
    expect(await update(api, deal.id, { stage: 'Won' })).toMatchObject({ stage: 'won', pipeline: 'sales' })
    expect(await errorsOf(update(api, deal.id, { pipeline: 'sales', stage: 'due' }))).toMatchObject([
      { path: 'records.0.stage', message: 'The stage Due belongs to the pipeline Renewals, not to Sales' },
    ])
    await expectDerived(kith, admin.company_id)
  })

  test('sets the probability unless someone set another one, and always when it is won or lost', async () => {
    const { api } = await company()
    const deal = await add(api)
    expect(deal.probability).toBe(20)
    expect((await update(api, deal.id, { stage: 'proposal' })).probability).toBe(45)
    await update(api, deal.id, { probability: 60 })
    expect((await update(api, deal.id, { stage: 'negotiation' })).probability).toBe(60)
    expect((await update(api, deal.id, { stage: 'won' })).probability).toBe(100)
    expect((await update(api, deal.id, { stage: 'proposal' })).probability).toBe(45)
    expect((await update(api, deal.id, { stage: 'lost', probability: 5, lost_reason: 'Price' })).probability).toBe(5)
    expect((await add(api, { stage: 'proposal', probability: 10 })).probability).toBe(10)
  })

  test('sets the closing time when it is won or lost, and clears it when the deal is opened again', async () => {
    const { api } = await company()
    const deal = await add(api)
    const now = '2026-06-15T12:00:00.000Z'
    expect(await update(api, deal.id, { stage: 'won' })).toMatchObject({ status: 'won', closed_at: now })
    expect(await update(api, deal.id, { stage: 'qualified' })).not.toHaveProperty('closed_at')
  })

  test('asks for its required fields and for a lost reason, all at once', async () => {
    const { api } = await company()
    await api.updateStage({ stage: 'lost', required_fields: ['amount', 'source'] })
    const deal = await add(api, { source: 'Event' })
    const missing = await errorsOf(update(api, deal.id, { stage: 'lost' }))
    expect(missing).toMatchObject([
      { path: 'records.0.amount', message: 'Required to move a deal to Lost' },
      { path: 'records.0.lost_reason', message: 'Enter a lost reason' },
    ])
    await update(api, deal.id, { stage: 'lost', amount: 5, lost_reason: 'Price' })
    expect(await update(api, deal.id, { amount: null })).toMatchObject({ status: 'lost' })
    expect(await errorsOf(add(api, { stage: 'lost' }))).toHaveLength(3)
    await api.updatePipeline({ pipeline: 'sales', asks_lost_reason: false })
    await api.updateStage({ stage: 'lost', required_fields: [] })
    expect(await add(api, { stage: 'lost' })).toMatchObject({ status: 'lost', probability: 0 })
  })

  test('is restored by an undo, with everything that came with it, whatever is required by now', async () => {
    const { api } = await company()
    const deal = await add(api, { stage: 'negotiation' })
    kith.time.now = new Date('2026-06-20T12:00:00Z')
    const { change_set_id } = await api.moveDeal({ ids: [deal.id], stage: 'won' })
    await api.updateStage({ stage: 'negotiation', required_fields: ['amount'] })
    const undone = await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect(undone).toMatchObject({ undone: 1, left: [] })
    const now = await api.getRecord({ object: 'deals', id: deal.id })
    expect(now).toMatchObject({
      stage: 'negotiation',
      status: 'open',
      probability: 70,
      stage_entered_at: deal.stage_entered_at,
    })
    expect(now).not.toHaveProperty('closed_at')
    await api.undoChanges({ change_set_ids: [undone.change_set_id!] })
    expect(await api.getRecord({ object: 'deals', id: deal.id })).toMatchObject({ stage: 'won', probability: 100 })
    kith.time.now = new Date('2026-06-15T12:00:00Z')
  })
})

describe('moving deals', () => {
  test('takes names or keys, and answers with all that changed', async () => {
    const { api } = await company()
    await api.createPipeline(renewals)
    const [a, b] = [await add(api), await add(api)]
    const moved = await api.moveDeal({ ids: [a.id, b.id], stage: 'Proposal' })
    expect(moved.records).toMatchObject([a, b].map(({ id }) => ({ id, stage: 'proposal', probability: 45 })))
    expect((await api.moveDeal({ ids: [a.id], stage: 'won', pipeline: 'Renewals' })).records[0]).toMatchObject({
      stage: 'renewals_won',
      pipeline: 'renewals',
      status: 'won',
      probability: 100,
    })
    const refused = api.moveDeal({ ids: [b.id], stage: 'Lost' })
    expect(await errorsOf(refused)).toEqual([{ path: 'deals.0.lost_reason', message: 'Enter a lost reason' }])
    const lost = await api.moveDeal({ ids: [b.id], stage: 'Lost', values: { lost_reason: 'Price' }, dry_run: true })
    expect(lost).toMatchObject({
      dry_run: true,
      records: [{ status: { from: 'open', to: 'lost' }, lost_reason: { from: null, to: 'price' } }],
    })
    expect(await errorsOf(api.moveDeal({ ids: [b.id], stage: 'Wonn' }))).toMatchObject([
      { path: 'deals.0.stage', message: expect.stringContaining('Did you mean') },
    ])
  })

  test('is for those who may change deals', async () => {
    const { admin, api } = await company()
    const deal = await add(api)
    const none = { read: 'all', create: false, edit: 'none', delete: 'none' } as const
    const role = await api.createRole({ name: 'Reader', records: { '*': { ...none, edit: 'all' }, deals: none } })
    const reader = withKey(await given.key(await given.user(admin, { role: role.name })))
    await expect(reader.moveDeal({ ids: [deal.id], stage: 'won' })).rejects.toMatchObject({ problem: { status: 403 } })
    expect((await reader.listPipelines({})).items).toHaveLength(1)
  })
})

test('the discount of a deal line is a percentage from 0 to 100', async () => {
  const { api } = await company()
  const [deal] = (await api.createRecords({ object: 'deals', records: [{ name: 'Fleet' }] })).records
  const line = (discount: number) =>
    api.createRecords({ object: 'deal_lines', records: [{ deal: deal!.id, quantity: 1, discount }] })
  await line(100)
  for (const wrong of [-1, 150])
    await expect(line(wrong)).rejects.toMatchObject({
      problem: { status: 422, errors: [{ path: 'records.0.discount', message: 'Enter a percentage from 0 to 100' }] },
    })
})
