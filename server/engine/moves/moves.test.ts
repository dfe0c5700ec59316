// Files of another product, brought in together.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { download, finished, imported, table, uploaded } from '../../../test/csv.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey } = kith

async function company() {
  const admin = await given.company()
  const key = await given.key(admin)
  return { admin, key, api: withKey(key) }
}
type Api = Awaited<ReturnType<typeof company>>['api']

/** As Pipedrive exports them, in no helpful order. Two people share a name, and two organizations, too. */
const exported = {
  'deals-1.csv': `Deal - ID,Deal - Title,Deal - Organization,Deal - Organization ID,Deal - Contact person,Deal - Person ID,Deal - Value,Deal - Currency of Value,Deal - Owner
900,Rollout,Acme,70,Ada Lovelace,11,1000,CHF,Karla Klein
901,Pilot,Acme,71,Ada Lovelace,12,500,EUR,Karla Klein`,
  'notes.csv': `ID,Content,Deal,Deal ID,User,Add time
5,Called them,Rollout,900,Karla Klein,2024-01-02 10:00:00`,
  'people-2.csv': `Person - ID,Person - Name,Person - Email - Work,Person - Organization,Person - Organization ID
11,Ada Lovelace,ada@acme.example,Acme,70
12,Ada Lovelace,ada@other.example,Acme,71`,
  'organizations-3.csv': `Organization - ID,Organization - Name,Organization - Address
70,Acme,Main Street 1
71,Acme,Side Street 2`,
}

async function upload(api: Api, files: Record<string, string>) {
  const ids: Record<string, string> = {}
  for (const [name, text] of Object.entries(files)) ids[name] = await uploaded(api, text, name)
  return ids
}

const oldId = (api: Api, object: string) =>
  api.createField({ object, key: 'pipedrive_id', label: 'Pipedrive ID', type: 'text', is_unique: true })

async function withOldIds() {
  const one = await company()
  for (const object of ['organizations', 'people', 'deals', 'notes']) await oldId(one.api, object)
  return one
}

const upsert = { mode: 'upsert', match_by: 'pipedrive_id', if_missing: 'fail' } as const
const filesOf = (ids: Record<string, string>) => [
  { object: 'deals', file_id: ids['deals-1.csv']!, ...upsert },
  { object: 'notes', file_id: ids['notes.csv']!, ...upsert },
  { object: 'people', file_id: ids['people-2.csv']!, ...upsert },
  { object: 'organizations', file_id: ids['organizations-3.csv']!, ...upsert },
]

async function moved(api: Api, input: Parameters<Api['startMove']>[0]) {
  const { job_id } = await api.startMove(input)
  return finished(api, job_id)
}

const all = async (api: Api, object: string, fields: string[]) => {
  const { records } = await api.queryRecords({ object, limit: 100, sort: ['created_at', 'id'] })
  return records.map((record) => fields.map((field) => record[field] ?? null))
}
const none = { organizations: 0, people: 0, deals: 0, notes: 0 }
async function counts(api: Api) {
  const found = await Promise.all(
    Object.keys(none).map(async (object) => [object, (await all(api, object, [])).length]),
  )
  return Object.fromEntries(found)
}

describe('a plan', () => {
  test('says what each file is, in the order in which links find their records, and where it comes from', async () => {
    const { api } = await company()
    const ids = await upload(api, exported)
    const { system, files } = await api.planMove({ file_ids: Object.values(ids) })
    expect(system).toBe('Pipedrive')
    expect(files.map(({ file_name, object, rows }) => [file_name, object, rows])).toEqual([
      ['organizations-3.csv', 'organizations', 2],
      ['people-2.csv', 'people', 2],
      ['deals-1.csv', 'deals', 2],
      ['notes.csv', 'notes', 1],
    ])
    expect(files.map(({ old_ids }) => old_ids?.column)).toEqual(['Organization - ID', 'Person - ID', 'Deal - ID', 'ID'])
  })

  test('says of a file that it cannot be read, or that it is of no known kind', async () => {
    const { api } = await company()
    const ids = await upload(api, { 'photo.csv': '\u0000\u0001', 'weather.csv': 'Pressure,Humidity\n1013,80\n' })
    const { files, system } = await api.planMove({ file_ids: Object.values(ids) })
    expect(system).toBeNull()
    expect(files.map(({ object, note }) => [object, note !== null])).toEqual([
      [null, true],
      [null, true],
    ])
  })
})

describe('a move', () => {
  test('links the records of all files to each other, whatever their order, and is undone as a whole', async () => {
    const { admin, api } = await withOldIds()
    const karla = await given.user(admin, { name: 'Karla Klein' })
    const ids = await upload(api, exported)
    const check = await moved(api, { files: filesOf(ids), dry_run: true })
    expect(check.problems).toEqual([])
    expect(check.result).toMatchObject({ dry_run: true, created: 7, updated: 0 })
    expect(await counts(api)).toEqual(none)

    const job = await moved(api, { check_id: check.id })
    expect(job).toMatchObject({ kind: 'move', state: 'done', total: 7, done: 7, failed: 0 })
    expect(job.result!.files!.map(({ file_name, created }) => [file_name, created])).toEqual([
      ['organizations-3.csv', 2],
      ['people-2.csv', 2],
      ['deals-1.csv', 2],
      ['notes.csv', 1],
    ])
    expect((await api.startMove({ check_id: check.id })).job_id, 'a check is used once').toBe(job.id)

    const orgs = new Map((await all(api, 'organizations', ['pipedrive_id', 'id'])) as [string, string][])
    const people = new Map((await all(api, 'people', ['pipedrive_id', 'id'])) as [string, string][])
    expect(await all(api, 'people', ['pipedrive_id', 'organization'])).toEqual([
      ['11', { id: orgs.get('70'), title: 'Acme' }],
      ['12', { id: orgs.get('71'), title: 'Acme' }],
    ])
    const [rollout] = await all(api, 'deals', ['pipedrive_id', 'organization', 'people', 'amount', 'owner'])
    expect(rollout).toMatchObject([
      '900',
      { id: orgs.get('70') },
      [{ id: people.get('11') }],
      { amount: '1000', currency: 'CHF' },
      karla.user_id,
    ])
    expect(await all(api, 'notes', ['body', 'created_at'])).toMatchObject([
      ['Called them', expect.stringMatching(/^2024-01-02/)],
    ])

    await api.undoChanges({ change_set_ids: [job.change_set_id] })
    expect(await counts(api)).toEqual(none)
  })

  test('brings only what has changed when it is repeated with a later export', async () => {
    const { api } = await withOldIds()
    const { 'deals-1.csv': _, 'notes.csv': __, ...some } = exported
    const files = (ids: Record<string, string>) => filesOf(ids).filter(({ file_id }) => file_id)
    await moved(api, { files: files(await upload(api, some)) })
    const later = { ...some, 'people-2.csv': `${some['people-2.csv'].replace('ada@other', 'ada.l@other')}\n13,Bo,,,70` }
    const job = await moved(api, { files: files(await upload(api, later)) })
    expect(job.problems).toEqual([])
    expect(job.result).toMatchObject({ created: 1, updated: 1, unchanged: 3 })
  })

  test('reports problems with their file, and gives back the failed rows of each', async () => {
    const { api, key } = await withOldIds()
    const broken = { ...exported, 'notes.csv': `${exported['notes.csv']}\n6,Lost,Nothing,999,,2024-01-02` }
    const ids = await upload(api, broken)
    const check = await moved(api, { files: filesOf(ids), dry_run: true })
    const job = await moved(api, { files: filesOf(ids) })
    expect(check.problems).toEqual(job.problems)
    // No one is called Karla Klein here.
    expect(job.problems.map(({ file_name, line }) => [file_name, line])).toEqual([
      ['deals-1.csv', 2],
      ['deals-1.csv', 3],
      ['notes.csv', 2],
      ['notes.csv', 3],
    ])
    const rows = await download(kith, key, `/jobs/${job.id}/failed-rows?file_id=${ids['notes.csv']}`)
    expect(table(rows.text).map(([id, body]) => [id, body])).toEqual([
      ['ID', 'Content'],
      ['5', 'Called them'],
      ['6', 'Lost'],
    ])
    expect((await download(kith, key, `/jobs/${job.id}/failed-rows`)).status).toBe(422)
  })

  test('says in a check what it would say in the import, where names are shared', async () => {
    const { api } = await company()
    const files = {
      'organizations.csv': 'Name\nAcme\nAcme\nBeta\n',
      'people.csv': 'First name,Last name,Organization\nAda,L,Acme\nBo,K,Beta\nCy,J,Gamma\n',
    }
    const ids = await upload(api, files)
    const asked = [
      { object: 'people', file_id: ids['people.csv']!, if_missing: 'create' as const },
      { object: 'organizations', file_id: ids['organizations.csv']! },
    ]
    const check = await moved(api, { files: asked, dry_run: true })
    const job = await moved(api, { files: asked })
    const shown = ({ problems, result }: typeof job) => ({
      problems,
      created: result!.created,
      files: result!.files!.map(({ related_created }) => related_created),
    })
    expect(shown(check)).toEqual(shown(job))
    expect(job.problems).toMatchObject([{ file_name: 'people.csv', line: 2 }])
    expect(job.result!.files![1]!.related_created).toEqual({ organizations: 1 })
  })

  test('is remembered by its files: the next plan begins with it', async () => {
    const { api } = await company()
    const ids = await upload(api, { 'x.csv': 'Name,Kind\nAcme,big\n' })
    await moved(api, { files: [{ object: 'products', file_id: ids['x.csv']!, mapping: { Name: 'name', Kind: null } }] })
    const again = await upload(api, { 'y.csv': 'Name,Kind\nBeta,small\n' })
    expect((await api.planMove({ file_ids: Object.values(again) })).files).toMatchObject([{ object: 'products' }])
  })

  test('names the file whose settings are refused', async () => {
    const { api } = await company()
    const ids = await upload(api, { 'a.csv': 'Name\nAcme\n', 'b.csv': 'Name\nBeta\n' })
    const files = [
      { object: 'organizations', file_id: ids['a.csv']! },
      { object: 'organizations', file_id: ids['b.csv']!, mapping: { Nothing: 'name' } },
    ]
    await expect(api.startMove({ files })).rejects.toMatchObject({
      problem: { status: 422, errors: [{ path: 'files.1.mapping.Nothing' }, { path: 'files.1.mapping' }] },
    })
    await expect(imported(api, { object: 'organizations', check_id: ids['a.csv']! })).rejects.toMatchObject({
      problem: { status: 422 },
    })
  })
})

describe('IDs of another system', () => {
  test('name records, and never become the names of new ones', async () => {
    const { api } = await withOldIds()
    const ids = await upload(api, { 'notes.csv': exported['notes.csv'] })
    const { columns } = await api.previewImport({ object: 'notes', file_id: ids['notes.csv']! })
    expect(columns.filter(({ column }) => column.startsWith('Deal'))).toMatchObject([
      { column: 'Deal', field: null, note: 'The IDs of another column are used instead' },
      { column: 'Deal ID', field: 'about.deals', if_missing: 'leave_empty' },
    ])
  })

  test('go into the field of their own system', async () => {
    const { api } = await withOldIds()
    const header = 'Record ID,Company name,Company owner,Create Date'
    const ids = await upload(api, { 'companies.csv': `${header}\n7,Acme,,2024-01-15 09:30` })
    const { system, files } = await api.planMove({ file_ids: Object.values(ids) })
    expect({ system, old_ids: files[0]!.old_ids }).toEqual({
      system: 'HubSpot',
      old_ids: { column: 'Record ID', field: null },
    })
  })
})

test('deals and tasks that were closed elsewhere count for the day on which they were', async () => {
  const { api } = await company()
  const files = {
    'deals.csv':
      'Name,Stage,Close date\nRollout,Closed Won,2024-07-07\nPilot,Closed - Lost,2024-08-08\nNew,Proposal,2031-01-01\n',
    'tasks.csv': 'Title,Status,Due date\nCall,Completed,2024-02-01\nMail,Not Started,2024-02-02\n',
  }
  const ids = await upload(api, files)
  const job = await moved(api, {
    files: [
      { object: 'deals', file_id: ids['deals.csv']! },
      { object: 'tasks', file_id: ids['tasks.csv']! },
    ],
  })
  expect(job.problems).toEqual([])
  expect(await all(api, 'deals', ['name', 'status', 'closed_at'])).toEqual([
    ['Rollout', 'won', '2024-07-07T00:00:00.000Z'],
    ['Pilot', 'lost', '2024-08-08T00:00:00.000Z'],
    ['New', 'open', null],
  ])
  expect(await all(api, 'tasks', ['title', 'status', 'completed_at'])).toEqual([
    ['Call', 'done', '2024-02-01T00:00:00.000Z'],
    ['Mail', 'open', null],
  ])
})
