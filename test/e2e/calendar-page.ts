// What the tests of calendars share.
import { testWeb } from '../browser.ts'
import { testWorker } from '../worker.ts'

export async function testCalendar() {
  const web = await testWeb({ own: true })
  const { kith, ada } = web
  await testWorker(kith)

  async function plan() {
    const made = await ada()
    const [deal, late] = (
      await made.api.createRecords({
        object: 'deals',
        records: [
          { name: 'Acme', expected_close: '2026-11-12' },
          { name: 'Borealis', expected_close: '2026-12-02' },
        ],
      })
    ).records
    const task = { title: 'Call Zoe', due_at: '2026-11-12T15:30:00Z', assignee: made.owner.user_id }
    const [call] = (await made.api.createRecords({ object: 'tasks', records: [task] })).records
    const dayOf = async () => (await made.api.getRecord({ object: 'deals', id: deal!.id })).expected_close
    const due = async () => (await made.api.getRecord({ object: 'tasks', id: call!.id })).due_at
    return { ...made, late, dayOf, due }
  }
  return { ...web, plan }
}
