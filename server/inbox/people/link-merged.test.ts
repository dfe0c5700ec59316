// What belongs to a merge is done by several jobs, in any order.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { backgroundTasks } from '../../background-tasks.ts'
import type { OutboxEvent } from '../../kernel/outbox.ts'
import { inboxSubscriptions } from '../background-tasks.ts'

const kith = await testApp()
const inbox = inboxFor(kith)
const all = backgroundTasks(kith.services)

type Job = { name: string; event: OutboxEvent }

/** The jobs of the inbox about records that wait, by name. */
async function waitingJobs(company_id: string): Promise<Map<string, Job[]>> {
  const events = await kith.db.deleteFrom('outbox').where('company_id', '=', company_id).returningAll().execute()
  const waiting = (events as OutboxEvent[])
    .filter(({ event }) => /^(contact|record|changes)[.]/.test(event))
    .flatMap((event) => (inboxSubscriptions[event.event] ?? []).map((name) => ({ name, event })))
  return Map.groupBy(waiting, ({ name }) => name)
}

async function work(waiting: Job[] = []) {
  for (const { name, event } of waiting)
    await all[name]!.run(
      { db: kith.backgroundDb, now: kith.time.now, log: kith.log, signal: AbortSignal.timeout(60_000) },
      event as never,
    )
}

async function givenMerge() {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const team = await inbox.channel(admin)
  const person = async (email: string) =>
    (await api.createRecords({ object: 'people', records: [{ last_name: 'Stone', emails: [email] }] } as never))
      .records[0]!.id
  const other = await person('ada@customer.example')
  const kept = await person('stone@home.example')
  const add = async (object: string, values: object) =>
    (await api.createRecords({ object, records: [values] } as never)).records[0]!.id
  const home = await add('organizations', { name: 'Home' })
  await api.updateRecords({ object: 'people', records: [{ id: kept, values: { organization: home } }] })
  const deal = await add('deals', { name: 'Of the kept one', people: [kept] })
  await add('deals', { name: 'Of the other one', people: [other] })
  const { conversationId: moved } = await inbox.arrives(team)
  const { conversationId: both } = await inbox.arrives(team, { subject: 'Both' })
  await api.linkConversation({ id: both, add: [{ object: 'people', id: kept }] })
  await waitingJobs(admin.company_id)
  const about = async (record_id: string) =>
    (await api.listConversations({ record_id })).items.map(({ id }) => id).sort()
  const sender = async (id: string) => (await api.getConversation({ id })).conversation.participants[0]!.person_id
  const links = async () => {
    const { rows } = await sql<{ link: string }>`
      select conversation_id || ' ' || record_id || ' ' || object as link from conversation_links
      where company_id = ${admin.company_id} order by 1`.execute(kith.db)
    const { items } = await api.getTimeline({ object: 'deals', id: deal })
    const { last_activity_at } = await api.getRecord({ object: 'deals', id: deal })
    return { all: rows.map(({ link }) => link), ofDeal: items.map(({ kind }) => kind), last_activity_at }
  }
  const before = await links()
  const { change_set_id } = await api.mergeRecords({ object: 'people', id: kept, merge: [other] })
  return {
    api,
    links,
    before,
    deal,
    moved,
    waiting: () => waitingJobs(admin.company_id),
    undo: async (set = change_set_id!) => (await api.undoChanges({ change_set_ids: [set] })).change_set_id!,
    now: async () => ({ kept: await about(kept), senders: [await sender(moved), await sender(both)] }),
    merged: { kept: [moved, both].sort(), senders: [kept, kept] },
    undone: { kept: [both], senders: [other, other] },
  }
}

const orders = [
  { before: ['link_merged_record', 'link_contacts'], after: [] },
  { before: ['link_contacts', 'link_merged_record'], after: [] },
  { before: ['link_contacts'], after: ['link_merged_record', 'follow_merged_records'] },
  { before: ['link_contacts'], after: ['follow_merged_records', 'link_merged_record'] },
  { before: ['link_merged_record'], after: ['link_contacts', 'follow_merged_records'] },
  { before: [], after: ['follow_merged_records', 'link_merged_record', 'link_contacts'] },
]
for (const { before, after } of orders)
  test(`conversations return after ${[...before, 'undo', ...after].join(', ')}`, async () => {
    const merge = await givenMerge()
    const made = await merge.waiting()
    for (const name of before) await work(made.get(name))
    if (before.includes('link_merged_record')) expect(await merge.now()).toEqual(merge.merged)
    const undoing = await merge.undo()
    const undone = await merge.waiting()
    for (const name of after) {
      await work(before.includes(name) ? [] : made.get(name))
      await work(undone.get(name))
      undone.delete(name)
    }
    for (const jobs of undone.values()) await work(jobs)
    expect(await merge.now()).toEqual(merge.undone)
    const { all, ofDeal, last_activity_at } = await merge.links()
    expect({ all, last_activity_at }).toMatchObject({ all: merge.before.all, last_activity_at: null })
    expect(ofDeal).not.toContain('message')
    await merge.undo(undoing)
    for (const jobs of (await merge.waiting()).values()) await work(jobs)
    expect(await merge.now()).toEqual(merge.merged)
  })

test('what someone linked by hand after a merge stays when the merge is undone', async () => {
  const merge = await givenMerge()
  const made = await merge.waiting()
  for (const name of ['link_contacts', 'link_merged_record']) await work(made.get(name))
  expect((await merge.links()).all).toContain(`${merge.moved} ${merge.deal} deals`)
  await merge.api.linkConversation({ id: merge.moved, add: [{ object: 'deals', id: merge.deal }] })
  await merge.undo()
  for (const jobs of (await merge.waiting()).values()) await work(jobs)
  expect((await merge.links()).all).toEqual([...merge.before.all, `${merge.moved} ${merge.deal} deals`].toSorted())
})

test('a job that is done twice changes nothing the second time', async () => {
  const merge = await givenMerge()
  const made = await merge.waiting()
  for (let time = 1; time <= 2; time++) for (const jobs of made.values()) await work(jobs)
  expect(await merge.now()).toEqual(merge.merged)
  await merge.undo()
  for (const jobs of (await merge.waiting()).values()) await work(jobs)
  expect(await merge.now()).toEqual(merge.undone)
})
