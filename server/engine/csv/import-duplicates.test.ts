import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { imported, peopleIn as people } from '../../../test/csv.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

async function company() {
  const api = kith.withKey(await kith.given.key(await kith.given.company()))
  const ada = { first_name: 'Ada', last_name: 'Lovelace', emails: ['ada.lovelace@gmail.com'] }
  await api.createRecords({ object: 'people', records: [ada] })
  return api
}
/** Ada's mailbox written differently, Grace, a shorter name of Grace with her phone number, and someone else. */
const csv = `First name,Last name,E-mail,Phone,City
Ada,Lovelace,adalovelace+crm@gmail.com,,London
Margaret,Hamilton,maggie@nasa.example,+49 30 1234567,Boston
Maggie,Hamilton,,+49 30 1234567,Cambridge
Grace,Hopper,grace@navy.example,,Arlington
`
const cities = ['first_name', 'city']

describe('rows whose record probably exists', () => {
  test('are created unless the import says otherwise', async () => {
    const api = await company()
    const { job } = await imported(api, { object: 'people', csv })
    expect(job).toMatchObject({ failed: 0, result: { created: 4 } })
  })

  test('can be skipped if that is certain, and those that are only likely are created and named', async () => {
    const api = await company()
    const input = { object: 'people', csv, on_duplicate: 'skip' } as const
    const { job: check } = await imported(api, { ...input, dry_run: true })
    const { job } = await imported(api, input)
    for (const { result, failed } of [check, job])
      expect([result, failed]).toMatchObject([{ created: 3, skipped: 1 }, 0])
    expect(job.problems.map(({ line, message }) => [line, message])).toEqual([
      [2, 'Skipped. Probably the same as Ada Lovelace: same mailbox adalovelace@gmail.com, same name'],
      [4, expect.stringMatching(/^Probably the same as line 3: same phone number/)],
    ])
    expect(await people(api, cities)).toEqual([
      ['Ada', null],
      ['Margaret', 'Boston'],
      ['Maggie', 'Cambridge'],
      ['Grace', 'Arlington'],
    ])
  })

  test('can update the record, also one that an earlier row of the file created', async () => {
    const api = await company()
    const twice = `${csv}Grace,Hopper,grace+work@navy.example,,Washington\n`
    const input = { object: 'people', csv: twice, on_duplicate: 'update' } as const
    const { job: check } = await imported(api, { ...input, dry_run: true })
    const { job } = await imported(api, input)
    for (const { result, failed } of [check, job])
      expect([result, failed]).toMatchObject([{ created: 3, updated: 2 }, 0])
    expect(await people(api, cities)).toEqual([
      ['Ada', 'London'],
      ['Margaret', 'Boston'],
      ['Maggie', 'Cambridge'],
      ['Grace', 'Washington'],
    ])
    await api.undoChanges({ change_set_ids: [job.change_set_id] })
    expect(await people(api, cities)).toEqual([['Ada', null]])
  })

  test('can be reported as failed', async () => {
    const api = await company()
    const { job } = await imported(api, { object: 'people', csv, on_duplicate: 'fail' })
    expect(job).toMatchObject({ failed: 2, result: { created: 2 } })
  })
})
