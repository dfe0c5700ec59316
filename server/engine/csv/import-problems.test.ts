// Problems of an import, grouped by what is wrong.
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { imported } from '../../../test/csv.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

async function company() {
  const admin = await kith.given.company()
  return { admin, api: kith.withKey(await kith.given.key(admin)) }
}

test('a problem that many rows have is one group, with their number and what the first of them contain', async () => {
  const { api } = await company()
  const rows = Array.from({ length: 600 }, (_, i) => `P${i},${i % 2 ? `not an address ${i}` : `p${i}@x.com`},Firm ${i}`)
  const csv = `First name,E-mail,Company\n${rows.join('\n')}\n`
  const input = { object: 'people', csv, mapping: { Company: { field: 'organization', if_missing: 'leave_empty' } } }
  const { job } = await imported(api, input as never)
  expect(job).toMatchObject({ failed: 300, result: { created: 300 } })
  const shown = job.problem_groups.map(({ message, is_note, count, first }) => [message, is_note, count, first.length])
  expect(shown).toEqual([
    [expect.stringMatching(/^E-mail: Enter an email address/), false, 300, 20],
    ['Company: there is no organization “Firm 0”, “Firm 2”, “Firm 4”, or others, so it was left out', true, 300, 20],
  ])
  expect(job.problem_groups[0]!.first.slice(0, 2)).toEqual([
    { line: 3, record_id: null, value: 'not an address 1' },
    { line: 5, record_id: null, value: 'not an address 3' },
  ])
  expect(job.problem_groups[1]!.first[0]).toMatchObject({ line: 2, value: 'Firm 0' })
})

test('a problem names what all of its rows name, however many they are', async () => {
  const { api } = await company()
  const rows = Array.from({ length: 300 }, (_, i) => `P${i},Firm`)
  const csv = `First name,Company\n${rows.join('\n')}\n`
  const input = { object: 'people', csv, mapping: { Company: { field: 'organization', if_missing: 'leave_empty' } } }
  const { job } = await imported(api, input as never)
  expect(job.problem_groups.map(({ message, count }) => [message, count])).toEqual([
    ['Company: there is no organization “Firm”, so it was left out', 300],
  ])
  expect(job.result).toMatchObject({ partly_imported: 300 })
})

test('a row with several problems is in the group of each', async () => {
  const { api } = await company()
  const csv = 'First name,E-mail,Status\nAda,ada@,Activ\nBob,bob@,active\nCleo,cleo@x.com,Nonsense\n'
  const { job } = await imported(api, { object: 'people', csv, dry_run: true })
  expect(job.failed).toBe(3)
  expect(
    job.problem_groups.map(({ message, count, first }) => [message, count, first.map(({ line }) => line)]),
  ).toEqual([
    [expect.stringMatching(/^E-mail: /), 2, [2, 3]],
    [expect.stringMatching(/^Status: There is no option “Activ” or “Nonsense”\. Use/), 2, [2, 4]],
  ])
  expect(job.problem_groups[1]!.first[0]!.value).toBe('Activ')
})

test('values that another row or record has are one group, whichever it is', async () => {
  const { api } = await company()
  for (const name of ['Ada', 'Bob'])
    await api.createRecords({ object: 'people', records: [{ first_name: name, emails: [`${name}@x.com`] }] })
  const csv = 'First name,E-mail\nA,ada@x.com\nB,bob@x.com\nC,c@x.com\nD,d@x.com\nE,c@x.com\nF,d@x.com\n'
  const { job } = await imported(api, { object: 'people', csv })
  expect(job.problem_groups.map(({ message, first }) => [message, first.map(({ value }) => value)])).toEqual([
    ['emails: “ada@x.com” or “bob@x.com” is already used by another record', ['ada@x.com · Ada', 'bob@x.com · Bob']],
    ['“c@x.com” or “d@x.com” is also in another line', ['c@x.com · line 4', 'd@x.com · line 5']],
  ])
})
