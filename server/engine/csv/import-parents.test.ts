// Rows that name other rows of the same file, wherever these stand.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { exported, imported, uploaded } from '../../../test/csv.ts'
import { sized } from '../../../test/long.ts'
import { seed } from '../../../test/random.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

async function company() {
  const key = await kith.given.key(await kith.given.company())
  return { key, api: kith.withKey(key) }
}

/** The names of all organizations with those of their parents. */
async function parentsIn(api: Api) {
  const all: [string, string | null][] = []
  for (let cursor: string | undefined; ; ) {
    const page = await api.listRecords({ object: 'organizations', limit: 100, ...(cursor && { cursor }) })
    for (const { name, parent } of page.records)
      all.push([String(name), (parent as { title: string } | null)?.title ?? null])
    if (!page.next_cursor) return all.toSorted()
    cursor = page.next_cursor
  }
}

const organizations = (csv: string, more: object = {}) => ({ object: 'organizations', csv, ...more })

describe('a row that names a parent further down', () => {
  const csv = 'Name,Parent\nGrandchild,Kid GmbH\nKid GmbH,MOTHER  ag\nSister,Mother AG\nMother AG,\n'
  const family = [
    ['Grandchild', 'Kid GmbH'],
    ['Kid GmbH', 'Mother AG'],
    ['Mother AG', null],
    ['Sister', 'Mother AG'],
  ]

  test.each(['fail', 'create', 'leave_empty'] as const)(
    'is linked to it, and the parent is created once (%s)',
    async (if_missing) => {
      const { api } = await company()
      const check = await imported(api, organizations(csv, { if_missing, dry_run: true }))
      expect(check.job).toMatchObject({ failed: 0, problems: [], total: 4, done: 4 })
      expect(check.job.result).toMatchObject({ created: 4, related_created: {} })
      const { job } = await imported(api, { object: 'organizations', check_id: check.job.id })
      expect(job).toMatchObject({ failed: 0, problems: [], total: 4, done: 4, changed: 4 })
      expect(job.result).toMatchObject({ created: 4, related_created: {} })
      expect(await parentsIn(api)).toEqual(family)
      await api.undoChanges({ change_set_ids: [job.change_set_id] })
      expect(await parentsIn(api)).toEqual([])
    },
  )

  test('finds it by a unique value', async () => {
    const { api } = await company()
    const csv = 'Name,Parent,Domains\nKid,mother.example,\nMother,top.example,mother.example\nTop,,top.example\n'
    const { job } = await imported(api, organizations(csv, { if_missing: 'create' }))
    expect(job.result).toMatchObject({ created: 3, related_created: {} })
    expect(await parentsIn(api)).toEqual([
      ['Kid', 'Mother'],
      ['Mother', 'Top'],
      ['Top', null],
    ])
  })

  test('that is nowhere in the file fails, or is created once', async () => {
    const csv = 'Name,Parent\nLeaf,Kid\nKid,Nowhere\nOther,nowhere\n'
    const strict = await company()
    for (const dry_run of [true, false]) {
      const { job } = await imported(strict.api, organizations(csv, { dry_run }))
      expect(job).toMatchObject({ done: 3, failed: 3, result: { created: 0 } })
      expect(job.problems.map(({ line, message }) => [line, message]).toSorted()).toEqual([
        [2, expect.stringMatching(/^Parent: there is no organization Kid\./)],
        [3, expect.stringMatching(/^Parent: there is no organization Nowhere\./)],
        [4, expect.stringMatching(/^Parent: there is no organization nowhere\./)],
      ])
    }
    const lenient = await company()
    for (const dry_run of [true, false]) {
      const { job } = await imported(lenient.api, organizations(csv, { dry_run, if_missing: 'create' }))
      expect(job).toMatchObject({ failed: 0, result: { created: 3, related_created: { organizations: 1 } } })
    }
    const family = (await parentsIn(lenient.api)).map((names) => names.map((name) => name?.toLowerCase() ?? null))
    expect(family.toSorted()).toEqual([
      ['kid', 'nowhere'],
      ['leaf', 'kid'],
      ['nowhere', null],
      ['other', 'nowhere'],
    ])
  })

  test('is applied before later rows of the same record', async () => {
    const { api } = await company()
    const csv = [
      'Name,Domains,Parent,City',
      'Kid,kid.example,Mother,Rome',
      'Kid,kid.example,,Paris',
      'Mother,mother.example,,',
    ].join('\n')
    const { job } = await imported(api, organizations(csv, { mode: 'upsert', match_by: 'domains' }))
    expect(job).toMatchObject({ failed: 0, done: 3, result: { created: 2, updated: 1 } })
    const { records } = await api.listRecords({ object: 'organizations', sort: ['name'] })
    expect(records).toMatchObject([{ name: 'Kid', city: 'Paris', parent: { title: 'Mother' } }, { name: 'Mother' }])
  })
})

test('rows that name each other are linked in both directions', async () => {
  const { api } = await company()
  await api.createField({
    object: 'people',
    key: 'friends',
    label: 'Friends',
    type: 'relation',
    to_objects: ['people'],
    is_multi: true,
  } as never)
  const csv = 'First name,Friends\nAda,Bob; Cleo\nBob,Ada\nCleo,Ada\nDan,Dan\nEve,Frank\nFrank,Eve; Nobody\n'
  const { job } = await imported(api, { object: 'people', csv, if_missing: 'leave_empty' })
  expect(job).toMatchObject({ state: 'done', failed: 0, done: 6, result: { created: 6, updated: 0 } })
  expect(job.problems).toMatchObject([{ line: 7, is_note: true, message: expect.stringContaining('Nobody') }])
  const { records } = await api.listRecords({ object: 'people', sort: ['first_name'] })
  const friends = records.map(({ friends }) =>
    ((friends as { title: string }[] | null) ?? []).map(({ title }) => title),
  )
  expect(friends).toEqual([['Bob', 'Cleo'], ['Ada'], ['Ada'], ['Dan'], ['Frank'], ['Eve']])
})

test('an export with parents, in whatever order, is complete when it is imported elsewhere', async () => {
  const from = await company()
  const count = sized(120, 400)
  const random = fc.sample(fc.tuple(fc.nat(2), fc.nat()), { seed, numRuns: count })
  for (let first = 0; first < count; first += 40)
    await from.api.createRecords({
      object: 'organizations',
      records: random.slice(first, first + 40).map(([hasParent, parent], i) => ({
        name: `Org ${first + i}`,
        ...(first && hasParent && { parent: `Org ${parent % first}` }),
      })),
    })
  const family = await parentsIn(from.api)
  expect(family.filter(([, parent]) => parent).length).toBeGreaterThan(count / 4)
  for (const sort of [undefined, ['name']]) {
    const { text } = await exported(kith, from.key, { object: 'organizations', ...(sort && { sort }) })
    const to = await company()
    const file_id = await uploaded(to.api, text)
    const { job } = await imported(to.api, { object: 'organizations', file_id, if_missing: 'create' })
    expect(job).toMatchObject({ done: count, failed: 0, result: { created: count, related_created: {} } })
    expect(await parentsIn(to.api)).toEqual(family)
  }
})

test('options are added only for rows that are stored', async () => {
  const { api } = await company()
  const csv = [
    'First name,Emails,Score,Status,Tags',
    'Good,good@example.com,1,One,',
    'Bad,bad@example.com,abc,Ghost,phantom',
    'Twin,good@example.com,1,Double,phantom',
  ].join('\n')
  for (const dry_run of [true, false]) {
    const { job } = await imported(api, { object: 'people', csv, if_missing: 'create', dry_run })
    expect(job).toMatchObject({ failed: 2, done: 3, result: { created: 1, options_created: { status: 1 } } })
    expect(job.problems.map(({ message }) => message)).toEqual([
      'Score: “abc”: Use a number such as 1234.5',
      expect.stringMatching(/^good@example.com is also in line 2$/),
    ])
  }
  const { objects } = await api.describeSchema({ objects: ['people'] })
  const labels = objects[0]!.fields
    .filter(({ key }) => key === 'status' || key === 'tags')
    .flatMap(({ options }) => options!.map(({ label }) => label))
  expect(labels).toContain('One')
  for (const label of ['Ghost', 'phantom', 'Double']) expect(labels).not.toContain(label)
})

test('parents in a circle are imported without the link that closes it, with a note', async () => {
  const { api } = await company()
  const { job } = await imported(api, organizations('Name,Parent\nA,B\nB,A\nC,C\n'))
  expect(job).toMatchObject({ failed: 0, result: { created: 3 } })
  expect(job.problems.map(({ line, is_note, message }) => [line, is_note, message])).toEqual([
    [2, true, expect.stringMatching(/below the organization in the hierarchy.*The rest of the row was imported/)],
    [4, true, expect.stringMatching(/cannot be its own parent.*The rest of the row was imported/)],
  ])
  expect(await parentsIn(api)).toEqual([
    ['A', null],
    ['B', 'A'],
    ['C', null],
  ])
})

test('extensions of phone numbers are left out with a note', async () => {
  const { api } = await company()
  const csv = 'First name,Phones\nAda,+49 30 1234567 ext. 5; +49 30 7654321\n'
  const { job } = await imported(api, { object: 'people', csv })
  expect(job).toMatchObject({ failed: 0, result: { created: 1 } })
  expect(job.problems).toMatchObject([
    { line: 2, is_note: true, message: 'Phones: the extension 5 of +49 30 1234567 ext. 5 was left out' },
  ])
  const { records } = await api.listRecords({ object: 'people' })
  expect(records[0]!.phones).toEqual(['+49301234567', '+49307654321'])
})
