import pino from 'pino'
import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectDerived } from '../../../../test/records/dump.ts'
import { updateAllBuiltIn } from '../../objects/built-in.ts'

const kith = await testApp()
const { given, withKey, pool } = kith

test('pipelines that shared their stages get stages of their own, and deals keep pipeline and stage, filters and undo', async () => {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const { company_id } = admin
  const records = ['Sold', 'Renewed', 'Renewing', 'Nowhere'].map((name) => ({ name }))
  const made = await api.createRecords({ object: 'deals', records })
  const [sold, renewed, renewing, nowhere] = made.records.map(({ id }) => id)
  const moved = await api.updateRecords({
    object: 'deals',
    records: [
      { id: sold!, values: { stage: 'won' } },
      { id: renewed!, values: { stage: 'won' } },
      { id: renewing!, values: { stage: 'proposal' } },
      { id: nowhere!, values: { stage: 'negotiation' } },
    ],
  })

  const view = await api.createView({ object: 'deals', name: 'Won', filter: 'stage = Won and status != lost' })
  const people = await api.createView({ object: 'people', name: 'Buyers', filter: 'any(deals: stage in (won, lost))' })

  // As it was: two options of pipeline, and deals of both in the same stages.
  const sql = (text: string, ...values: unknown[]) => pool.query(text, [company_id, ...values])
  for (const table of ['stage_changes', 'stages', 'pipelines']) await sql(`delete from ${table} where company_id = $1`)
  await sql(
    `update fields set options = options || '[{"key": "renewals", "label": "Renewals"}]' where company_id = $1 and built_in_key = 'pipeline'`,
  )
  const setPipeline = (pipeline: string | null, ids: unknown[]) =>
    sql(
      `update records set values = values || jsonb_build_object('pipeline', $2::text), s2 = $2 where company_id = $1 and id = any($3)`,
      pipeline,
      ids,
    )
  await setPipeline('renewals', [renewed, renewing])
  await setPipeline(null, [nowhere])
  await sql(`update companies set built_in_version = 3, schema_version = schema_version + 1 where id = $1`)
  expect(await updateAllBuiltIn(kith.db, pino({ level: 'silent' }))).toBe(1)

  const { items: pipelines } = await api.listPipelines({})
  expect(pipelines.map(({ key, stages }) => [key, stages.map((stage) => stage.key)])).toEqual([
    ['sales', ['qualified', 'proposal', 'negotiation', 'won', 'lost']],
    ['renewals', ['qualified', 'proposal', 'negotiation', 'won', 'lost'].map((key) => `renewals_${key}`)],
  ])
  const of = async (id: string) => api.getRecord({ object: 'deals', id })
  expect(await of(sold!)).toMatchObject({ pipeline: 'sales', stage: 'won' })
  expect(await of(renewed!)).toMatchObject({ pipeline: 'renewals', stage: 'renewals_won', status: 'won' })
  expect(await of(renewing!)).toMatchObject({ pipeline: 'renewals', stage: 'renewals_proposal' })
  expect(await of(nowhere!)).toMatchObject({ pipeline: 'sales', stage: 'negotiation' })
  const found = await api.queryRecords({ object: 'deals', filter: 'pipeline = renewals', sort: ['title'] })
  expect(found.records.map(({ title }) => title)).toEqual(['Renewed', 'Renewing'])
  expect((await api.listDealStages({ id: renewed! })).items).toMatchObject([
    { stage: 'renewals_qualified' },
    { stage: 'renewals_won', pipeline: 'renewals', user_id: admin.user_id },
  ])
  await expectDerived(kith, company_id)
  const { items } = await api.listViews({})
  const filterOf = (id: string) => items.find((one) => one.id === id)!.filter
  expect(filterOf(view.id)).toBe('stage in (won, renewals_won) and status != lost')
  expect(filterOf(people.id)).toBe('any(deals: stage in (won, renewals_won, lost, renewals_lost))')
  const undone = await api.undoChanges({ change_set_ids: [moved.change_set_id!], record_ids: [renewed!] })
  expect(undone).toMatchObject({ undone: 1, left: [] })
  expect(await of(renewed!)).toMatchObject({ stage: 'renewals_qualified', pipeline: 'renewals', status: 'open' })
})
