// Cells that name several records.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { imported } from '../../../test/csv.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

async function withPeople() {
  const api = kith.withKey(await kith.given.key(await kith.given.company()))
  await api.createField({ object: 'people', key: 'old_id', label: 'HubSpot ID', type: 'text', is_unique: true })
  await api.createField({ object: 'organizations', key: 'old_id', label: 'HubSpot ID', type: 'text', is_unique: true })
  const people = [
    { first_name: 'Emily', last_name: 'Clarke', old_id: '9901' },
    { first_name: 'Sam', last_name: 'Clarke', old_id: '9902' },
    { first_name: 'John', last_name: 'Smith' },
  ]
  await api.createRecords({ object: 'people', records: people })
  const organizations = [
    { name: 'Kröger Logistik', old_id: '8801' },
    { name: 'Kröger Spedition', old_id: '8802' },
  ]
  await api.createRecords({ object: 'organizations', records: organizations })
  return api
}
type Api = Awaited<ReturnType<typeof withPeople>>

const titles = (value: unknown) => ([value ?? []].flat() as { title: string }[]).map(({ title }) => title)

async function linked(api: Api) {
  const { records } = await api.queryRecords({ object: 'deals', limit: 100, sort: ['created_at', 'id'] })
  return Object.fromEntries(records.map(({ name, people, organization }) => [name, titles(people ?? organization)]))
}
const namesOf = async (api: Api, object: string) =>
  (await api.queryRecords({ object, limit: 100, sort: ['created_at', 'id'] })).records.map(({ title }) => title)

const created = { if_missing: 'create' } as const
const deals = (api: Api, header: string, rows: string[]) =>
  imported(api, { object: 'deals', csv: `Name,${header}\n${rows.join('\n')}`, ...created })

describe('people in one cell', () => {
  test('are linked one by one if all of them exist, whatever separates them, by name and by old ID', async () => {
    const api = await withPeople()
    const rows = ['Commas,"Emily Clarke, Sam Clarke"', 'IDs,9901;9902', 'Both,"9901, 9902"', 'Turned,"Smith, John"']
    const { job } = await deals(api, 'People', rows)
    expect(job.problems).toEqual([])
    expect(await linked(api)).toEqual({
      Commas: ['Emily Clarke', 'Sam Clarke'],
      IDs: ['Emily Clarke', 'Sam Clarke'],
      Both: ['Emily Clarke', 'Sam Clarke'],
      Turned: ['John Smith'],
    })
    expect(await namesOf(api, 'people')).toHaveLength(3)
  })

  test('are created one by one if these are full names, and "Last, First" is one person', async () => {
    const api = await withPeople()
    const rows = ['New,"Ann Berg, Emily Clarke"', 'One,"Hopper, Grace"', 'None,"Kim Ray, Lou Day"']
    const { job } = await deals(api, 'People', rows)
    expect(job.problems).toEqual([])
    const links = await linked(api)
    expect({ ...links, None: links.None!.toSorted() }).toEqual({
      New: ['Ann Berg', 'Emily Clarke'],
      One: ['Grace Hopper'],
      None: ['Kim Ray', 'Lou Day'],
    })
  })

  test('are a problem if no one can tell how many they are, and no record with a comma in its name is created', async () => {
    const api = await withPeople()
    const { job } = await deals(api, 'People', ['Odd,"Emily Clarke, Sam"'])
    expect(job.problems).toMatchObject([
      {
        line: 2,
        is_note: true,
        message:
          'People: “Emily Clarke, Sam” may be one name or several, and there is no person “Sam”, so it was left out',
      },
    ])
    expect(job.result).toMatchObject({ created: 1, partly_imported: 1 })
    expect(await linked(api)).toEqual({ Odd: [] })
    expect(await namesOf(api, 'people')).toHaveLength(3)
    const strict = await imported(api, { object: 'deals', csv: 'Name,People\nOdd,"Emily Clarke, Sam"' })
    expect(strict.job).toMatchObject({ failed: 1, result: { created: 0 } })
  })
})

describe('a field that holds one record', () => {
  test('takes the first of several that exists, and says so', async () => {
    const api = await withPeople()
    const rows = ['IDs,8801;8802', 'Names,Kröger Spedition;Kröger Logistik', 'First,"Nobody;Kröger Logistik"']
    const { job } = await deals(api, 'Organization', rows)
    expect(await linked(api)).toEqual({
      IDs: ['Kröger Logistik'],
      Names: ['Kröger Spedition'],
      First: ['Kröger Logistik'],
    })
    expect(job.problems.map(({ message, is_note }) => [message, is_note])).toEqual([
      ['Organization: only 8801 was taken, because the field holds one organization', true],
      ['Organization: only Kröger Spedition was taken, because the field holds one organization', true],
      ['Organization: only Kröger Logistik was taken, because the field holds one organization', true],
    ])
  })

  test('keeps names with commas whole', async () => {
    const api = await withPeople()
    await deals(api, 'Organization', ['Legal,"Kröger Logistik, Inc."', 'New,"Berg, Tal & Partner"'])
    expect(await linked(api)).toEqual({ Legal: ['Kröger Logistik, Inc.'], New: ['Berg, Tal & Partner'] })
  })
})

test('a dry run reads lists of people that its file creates like the import', async () => {
  const api = await withPeople()
  const csv = 'Name,Parent\n"Kröger Logistik, Berlin",\nChild,"Kröger Logistik, Berlin"\nOther,"Kröger Logistik"\n'
  const check = await imported(api, { object: 'organizations', csv, dry_run: true })
  const { job } = await imported(api, { object: 'organizations', csv })
  expect([check.job.problems, job.problems]).toEqual([[], []])
  const { records } = await api.queryRecords({ object: 'organizations', limit: 10 })
  const children = records.filter(({ parent }) => parent)
  expect(children.map(({ name, parent }) => [name, titles(parent)]).toSorted()).toEqual([
    ['Child', ['Kröger Logistik, Berlin']],
    ['Other', ['Kröger Logistik']],
  ])
})
