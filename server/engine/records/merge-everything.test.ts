// A record with everything that can be about one, merged and back.
import { expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { testBuyer } from '../../../test/buyer.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { hasty } from '../../../test/receiver.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true, outbound: hasty(400) })
const buyer = await testBuyer()
await testWorker(kith)
const { given, withKey } = kith

async function newCompany() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const create = async (object: string, values: object) =>
    (await api.createRecords({ object, records: [values] } as never)).records[0]!.id
  return { admin, api, create }
}

/** The records that link to this one, by object; also those in the trash. */
async function linkedTo(api: Api, id: string) {
  const linking: Record<string, string[]> = {}
  const paths = { deals: 'people', notes: 'about', tasks: 'about', activities: 'about', leads: 'converted_person' }
  for (const [object, field] of Object.entries({ ...paths, referrals: 'referred' }))
    for (const is_deleted of [false, true]) {
      const { records } = await api.queryRecords({ object, is_deleted, fields: ['*'], limit: 100 })
      const ids = records.filter((record) => JSON.stringify(record[field] ?? '').includes(id)).map((one) => one.id)
      if (ids.length) linking[is_deleted ? `deleted ${object}` : object] = ids.sort()
    }
  return linking
}

test('a merged person passes on everything that is about them, and gets exactly that back when the merge is undone', async () => {
  const { admin, api, create } = await newCompany()
  await api.createObject({ key: 'referrals', label: 'Referral', label_plural: 'Referrals' })
  await api.createField({
    object: 'referrals',
    key: 'referred',
    label: 'Referred',
    type: 'relation',
    to_objects: ['people'],
  })
  await api.createField({ object: 'deals', key: 'payer', label: 'Payer', type: 'relation', to_objects: ['people'] })
  const inbox = inboxFor(kith)
  const other = await create('people', {
    last_name: 'Stone',
    emails: ['ada@customer.example'],
    phones: ['+39 011 1234567'],
    do_not_contact: true,
    city: 'Turin',
  })
  const kept = await create('people', { last_name: 'Stone', emails: ['stone@home.example'], do_not_contact: false })
  const { conversationId } = await inbox.arrives(await inbox.channel(admin))
  await create('deals', { name: 'Engine', people: [other] })
  const paid = await create('deals', { name: 'Paid', payer: other })
  await create('deals', { name: 'Both', people: [other, kept] })
  await create('notes', { body: 'Likes numbers', about: [other] })
  await create('tasks', { title: 'Call', about: [other] })
  await create('activities', { kind: 'call', at: '2026-06-01T10:00:00Z', about: [other], people: [other] })
  await create('leads', { last_name: 'Stone', converted_person: other })
  await create('referrals', { name: 'By a friend', referred: other })
  const trashed = await create('notes', { body: 'Thrown away', about: [other] })
  await api.deleteRecords({ object: 'notes', ids: [trashed] })
  await api.updateField({ object: 'deals', field: 'payer', is_archived: true } as never)
  await soon(async () => expect((await api.listConversations({ record_id: other })).items).toHaveLength(1))

  const about = async (id: string) => ({
    record: await api.getRecord({ object: 'people', id }).then(({ version, updated_at, ...record }) => record),
    linked: await linkedTo(api, id),
    timeline: (await api.getTimeline({ object: 'people', id, kinds: ['note', 'activity', 'message'] } as never)).items
      .map((item) => ('record' in item ? item.record.id : item.kind))
      .sort(),
    conversations: (await api.listConversations({ record_id: id })).items.map((one) => one.id),
  })
  const before = { kept: await about(kept), other: await about(other) }
  const { change_set_id, moved } = await api.mergeRecords({ object: 'people', id: kept, merge: [other] })
  expect(moved).toBe(9)
  await soon(async () => expect((await about(kept)).conversations).toEqual([conversationId]))
  const after = await about(kept)
  expect(after.record).toMatchObject({
    city: 'Turin',
    do_not_contact: true,
    emails: expect.arrayContaining(['ada@customer.example']),
  })
  const all = (key: string) =>
    [...new Set([...(before.kept.linked[key] ?? []), ...(before.other.linked[key] ?? [])])].sort()
  for (const key of ['deals', 'notes', 'tasks', 'activities', 'leads', 'referrals', 'deleted notes'])
    expect(after.linked[key], key).toEqual(all(key))
  expect(after.timeline).toEqual([...before.other.timeline, ...before.kept.timeline].sort())
  await api.updateField({ object: 'deals', field: 'payer', is_archived: false } as never)
  expect(await api.getRecord({ object: 'deals', id: paid })).toMatchObject({ payer: { id: kept } })
  await api.updateField({ object: 'deals', field: 'payer', is_archived: true } as never)

  expect(await api.undoChanges({ change_set_ids: [change_set_id!] })).toMatchObject({ left: [] })
  await soon(async () => expect((await about(kept)).conversations).toEqual([]))
  expect({ kept: await about(kept), other: await about(other) }).toEqual(before)
  await api.updateField({ object: 'deals', field: 'payer', is_archived: false } as never)
  expect(await api.getRecord({ object: 'deals', id: paid })).toMatchObject({ payer: { id: other } })
})

test('a merged product or deal passes on its line items, and a deal keeps its own stages', async () => {
  const { api, create } = await newCompany()
  const [product, twin] = [await create('products', { name: 'Engine' }), await create('products', { name: 'Engin' })]
  const [deal, copy] = [
    await create('deals', { name: 'Big' }),
    await create('deals', { name: 'Big', stage: 'proposal' }),
  ]
  const line = await create('deal_lines', { deal: copy, product: twin, quantity: 2 })
  await api.mergeRecords({ object: 'products', id: product, merge: [twin] })
  await api.mergeRecords({ object: 'deals', id: deal, merge: [copy] })
  expect(await api.getRecord({ object: 'deal_lines', id: line })).toMatchObject({
    deal: { id: deal },
    product: { id: product },
  })
  expect((await api.listDealStages({ id: deal })).items.map(({ stage }) => stage)).toEqual(['qualified'])
})

test('a lead that was kept shows the submissions and deliveries of the merged one, and is not sent a second time', async () => {
  const { api } = await newCompany()
  const at = buyer.at()
  const { id: destination_id } = await api.createLeadDestination({ name: 'Alpha', http: { url: at.url } })
  const source = await api.createLeadSource({ name: 'Website', duplicates: 'create' } as never)
  const submit = async (email: string) => {
    await api.submitLead({ id: source.id, values: { email } })
    return soon(async () => {
      const { items } = await api.listLeadSubmissions({})
      expect(items[0]).toMatchObject({ email, state: 'lead' })
      return items[0]!.lead_id!
    })
  }
  const [kept, other] = [await submit('a@one.example'), await submit('a@two.example')]
  await api.sendLead({ id: other, destination_id })
  await soon(async () =>
    expect(await api.getRecord({ object: 'leads', id: other })).toMatchObject({ sending: 'delivered' }),
  )
  const { change_set_id } = await api.mergeRecords({ object: 'leads', id: kept, merge: [other] })
  expect(await api.getRecord({ object: 'leads', id: kept })).toMatchObject({
    sending: 'delivered',
    delivered_to: ['Alpha'],
  })
  const counts = async (lead_id: string) => [
    (await api.listLeadSubmissions({ lead_id })).items.length,
    (await api.listLeadDeliveries({ lead_id })).items.length,
    (await api.getTimeline({ object: 'leads', id: lead_id, kinds: ['sending'] } as never)).items.length,
  ]
  expect(await counts(kept)).toEqual([2, 1, 1])
  await expect(api.sendLead({ id: kept, destination_id })).toBeRefused(409)
  await api.undoChanges({ change_set_ids: [change_set_id!] })
  expect([await counts(kept), await counts(other)]).toEqual([
    [1, 0, 0],
    [1, 1, 1],
  ])
  expect((await api.getRecord({ object: 'leads', id: kept })).sending ?? null).toBeNull()
})
