import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { download, exported, finished, imported, table } from '../../../test/csv.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey, withSession } = kith

async function company() {
  const admin = await given.company()
  const key = await given.key(admin)
  return { admin, key, api: withKey(key) }
}
const addPeople = async (api: Api, count: number, more: object = {}) => {
  for (let from = 0; from < count; from += 100)
    await api.createRecords({
      object: 'people',
      records: Array.from({ length: Math.min(100, count - from) }, (_, i) => ({ first_name: `P${from + i}`, ...more })),
    })
}

describe('an export', () => {
  test('has the records that match, in the order and with the columns asked for, and opens in Excel', async () => {
    const { api, key } = await company()
    await api.createRecords({ object: 'organizations', records: [{ name: 'Acme', city: 'Rome' }] })
    await api.createRecords({
      object: 'people',
      records: [
        { first_name: 'Ada', score: 1, organization: 'Acme', tags: null },
        { first_name: 'Bob', score: 2.5 },
        { first_name: 'Zoë', score: -3 },
        { first_name: 'Gone', score: 9 },
      ],
    })
    const { records } = await api.queryRecords({ object: 'people', filter: 'first_name = Gone' })
    await api.deleteRecords({ object: 'people', ids: [records[0]!.id] })
    const fields = ['first_name', 'score', 'organization', 'organization.city']
    const { text, headers, job } = await exported(kith, key, {
      object: 'people',
      filter: 'score < 9',
      sort: ['-score'],
      fields,
    })
    expect(text.charCodeAt(0)).toBe(0xfeff)
    expect(table(text)).toEqual([
      ['First name', 'Score', 'Organization', 'Organization: City'],
      ['Bob', '2.5', '', ''],
      ['Ada', '1', 'Acme', 'Rome'],
      ['Zoë', '-3', '', ''],
    ])
    expect(headers.get('content-type')).toMatch(/^text\/csv/)
    expect(headers.get('content-disposition')).toContain('people-2026-06-15.csv')
    expect(job).toMatchObject({ kind: 'export', total: 3, done: 3, changed: 0, can_undo: false })
    expect(job.result).toMatchObject({ rows: 3, file_name: 'people-2026-06-15.csv' })
    const german = await exported(kith, key, {
      object: 'people',
      fields: ['score'],
      headers: 'keys',
      delimiter: ';',
      sort: ['score'],
    })
    expect(table(german.text, ';')).toEqual([['score'], ['-3'], ['1'], ['2,5']])
  })

  test('has the day in its name, in the zone of its reader or else of the company', async () => {
    const { api, key } = await company()
    const nameOf = async () => (await exported(kith, key, { object: 'people' })).job.result!.file_name
    await api.updateCompany({ time_zone: 'Pacific/Kiritimati' })
    expect(await nameOf()).toBe('people-2026-06-16.csv')
    await api.updateMe({ time_zone: 'Europe/Berlin' })
    expect(await nameOf()).toBe('people-2026-06-15.csv')
  })

  test('of a view has its filter, order and columns', async () => {
    const { api, key } = await company()
    await addPeople(api, 3, { city: 'Rome' })
    await addPeople(api, 2, { city: 'Oslo' })
    const view = await api.createView({
      object: 'people',
      name: 'Rome',
      filter: 'city = Rome',
      sort: ['-first_name'],
      columns: [{ key: 'first_name' }],
    })
    const { text } = await exported(kith, key, { object: 'people', view_id: view.id, headers: 'keys' })
    expect(table(text)).toEqual([['first_name'], ['P2'], ['P1'], ['P0']])
    await expect(api.exportRecords({ object: 'deals', view_id: view.id })).rejects.toMatchObject({
      problem: { status: 422 },
    })
  })

  test('has only records and fields that the caller may read', async () => {
    const { admin, api } = await company()
    await addPeople(api, 2)
    const boss = withSession(await given.session(admin))
    const rights = {
      '*': { ...everything, read: 'own' as const },
      organizations: { read: 'none', create: false, edit: 'none', delete: 'none' } as const,
    }
    const { name: role } = await boss.createRole({ name: 'Own only', records: rights, grants: ['records.export'] })
    const key = await given.key(await given.user(admin, { name: 'Sam', role }))
    await addPeople(withKey(key), 1, { city: 'Bonn' })
    const { text } = await exported(kith, key, { object: 'people', headers: 'keys' })
    const [header, ...rows] = table(text)
    expect(rows).toHaveLength(1)
    expect(header).not.toContain('organization')
    await expect(withKey(key).exportRecords({ object: 'organizations' })).rejects.toMatchObject({
      problem: { code: 'not_found' },
    })
  })

  test('has private records with their ID, so that importing the file again keeps them', async () => {
    const { admin, api } = await company()
    const boss = withSession(await given.session(admin))
    const records = { '*': { ...everything, read: 'own' as const, edit: 'own' as const } }
    const { name: role } = await boss.createRole({ name: 'Own', records, grants: ['records.export'] })
    const rep = await given.user(admin, { role })
    const key = await given.key(rep)
    const made = await api.createRecords({ object: 'organizations', records: [{ name: 'Hidden' }] })
    const organization = made.records[0]!.id
    const { records: deals } = await api.createRecords({
      object: 'deals',
      records: [{ name: 'Roof', organization, owner: rep.user_id }],
    })
    const asked = { object: 'deals', fields: ['id', 'name', 'organization'], headers: 'keys' as const }
    const { text } = await exported(kith, key, asked)
    expect(table(text)).toEqual([
      ['id', 'name', 'organization'],
      [deals[0]!.id, 'Roof', `Private organization (${organization})`],
    ])
    const csv = text.replace('Roof', 'Roof 2').trim()
    const again = { object: 'deals', csv, mode: 'update', match_by: 'id', if_missing: 'create' } as const
    const { job } = await imported(withKey(key), again)
    expect(job).toMatchObject({ failed: 0, result: { updated: 1 } })
    expect(await api.getRecord({ object: 'deals', id: deals[0]!.id })).toMatchObject({
      name: 'Roof 2',
      organization: { id: organization, title: 'Hidden' },
    })
  })

  test('needs the grant, also for downloading, and the file is only for who exported it', async () => {
    const { admin, api, key } = await company()
    await addPeople(api, 1)
    const bare = await given.key(await given.user(admin, { grants: [] }))
    await expect(withKey(bare).exportRecords({ object: 'people' })).rejects.toMatchObject({ problem: { status: 403 } })
    const { job } = await exported(kith, key, { object: 'people' })
    const other = await given.key(await given.user(admin))
    const path = `/files/${job.result!.file_id}/content`
    expect((await download(kith, other, path)).status).toBe(404)
    kith.minutes(7 * 24 * 60 + 1)
    expect((await download(kith, key, path)).status).toBe(404)
  })

  test('is in the audit log with its filter and size, without values', async () => {
    const { api, key } = await company()
    await addPeople(api, 2, { city: 'Secretville' })
    await exported(kith, key, { object: 'people', filter: 'first_name ~ P' })
    const { items } = await api.listAuditEvents({ action: 'records.exported' })
    expect(items[0]!.data).toEqual({ object: 'people', rows: 2, filter: 'first_name ~ P' })
    expect(kith.logged.join()).not.toContain('Secretville')
  })

  test('refuses fields, filters and orders that do not exist before it starts', async () => {
    const { api } = await company()
    for (const more of [{ fields: ['nope'] }, { filter: 'nope = 1' }, { sort: ['nope'] }])
      await expect(api.exportRecords({ object: 'people', ...more })).rejects.toMatchObject({ problem: { status: 422 } })
  })

  test('sees one state of the data, whatever is written meanwhile, and stops when rights are lost', async () => {
    const { admin, api } = await company()
    await addPeople(api, 5000)
    const max = await given.user(admin)
    const member = withKey(await given.key(max))
    const { job_id } = await api.exportRecords({ object: 'people', fields: ['first_name'] })
    await soon(async () => expect((await api.getJob({ id: job_id })).done).toBeGreaterThan(0))
    await addPeople(api, 100)
    await sql`update records set deleted_at = now() where company_id = ${admin.company_id} and title like 'P1%'`.execute(
      kith.db,
    )
    expect((await finished(api, job_id)).result).toMatchObject({ rows: 5000 })
    const theirs = await member.exportRecords({ object: 'people' })
    await soon(async () => expect((await member.getJob({ id: theirs.job_id })).done).toBeGreaterThan(0))
    await sql`update roles set grants = '{}' where company_id = ${admin.company_id} and name = 'Member'`.execute(
      kith.db,
    )
    const job = await finished(member, theirs.job_id)
    expect(job).toMatchObject({ state: 'failed', message: expect.stringMatching(/export/), result: null })
  })

  test('can be cancelled, and leaves no file', async () => {
    const { admin, api } = await company()
    await addPeople(api, 5000)
    const { job_id } = await api.exportRecords({ object: 'people' })
    await soon(async () => expect((await api.getJob({ id: job_id })).done).toBeGreaterThan(0))
    await api.cancelJob({ id: job_id })
    expect(await finished(api, job_id)).toMatchObject({ state: 'cancelled', result: null })
    const { rows } = await sql`select 1 from files where company_id = ${admin.company_id}`.execute(kith.db)
    expect(rows).toEqual([])
  })
})
