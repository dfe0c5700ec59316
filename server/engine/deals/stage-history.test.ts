import { expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { finished, imported } from '../../../test/csv.ts'
import { testDatabase } from '../../../test/database.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { testWorker } from '../../../test/worker.ts'

const database = await testDatabase()
await database.ownerPool.query(`
  create table seen_events (event text, payload jsonb);
  create function see() returns trigger language plpgsql security definer as
    'begin insert into seen_events values (new.event, new.payload); return new; end';
  create trigger see after insert on outbox for each row execute function see()`)
const kith = await testApp({ database })
await testWorker(kith)
const mcp = await mcpFor(kith)
const { given, withKey, withSession, time } = kith
const at = (day: number) => {
  time.now = new Date(`2026-06-${day}T12:00:00Z`)
}

const company = async () => {
  const admin = await given.company({ adminName: 'Ada Admin' })
  const key = await given.key(admin)
  return { admin, key, api: withKey(key), web: withSession(await given.session(admin)) }
}
const add = async (api: Api, values: Record<string, unknown> = {}) =>
  (await api.createRecords({ object: 'deals', records: [{ name: 'D', ...values }] })).records[0]!.id
const stagesOf = async (api: Api, id: string) =>
  (await api.listDealStages({ id })).items.map(({ stage, days, left_at }) => [stage, days, left_at !== null])

test('a deal knows when it entered and left each stage, and by whom', async () => {
  const { admin, api, web } = await company()
  at(10)
  const id = await add(web)
  at(13)
  await web.moveDeal({ ids: [id], stage: 'proposal' })
  await web.updateRecords({ object: 'deals', records: [{ id, values: { amount: 5 } }] })
  at(14)
  await api.moveDeal({ ids: [id], stage: 'won' })
  at(20)
  const { items } = await api.listDealStages({ id })
  expect(items).toMatchObject([
    {
      stage: 'qualified',
      stage_name: 'Qualified',
      pipeline: 'sales',
      days: 3,
      user_id: admin.user_id,
      api_key_id: null,
    },
    { stage: 'proposal', entered_at: '2026-06-13T12:00:00.000Z', left_at: '2026-06-14T12:00:00.000Z', days: 1 },
    { stage: 'won', left_at: null, days: 6, user_name: 'Ada Admin', api_key_id: expect.any(String), principal: null },
  ])
  expect(await api.getRecord({ object: 'deals', id })).toMatchObject({ stage_entered_at: '2026-06-14T12:00:00.000Z' })
  const { records } = await api.queryRecords({ object: 'deals', filter: 'stage_entered_at < -5d' })
  expect(records.map((record) => record.id)).toEqual([id])
})

test('a move that is undone counts as never made, and as made again when the undo is undone', async () => {
  const { api } = await company()
  at(10)
  const id = await add(api)
  at(12)
  const { change_set_id } = await api.moveDeal({ ids: [id], stage: 'won' })
  at(15)
  const undone = await api.undoChanges({ change_set_ids: [change_set_id!] })
  expect(await stagesOf(api, id)).toEqual([['qualified', 5, false]])
  await api.undoChanges({ change_set_ids: [undone.change_set_id!] })
  expect(await stagesOf(api, id)).toEqual([
    ['qualified', 2, true],
    ['won', 3, false],
  ])
})

test('the history stays when a deal is purged, without any of its values, and is hidden from those who may not read it', async () => {
  const { admin, api } = await company()
  const id = await add(api, { name: 'Secret name' })
  const none = { read: 'none', create: false, edit: 'none', delete: 'none' } as const
  const role = await api.createRole({ name: 'Else', records: { '*': { ...none, read: 'all' }, deals: none } })
  const other = withKey(await given.key(await given.user(admin, { role: role.name })))
  await expect(other.listDealStages({ id })).rejects.toMatchObject({ problem: { status: 404 } })
  await api.deleteRecords({ object: 'deals', ids: [id] })
  await withSession(await given.session(admin)).purgeRecords({ object: 'deals', ids: [id] })
  const { rows } = await database.pool.query('select * from stage_changes where record_id = $1', [id])
  expect(rows).toMatchObject([{ stage: 'qualified' }])
  expect(JSON.stringify(rows)).not.toContain('Secret')
})

test('every change of stage is told exactly once, whatever caused it', async () => {
  const { key, api, web } = await company()
  const told = async () => {
    const { rows } = await database.ownerPool.query<{ event: string; payload: { record_ids: string[]; to?: string } }>(
      `delete from seen_events returning event, payload`,
    )
    return rows
      .filter(({ event }) => event.startsWith('deal.'))
      .flatMap(({ event, payload }) => payload.record_ids.map((id) => [event, id, payload.to ?? '']))
      .sort()
  }
  await told()
  const id = await add(web)
  expect(await told(), 'a new deal').toEqual([])
  const wonAt = await add(api, { stage: 'won' })
  expect(await told(), 'a deal that is new and won').toEqual([['deal.won', wonAt, '']])
  const changed = (to: string) => ['deal.stage_changed', id, to]

  await web.updateRecords({ object: 'deals', records: [{ id, values: { stage: 'proposal' } }] })
  expect(await told(), 'web').toEqual([changed('proposal')])
  await api.updateRecords({ object: 'deals', records: [{ id, values: { stage: 'proposal', amount: 3 } }] })
  expect(await told(), 'the same stage').toEqual([])
  await api.updateRecords({ object: 'deals', records: [{ id, values: { stage: 'won' } }], dry_run: true })
  expect(await told(), 'a preview').toEqual([])
  await api.updateRecords({ object: 'deals', records: [{ id, values: { stage: 'won' } }] })
  expect(await told(), 'REST').toEqual([changed('won'), ['deal.won', id, '']])

  const params = { name: 'move_deal', arguments: { ids: [id], stage: 'Lost', values: { lost_reason: 'Price' } } }
  expect((await mcp.modern(key, 'tools/call', params)).rpc.result).not.toHaveProperty('isError', true)
  expect(await told(), 'MCP').toEqual([['deal.lost', id, ''], changed('lost')])

  const bulk = await api.bulkUpdateRecords({ object: 'deals', ids: [id], values: { stage: 'negotiation' } })
  await finished(api, bulk.job_id!)
  expect(await told(), 'a bulk edit').toEqual([changed('negotiation')])

  const { job } = await imported(api, { object: 'deals', csv: `id,Stage\n${id},Won\n`, mode: 'update', match_by: 'id' })
  expect(job).toMatchObject({ state: 'done', changed: 1, failed: 0 })
  expect(await told(), 'an import').toEqual([changed('won'), ['deal.won', id, '']])

  await api.undoChanges({ change_set_ids: [job.change_set_id!] })
  expect(await told(), 'an undo').toEqual([changed('negotiation')])
  await api.deleteRecords({ object: 'deals', ids: [id] })
  await api.restoreRecords({ object: 'deals', ids: [id] })
  expect(await told(), 'the trash').toEqual([])
})
