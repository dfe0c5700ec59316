import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { testWorker } from '../../../test/worker.ts'
import { sweepFiles } from '../../files/sweep.ts'

const kith = await testApp({ own: true, filesQuotaBytes: 1024 * 1024 })
const worker = await testWorker(kith)
const { given, withKey, withSession } = kith

async function newCompany() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const create = async (object: string, values: object) =>
    (await api.createRecords({ object, records: [values] } as never)).records[0]!.id
  return { admin, api, create }
}
const upload = async (api: Api, name: string, text = name) =>
  (await api.uploadFile({ purpose: 'record', name, file: new Blob([text]) })).id
const namesOf = async (api: Api, object: string, id: string, field = 'files') =>
  (((await api.getRecord({ object, id }))[field] ?? []) as { name: string }[]).map(({ name }) => name)
const contentOf = async (api: Api, id: string) => (await api.downloadFile({ id })).text()
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('was not refused'),
    ({ problem }) => problem as { status: number; detail: string; errors?: { path: string; message: string }[] },
  )
const daysLater = async (days: number) => {
  kith.time.now = new Date(kith.time.now.getTime() + days * 86_400_000)
  await worker.run('prune', {})
}

describe('files of records', () => {
  test('are added, listed with their size and type, found by name, downloaded and removed', async () => {
    const { api, create } = await newCompany()
    const id = await create('people', { last_name: 'Lovelace' })
    const [offer, plan] = [await upload(api, 'Offer 2026.pdf', '%PDF-1.7'), await upload(api, 'plan.txt', 'hello')]
    await api.updateRecords({ object: 'people', records: [{ id, values: { files: [offer] } }] })
    await api.updateRecords({ object: 'people', records: [{ id, values: { files: { add: [plan] } } }] })
    expect((await api.getRecord({ object: 'people', id })).files).toEqual([
      { id: offer, name: 'Offer 2026.pdf', type: 'application/pdf', size: 8 },
      { id: plan, name: 'plan.txt', type: 'text/plain', size: 5 },
    ])
    expect(await contentOf(api, plan)).toBe('hello')
    expect((await api.searchRecords({ q: 'offer 2026' })).items.map((one) => one.id)).toEqual([id])
    const filtered = async (filter: string) => (await api.countRecords({ object: 'people', filter })).count
    expect(await filtered('files ~ "offer"')).toBe(1)
    expect(await filtered('files is empty')).toBe(0)
    await api.updateRecords({ object: 'people', records: [{ id, values: { files: { remove: [offer] } } }] })
    expect(await namesOf(api, 'people', id)).toEqual(['plan.txt'])
    await expect(api.downloadFile({ id: offer })).toBeRefused(404)
  })

  test('can be on notes, activities and objects of the company, and in fields of their own', async () => {
    const { api, create } = await newCompany()
    await api.createObject({ key: 'boats', label: 'Boat', label_plural: 'Boats' })
    await api.createField({ object: 'boats', key: 'papers', label: 'Papers', type: 'file' })
    for (const [object, values] of [
      ['notes', { body: 'See the scan' }],
      ['activities', { kind: 'call', at: '2026-06-15T10:00:00Z' }],
      ['boats', { name: 'Ark' }],
    ] as const)
      expect(
        await namesOf(api, object, await create(object, { ...values, files: [await upload(api, 'scan.txt')] })),
      ).toEqual(['scan.txt'])
    const boat = await create('boats', {
      name: 'Kon',
      papers: [await upload(api, 'a.txt'), await upload(api, 'b.txt')],
    })
    expect(await namesOf(api, 'boats', boat, 'papers')).toEqual(['a.txt', 'b.txt'])
  })

  test('are refused if they do not exist, were uploaded by someone else, or belong to another record', async () => {
    const { admin, api, create } = await newCompany()
    const other = withKey(await given.key(await given.user(admin)))
    const id = await create('people', { last_name: 'Lovelace' })
    const file = await upload(api, 'a.txt')
    const add = (caller: Api, files: unknown) =>
      refusal(caller.updateRecords({ object: 'people', records: [{ id, values: { files } }] } as never))
    expect((await add(other, [file])).errors).toEqual([
      {
        path: 'records.0.files.0',
        message: 'File not found. Upload it with the purpose record, and use its ID within a day',
      },
    ])
    await create('people', { last_name: 'King', files: [file] })
    expect((await add(api, [file])).errors![0]!.message).toMatch('belongs to another record')
    expect((await add(api, ['offer.pdf'])).errors![0]!.message).toBe(
      'Upload the file with the purpose record, and use its ID',
    )
  })

  test('are downloaded by those who may read the record, and by nobody else', async () => {
    const { admin, api, create } = await newCompany()
    const id = await create('people', { last_name: 'Lovelace', files: [await upload(api, 'a.txt')] })
    const [{ id: file }] = (await api.getRecord({ object: 'people', id })).files as [{ id: string }]
    const member = await given.user(admin)
    const records = { '*': { read: 'own', create: true, edit: 'own', delete: 'own' } } as const
    await withSession(await given.session(admin)).createRole({ name: 'Own', records, grants: [] })
    const limited = await given.user(admin, { role: 'Own' })
    expect(await contentOf(withKey(await given.key(member)), file)).toBe('a.txt')
    await expect(withKey(await given.key(limited)).downloadFile({ id: file })).toBeRefused(404)
    await expect((await newCompany()).api.downloadFile({ id: file })).toBeRefused(404)
  })
})

describe('a file that was removed', () => {
  test('comes back with an undo, and is gone when the trash would be emptied', async () => {
    const { api, create } = await newCompany()
    const id = await create('people', { last_name: 'Lovelace', files: [await upload(api, 'a.txt')] })
    const remove = async () =>
      (await api.updateRecords({ object: 'people', records: [{ id, values: { files: null } }] })).change_set_id!
    await api.undoChanges({ change_set_ids: [await remove()] })
    expect(await namesOf(api, 'people', id)).toEqual(['a.txt'])
    await daysLater(40)
    expect(await namesOf(api, 'people', id)).toEqual(['a.txt'])
    const removed = await remove()
    await daysLater(40)
    const { left } = await api.undoChanges({ change_set_ids: [removed] })
    expect(left).toMatchObject([{ field: 'files', reason: 'It had a file that was permanently deleted' }])
  })
})

describe('files of a record in the trash', () => {
  test('stay until it is purged, and then give back their room', async () => {
    const { api, admin, create } = await newCompany()
    const id = await create('people', {
      last_name: 'Lovelace',
      files: [await upload(api, 'a.txt', 'x'.repeat(700_000))],
    })
    await api.deleteRecords({ object: 'people', ids: [id] })
    await expect(upload(api, 'b.txt', 'x'.repeat(700_000))).toBeRefused(409)
    await api.restoreRecords({ object: 'people', ids: [id] })
    expect(await namesOf(api, 'people', id)).toEqual(['a.txt'])
    await api.deleteRecords({ object: 'people', ids: [id] })
    await api.purgeRecords({ object: 'people', ids: [id] })
    await upload(api, 'b.txt', 'x'.repeat(700_000))
    const keys = await Array.fromAsync(kith.services.files.store.keys(-1))
    expect(keys.filter((key) => key.startsWith(admin.company_id))).toHaveLength(2)
    await sweepFiles(kith.backgroundDb, kith.services.files.store)
  })
})

describe('merging records with files', () => {
  test('gives them all to the record that is kept, whatever happens to the other one, and undo gives them back', async () => {
    const { api, create } = await newCompany()
    const [a, b] = [
      await create('people', { last_name: 'A', files: [await upload(api, 'offer.pdf')] }),
      await create('people', { last_name: 'B', files: [await upload(api, 'offer.pdf')] }),
    ]
    const { change_set_id } = await api.mergeRecords({ object: 'people', id: a, merge: [b] })
    expect(await namesOf(api, 'people', a)).toEqual(['offer.pdf', 'offer.pdf'])
    await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect([await namesOf(api, 'people', a), await namesOf(api, 'people', b)]).toEqual([['offer.pdf'], ['offer.pdf']])
    await daysLater(40)
    const fileOf = async (id: string) =>
      ((await api.getRecord({ object: 'people', id })).files as [{ id: string }])[0].id
    expect(await contentOf(api, await fileOf(b))).toBe('offer.pdf')
    await api.mergeRecords({ object: 'people', id: a, merge: [b] })
    await api.purgeRecords({ object: 'people', ids: [b] })
    const kept = (await api.getRecord({ object: 'people', id: a })).files as { id: string }[]
    expect(await Promise.all(kept.map(({ id }) => contentOf(api, id)))).toEqual(['offer.pdf', 'offer.pdf'])
  })
})

describe('adding a file with one call', () => {
  test('takes base64, and says what is wrong with anything else', async () => {
    const { api, create } = await newCompany()
    const id = await create('deals', { name: 'Engine' })
    const content = Buffer.from('a,b\n1,2\n').toString('base64')
    const { file, version } = await api.createRecordFile({ object: 'deals', id, name: '../../x.csv', content })
    expect(file).toMatchObject({ name: 'x.csv', type: 'text/csv', size: 8 })
    expect(version).toBe(2)
    expect(await contentOf(api, file!.id)).toBe('a,b\n1,2\n')
    const bad = { object: 'deals', id, name: 'x' }
    expect((await refusal(api.createRecordFile({ ...bad, content: 'no base64!' }))).errors![0]!.path).toBe('content')
    expect((await refusal(api.createRecordFile({ ...bad, content, field: 'name' }))).errors![0]!.path).toBe('field')
  })
  test('gives a link for larger files, which works once, for an hour, and as long as its key exists', async () => {
    const { admin, api, create } = await newCompany()
    const id = await create('deals', { name: 'Engine' })
    const linkFor = async (caller: Api, name: string) =>
      new URL((await caller.createRecordFile({ object: 'deals', id, name })).upload_url!).pathname
    const put = (path: string, body: string) => kith.send(path, { method: 'PUT', body })
    const link = await linkFor(api, 'plan.txt')
    const answer = (await (await put(link, 'hello')).json()) as { file: { id: string }; change_set_id: string }
    expect(await contentOf(api, answer.file.id)).toBe('hello')
    expect(await namesOf(api, 'deals', id)).toEqual(['plan.txt'])
    expect((await put(link, 'again')).status).toBe(409)
    expect(await contentOf(api, answer.file.id)).toBe('hello')
    const { items } = await api.listChanges({ limit: 1 } as never)
    expect(items[0]).toMatchObject({ id: answer.change_set_id, actor_id: admin.user_id })
    const late = await linkFor(api, 'late.txt')
    kith.minutes(61)
    expect((await put(late, 'x')).status).toBe(404)
    const session = withSession(await given.session(admin))
    const { key, value } = await session.createApiKey({ name: 'Soon gone' })
    const ofKey = await linkFor(withKey(value), 'a.txt')
    await session.deleteApiKeys({ ids: [key.id] })
    expect((await put(ofKey, 'x')).status).toBe(404)
    expect((await put('/public/uploads/AAAA', 'x')).status).toBe(404)
  })
})
