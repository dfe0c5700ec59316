import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

test('records and tasks of someone who leaves are reassigned to the chosen user, which can be undone', async () => {
  const owner = await kith.given.company()
  const api = kith.withSession(await kith.given.session(owner))
  const [leaving, successor] = [
    await kith.given.user(owner, { name: 'Lea' }),
    await kith.given.user(owner, { name: 'Hal' }),
  ]
  const theirs = { owner: leaving.user_id }
  const people = Array.from({ length: 250 }, (_, i) => ({ last_name: `Person ${i}`, ...theirs }))
  for (let from = 0; from < 250; from += 100)
    await api.createRecords({ object: 'people', records: people.slice(from, from + 100) })
  await api.createRecords({ object: 'people', records: [{ last_name: 'Mine' }] })
  const task = { title: 'Call back', assignee: leaving.user_id }
  await api.createRecords({ object: 'tasks', records: [task] })
  await api.deactivateUser({ id: leaving.user_id, reassign_to: successor.user_id })

  const ownedBy = async (user_id: string) =>
    (await api.countRecords({ object: 'people', filter: `owner = "${user_id}"` })).count
  await soon(async () => expect(await ownedBy(successor.user_id)).toBe(250))
  expect(await ownedBy(owner.user_id)).toBe(1)
  await soon(async () => {
    const { records } = await api.queryRecords({ object: 'tasks' })
    expect(records).toMatchObject([{ owner: owner.user_id, assignee: successor.user_id, version: 2 }])
  })
  const sets = (await api.listChanges({ limit: 100, max_changes: 1000 })).items.filter(
    (set) => set.operation === 'reassignRecords',
  )
  expect(sets[0]).toMatchObject({ actor_id: owner.user_id, door: 'automation' })
  expect(sets.flatMap((set) => set.changes)).toHaveLength(251)
  const undone = await api.undoChanges({ change_set_ids: sets.map(({ id }) => id), dry_run: true })
  expect(undone).toMatchObject({ undone: 251, left: [] })
})

test('amounts in another currency are recomputed when a rate changes', async () => {
  const api = kith.withSession(await kith.given.session(await kith.given.company()))
  await api.updateCompany({ currency: 'EUR', rates: [{ currency: 'USD', rate: 0.5 }] })
  const amount = { amount: '100', currency: 'USD' }
  await api.createRecords({ object: 'deals', records: [{ name: 'Big', amount }, { name: 'None' }] })
  const over = async (worth: number) => (await api.countRecords({ object: 'deals', filter: `amount > ${worth}` })).count
  expect([await over(49), await over(51)]).toEqual([1, 0])
  await api.updateCompany({ rates: [{ currency: 'USD', rate: 0.9 }] })
  await soon(async () => expect([await over(51), await over(91)]).toEqual([1, 0]))
  await api.updateCompany({ rates: [] })
  await soon(async () => expect(await over(0)).toBe(0))
  const { records } = await api.queryRecords({ object: 'deals', filter: 'amount is not empty' })
  expect(records).toMatchObject([{ name: 'Big', amount, version: 1 }])
})
