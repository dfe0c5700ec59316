import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey, withSession } = kith

async function newCompany() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const create = async (object: string, values: object) =>
    (await api.createRecords({ object, records: [values] } as never)).records[0]!.id
  return { admin, api, create }
}
const linked = async (api: Api, object: string, id: string, field: string) =>
  ((await api.getRecord({ object, id }))[field] as { id: string }[]).map((link) => link.id)

describe('merging duplicates', () => {
  test('keeps one record with the values that it lacked and everything that linked to the others', async () => {
    const { api, create } = await newCompany()
    const kept = await create('people', { first_name: 'Ada', last_name: 'Lovelace', emails: ['ada@one.example'] })
    const twin = { first_name: 'Augusta', last_name: 'King', emails: ['ada@two.example'], city: 'Turin' }
    const other = await create('people', twin)
    const deal = await create('deals', { name: 'Engine', people: [kept, other] })
    const note = await create('notes', { body: 'Likes numbers', about: [other] })
    const task = await create('tasks', { title: 'Call', about: [other] })
    const merged = await api.mergeRecords({ object: 'people', id: kept, merge: [other] })
    expect(merged).toMatchObject({ moved: 3, record: { id: kept, title: 'Ada Lovelace', city: 'Turin' } })
    expect(await api.getRecord({ object: 'people', id: kept })).toMatchObject({
      first_name: 'Ada',
      emails: ['ada@one.example', 'ada@two.example'],
    })
    expect(await api.getRecord({ object: 'people', id: other })).toMatchObject({ id: kept, merged_from: other })
    expect(await linked(api, 'deals', deal, 'people')).toEqual([kept])
    expect(await linked(api, 'notes', note, 'about')).toEqual([kept])
    expect(await linked(api, 'tasks', task, 'about')).toEqual([kept])
  })

  test('can be undone as a whole', async () => {
    const { api, create } = await newCompany()
    const kept = await create('people', { last_name: 'Lovelace', emails: ['ada@one.example'] })
    const other = await create('people', { last_name: 'King', emails: ['ada@two.example'] })
    const deal = await create('deals', { name: 'Engine', people: [other] })
    const { change_set_id } = await api.mergeRecords({ object: 'people', id: kept, merge: [other] })
    expect(await api.undoChanges({ change_set_ids: [change_set_id!] })).toMatchObject({ undone: 3, left: [] })
    expect(await api.getRecord({ object: 'people', id: other })).toMatchObject({ emails: ['ada@two.example'] })
    expect(await api.getRecord({ object: 'people', id: kept })).toMatchObject({ emails: ['ada@one.example'] })
    expect(await linked(api, 'deals', deal, 'people')).toEqual([other])
  })

  test('is one change set that says how many records were merged into which one', async () => {
    const { api, create } = await newCompany()
    const [a, b, c] = [
      await create('people', { last_name: 'A' }),
      await create('people', { last_name: 'B' }),
      await create('people', { last_name: 'C' }),
    ]
    await create('deals', { name: 'Engine', people: [b] })
    await api.mergeRecords({ object: 'people', id: a, merge: [b, c] })
    const { items } = await api.listChanges({ limit: 2, max_changes: 1 })
    expect(items.map(({ merged }) => merged)).toEqual([{ object: 'people', record_id: a, count: 2 }, null])
    const { items: ofMerged } = await api.listChanges({ record_id: b })
    expect(ofMerged[0]).toMatchObject({ operation: 'mergeRecords', merged: { record_id: a, count: 2 } })
  })

  test('takes values that the caller prefers, and a preview changes nothing', async () => {
    const { api, create } = await newCompany()
    const kept = await create('organizations', { name: 'Acme' })
    const other = await create('organizations', { name: 'Acme Ltd', domains: ['acme.example'] })
    await create('people', { last_name: 'Stone', organization: other })
    const input = { object: 'organizations', id: kept, merge: [other], values: { name: 'Acme Limited' } }
    const preview = await api.mergeRecords({ ...input, dry_run: true })
    expect(preview).toMatchObject({
      moved: 1,
      change_set_id: null,
      record: { name: { from: 'Acme', to: 'Acme Limited' } },
    })
    expect(await api.getRecord({ object: 'organizations', id: other })).toMatchObject({ name: 'Acme Ltd' })
    await api.mergeRecords(input)
    const { records } = await api.queryRecords({ object: 'people', filter: `organization = "${kept}"` })
    expect(records).toHaveLength(1)
    expect(await api.getRecord({ object: 'organizations', id: kept })).toMatchObject({ domains: ['acme.example'] })
  })

  test('brings the conversations along', async () => {
    const { admin, api, create } = await newCompany()
    const inbox = inboxFor(kith)
    const other = await create('people', { last_name: 'Stone', emails: ['ada@customer.example'] })
    const { conversationId } = await inbox.arrives(await inbox.channel(admin))
    const kept = await create('people', { last_name: 'Stone', emails: ['stone@home.example'] })
    await api.mergeRecords({ object: 'people', id: kept, merge: [other] })
    await soon(async () => {
      const { items } = await api.listConversations({ record_id: kept })
      expect(items.map(({ id }) => id)).toEqual([conversationId])
    })
  })

  test('returns the conversations when it is undone, and moves them again when that is undone', async () => {
    const { admin, api, create } = await newCompany()
    const inbox = inboxFor(kith)
    const team = await inbox.channel(admin)
    const other = await create('people', { last_name: 'Stone', emails: ['ada@customer.example'] })
    const kept = await create('people', { last_name: 'Stone', emails: ['stone@home.example'] })
    const { conversationId: moved } = await inbox.arrives(team)
    const { conversationId: both } = await inbox.arrives(team, { subject: 'Both' })
    await api.linkConversation({ id: both, add: [{ object: 'people', id: kept }] })
    const about = async (record_id: string) =>
      (await api.listConversations({ record_id })).items.map(({ id }) => id).sort()
    const sender = async () => (await api.getConversation({ id: moved })).conversation.participants[0]!.person_id
    const all = [moved, both].sort()
    const { change_set_id } = await api.mergeRecords({ object: 'people', id: kept, merge: [other] })
    await soon(async () => expect([await about(kept), await sender()]).toEqual([all, kept]))
    const { change_set_id: undoing } = await api.undoChanges({ change_set_ids: [change_set_id!] })
    await soon(async () => expect([await about(kept), await sender()]).toEqual([[both], other]))
    expect(await about(other)).toEqual(all)
    await api.undoChanges({ change_set_ids: [undoing!] })
    await soon(async () => expect([await about(kept), await sender()]).toEqual([all, kept]))
  })

  test('returns the conversations also when a job undoes it together with many other changes', async () => {
    const { admin, api, create } = await newCompany()
    const inbox = inboxFor(kith)
    const other = await create('people', { last_name: 'Stone', emails: ['ada@customer.example'] })
    const kept = await create('people', { last_name: 'Stone', emails: ['stone@home.example'] })
    const { conversationId } = await inbox.arrives(await inbox.channel(admin))
    const about = async (record_id: string) =>
      (await api.listConversations({ record_id })).items.map(({ id }) => id).sort()
    const sets = [(await api.mergeRecords({ object: 'people', id: kept, merge: [other] })).change_set_id!]
    const records = Array.from({ length: 100 }, (_, i) => ({ body: `Note ${i}` }))
    for (let hundred = 0; hundred < 10; hundred++)
      sets.push((await api.createRecords({ object: 'notes', records } as never)).change_set_id!)
    await soon(async () => expect(await about(kept)).toEqual([conversationId]))
    const { job_id } = await api.undoChanges({ change_set_ids: sets })
    expect(job_id).not.toBeNull()
    await soon(async () => expect([await about(kept), await about(other)]).toEqual([[], [conversationId]]))
  })

  test('is refused to users who may not change one of the records', async () => {
    const { admin, api, create } = await newCompany()
    const boss = withSession(await given.session(admin))
    const mine = { ...everything, edit: 'own' as const, delete: 'own' as const }
    const { name: role } = await boss.createRole({ name: 'Careful', records: { '*': mine } })
    const careful = withKey(await given.key(await given.user(admin, { role })))
    const theirs = await create('people', { last_name: 'Stone' })
    const own = (await careful.createRecords({ object: 'people', records: [{ last_name: 'Stone' }] } as never))
      .records[0]!.id
    await expect(careful.mergeRecords({ object: 'people', id: own, merge: [theirs] })).toBeRefused(403)
    await expect(careful.mergeRecords({ object: 'people', id: theirs, merge: [own] })).toBeRefused(403)
    expect(await api.getRecord({ object: 'people', id: own })).toMatchObject({ id: own })
    expect(await api.getRecord({ object: 'people', id: theirs })).toMatchObject({ id: theirs })
  })

  test('is refused for a record and itself, and for an unknown one', async () => {
    const { admin, api, create } = await newCompany()
    const kept = await create('people', { last_name: 'A' })
    await expect(api.mergeRecords({ object: 'people', id: kept, merge: [kept] })).toBeRefused(422)
    await expect(api.mergeRecords({ object: 'people', id: kept, merge: [admin.user_id] })).toBeRefused(404)
  })
})
