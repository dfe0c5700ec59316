// Rows with values that cannot be read, imported without them.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { download, finished, imported, peopleIn, table, uploaded } from '../../../test/csv.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

async function company() {
  const admin = await kith.given.company()
  const key = await kith.given.key(admin)
  return { admin, key, api: kith.withKey(key) }
}
const leaveOut = { object: 'people', on_invalid: 'leave_out' } as const

describe('a row with values that cannot be read', () => {
  const csv = [
    'First name,Emails,Phones,Birthday,Score',
    'Ada,ada@x.com;ada@,+49 30 123456;12,--06-14,7',
    'Bob,bob@,,31/31/1990,many',
    'Cleo,cleo@x.com,,0/0/00,3',
  ].join('\n')

  test('is imported without them, each named with its column', async () => {
    const { api } = await company()
    const { job } = await imported(api, { ...leaveOut, csv })
    expect(job).toMatchObject({ failed: 0, result: { created: 3, partly_imported: 2, unreadable: 2 } })
    const [ada, bob] = job.problems
    expect([ada!.is_note, bob!.is_note]).toEqual([true, true])
    expect(ada!.message.split('; ')).toEqual([
      'Birthday: “--06-14” was left out. A date needs a year',
      'Emails: “ada@” was left out. Enter an email address such as ada@example.com',
      expect.stringMatching(/^Phones: “12” was left out\. Use a phone number such as/),
    ])
    expect(bob!.message).toMatch(/Score: “many” was left out.*Emails: “bob@”.*Birthday: “31\/31\/1990” was left out/)
    expect(await peopleIn(api, ['first_name', 'emails', 'phones', 'birthday', 'score'])).toEqual([
      ['Ada', ['ada@x.com'], ['+4930123456'], null, 7],
      ['Bob', null, null, null, null],
      ['Cleo', ['cleo@x.com'], null, null, 3],
    ])
  })

  test('fails by default, as a whole', async () => {
    const { api } = await company()
    const { job } = await imported(api, { object: 'people', csv })
    expect(job).toMatchObject({ failed: 2, result: { created: 1 } })
    expect(job.result!.partly_imported).toBeUndefined()
  })

  test('says the same in a check', async () => {
    const { api } = await company()
    const check = await imported(api, { ...leaveOut, csv, dry_run: true })
    const { job } = await imported(api, { object: 'people', check_id: check.job_id })
    const shown = ({ problem_groups, result, failed }: typeof job) => ({
      failed,
      counts: [result!.created, result!.partly_imported, result!.unreadable],
      groups: problem_groups.map(({ message, count }) => [message, count]),
    })
    expect(shown(check.job)).toEqual(shown(job))
  })

  test('can be corrected in the file of failed rows, which then changes the record instead of creating another', async () => {
    const { api, key } = await company()
    const { job } = await imported(api, { ...leaveOut, csv: `${csv}\nDora,ada@x.com,,,` })
    const rows = await download(kith, key, `/jobs/${job.id}/failed-rows`)
    const [header, ...cells] = table(rows.text)
    const at = (name: string) => header!.indexOf(name)
    expect(cells.map((row) => [row[0], row[at('_result')], row[at('Phones')]])).toEqual([
      ['Ada', 'partly imported', "'+49 30 123456;12"],
      ['Bob', 'partly imported', ''],
      ['Dora', 'failed', ''],
    ])
    const file = rows.text
      .replaceAll('ada@x.com;ada@,', 'ada@x.com;ada@y.com,')
      .replace(';12', '')
      .replace("'--06-14", '14.06.1990')
      .replace('bob@', 'bob@x.com')
      .replace('31/31/1990', '')
      .replace('many', '')
      .replace('Dora,ada@x.com', 'Dora,dora@x.com')
    const again = await imported(api, { ...leaveOut, file_id: await uploaded(api, file) })
    expect(again.job).toMatchObject({ failed: 0, problems: [], result: { created: 1, updated: 2 } })
    expect(await peopleIn(api, ['first_name', 'emails', 'birthday'])).toEqual([
      ['Ada', ['ada@x.com', 'ada@y.com'], '1990-06-14'],
      ['Bob', ['bob@x.com'], null],
      ['Cleo', ['cleo@x.com'], null],
      ['Dora', ['dora@x.com'], null],
    ])
  })

  test('of a check is not among its failed rows, so that it is not imported twice', async () => {
    const { api, key } = await company()
    const { job } = await imported(api, { ...leaveOut, csv: `${csv}\nBad row,,,,,too many cells`, dry_run: true })
    const rows = table((await download(kith, key, `/jobs/${job.id}/failed-rows`)).text)
    expect(rows.slice(1).map(([name]) => name)).toEqual(['Bad row'])
  })
})

test('a row that fails says everything that is wrong with it, and that a value was left out only if it is imported', async () => {
  const { api } = await company()
  const csv = 'First name,Phones,Status\nAda,0761 11,Nonsense\nBob,0761 11,Active\n'
  const { job } = await imported(api, { ...leaveOut, csv, format: { country: 'DE' } })
  expect(
    job.problems.map(({ line, is_note, message }) => [line, is_note, message.replace(/\. Add the country.*/, '')]),
  ).toEqual([
    [
      2,
      false,
      expect.stringMatching(/^Status: There is no option Nonsense.*; Phones: “0761 11”: 0761 11 is not a valid/),
    ],
    [3, true, 'Phones: “0761 11” was left out. It is not a valid phone number for Germany'],
  ])
})

test('a row still fails without its title, its ID, what it is matched by, or a required value', async () => {
  const { api } = await company()
  await api.createField({ object: 'people', key: 'old_id', label: 'Old ID', type: 'text', is_unique: true })
  await api.createField({ object: 'people', key: 'level', label: 'Level', type: 'number', is_required: true })
  const long = 'x'.repeat(1001)
  const csv = `First name,Old ID,Emails,Level\nAda,${long},ada@x.com,1\n${long},2,bob@x.com,1\nCleo,3,cleo@,1\nDora,4,dora@x.com,high\nEve,5,eve@x.com;eve@,1\n`
  const { job } = await imported(api, { ...leaveOut, csv, mode: 'upsert', match_by: 'emails' })
  expect(job.problems.map(({ line, is_note, message }) => [line, is_note, message.split(':')[0]])).toEqual([
    [2, false, 'Old ID'],
    [3, false, 'First name'],
    [4, false, 'Emails'],
    [5, false, 'Level'],
    [6, true, 'Emails'],
  ])
  expect(await peopleIn(api, ['first_name'])).toEqual([['Eve']])
})

test('an amount in an unknown currency is left out, instead of being in the currency of the company', async () => {
  const { api } = await company()
  const csv = 'Name,Value,Currency\nA,100,Taler\nB,200,CHF\n'
  const { job } = await imported(api, { object: 'deals', csv, on_invalid: 'leave_out' })
  expect(job.problems).toMatchObject([
    { is_note: true, message: expect.stringMatching(/^Currency: “Taler” was left out/) },
  ])
  const { records } = await api.listRecords({ object: 'deals', sort: ['name'] })
  expect(records.map(({ amount }) => amount ?? null)).toEqual([null, { amount: '200', currency: 'CHF' }])
})

test('a move leaves out what cannot be read unless told otherwise, and counts it for each file', async () => {
  const { api, key } = await company()
  const file_id = await uploaded(api, 'First name,Phones\nAda,12\nBob,\n')
  const move = async (more: object) =>
    finished(api, (await api.startMove({ files: [{ object: 'people', file_id, ...more }] })).job_id)
  const job = await move({})
  expect(job.result).toMatchObject({
    created: 2,
    partly_imported: 1,
    files: [{ failed: 0, partly_imported: 1, unreadable: 1 }],
  })
  const rows = await download(kith, key, `/jobs/${job.id}/failed-rows?file_id=${file_id}`)
  expect(table(rows.text).map(([name]) => name)).toEqual(['First name', 'Ada'])
  expect(await move({ on_invalid: 'fail' })).toMatchObject({ failed: 1, result: { created: 1 } })
})

test('a middle name in a column of its own is part of the first name', async () => {
  const { api } = await company()
  const mapping = { 'First name': 'first_name', 'Middle name': 'first_name' }
  const csv = 'First name,Middle name,Last name\nSiân,Mary,Evans\nAda,,Lovelace\n'
  const { job } = await imported(api, { object: 'people', csv, mapping })
  expect(job.problems).toEqual([])
  expect(await peopleIn(api, ['title'])).toEqual([['Siân Mary Evans'], ['Ada Lovelace']])
})

describe('phone numbers without a country code', () => {
  test('are from the country of their row, in whatever language it is written, before that of the file', async () => {
    const { api } = await company()
    const csv = [
      'First name,Phones,Country',
      'Ada,020 7946 0555,Vereinigtes Königreich',
      'Bob,020 7946 0555,GB',
      'Cleo,030 202020,Germany',
      'Dora,030 202020,',
      'Eve,030 202020,United Kingdom',
    ].join('\n')
    const { job } = await imported(api, { object: 'people', csv, format: { country: 'DE' } })
    expect(job.problems).toEqual([])
    expect(await peopleIn(api, ['phones'])).toEqual([
      [['+442079460555']],
      [['+442079460555']],
      [['+4930202020']],
      [['+4930202020']],
      // It exists only in Germany.
      [['+4930202020']],
    ])
    const asked = await api.previewImport({ object: 'people', csv: 'First name,Phones,Country\nA,020 7946 0555,GB' })
    expect(asked.unsure).toEqual([])
  })
})
