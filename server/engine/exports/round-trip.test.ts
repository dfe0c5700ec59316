import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeFormula, unescapeFormula } from '../../../contract/shared/formula.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { exported, imported, table, uploaded } from '../../../test/csv.ts'
import { isLong } from '../../../test/long.ts'
import { runs, seed } from '../../../test/random.ts'
import { kinds, likely, withEveryKind } from '../../../test/records/values.ts'
import { testWorker } from '../../../test/worker.ts'
import type { ApiError } from '../../../web/client/api.ts'
import { cellOf } from '../cells/write-cell.ts'
import { readPhone } from '../values/phone.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

const tricky = [
  '=1+1',
  '+1',
  '-5',
  '@SUM(A1)',
  "'=1",
  "''+x",
  'a;b',
  'a,b',
  '["x"]',
  'say "hi"',
  ' ',
  'x\ty',
  'NULL',
  '007',
  '1,5',
]

test('taking the apostrophe away restores every text, and no cell starts like a formula', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom(...tricky), fc.stringMatching(/^'*[=+@-].*$/)), (text) => {
      expect(unescapeFormula(escapeFormula(text))).toBe(text)
      expect(escapeFormula(text)).not.toMatch(/^[=+\-@\t\r]/)
    }),
    { seed, numRuns: runs(300) },
  )
})

test('every phone number that can be stored is read back as the same', () => {
  const phones = fc.tuple(
    fc.constantFrom('+49', '+1', '+39', '+44', '+7', '+370', '+1242', '+86', '+55'),
    fc.stringMatching(/^\d{3,13}$/),
  )
  const field = { type: 'phone', options: null, to_objects: null } as const
  fc.assert(
    fc.property(phones, ([code, number]) => {
      const stored = readPhone(code + number, { country: 'DE' })
      if (stored === undefined) return
      const cell = cellOf(field, stored, String as never, '.')
      expect(readPhone(unescapeFormula(cell), { country: 'US' })).toBe(stored)
    }),
    { seed, numRuns: runs(2000) },
  )
})

/** Leaves out the fields that are refused. */
async function created(api: Api, record: Record<string, unknown>): Promise<boolean> {
  try {
    await api.createRecords({ object: 'things', records: [record] })
    return true
  } catch (error) {
    const refused = (error as ApiError).problem.errors?.map(({ path }) => path.split('.')[2]!) ?? []
    const left = Object.fromEntries(Object.entries(record).filter(([key]) => !refused.includes(key)))
    return refused.length > 0 && 'name' in left && created(api, left)
  }
}

test.each(isLong ? ([',', ';', 'xlsx'] as const) : ([',', 'xlsx'] as const))(
  'records with every type of field, exported with %s and imported again, do not change',
  async (how) => {
    const settings = how === 'xlsx' ? ({ format: how } as const) : { delimiter: how }
    const { api, key } = await withEveryKind(kith)
    const anyOf = (type: keyof typeof likely, isMulti: boolean) =>
      isMulti ? fc.array(likely[type], { maxLength: 4 }) : likely[type]
    const records = fc.sample(
      fc.record(
        {
          name: fc.constantFrom(...tricky.filter((text) => text.trim()), 'Second', 'Third'),
          ...Object.fromEntries(
            kinds
              .filter(({ key }) => !key.startsWith('unique'))
              .map(({ key, type, more }) => [key, anyOf(type, 'is_multi' in more)]),
          ),
        },
        { requiredKeys: ['name'], noNullPrototype: true },
      ),
      { seed, numRuns: 60 },
    )
    let count = 1
    // A cell of a sheet holds fewer characters than a field.
    for (const record of records)
      if (
        !(how === 'xlsx' && String((record as Record<string, unknown>).one_long_text).length > 32_767) &&
        (await created(api, record))
      )
        count++
    expect(count).toBeGreaterThan(25)
    for (const headers of ['keys', 'labels'] as const) {
      const { bytes, job } = await exported(kith, key, { object: 'things', headers, ...settings })
      expect(job.result).toMatchObject({ rows: count })
      const again = await imported(api, {
        object: 'things',
        file_id: await uploaded(api, bytes),
        mode: 'update',
        match_by: 'id',
        empty_cells: 'clear',
      })
      expect(again.job.problems).toEqual([])
      expect(again.job.result).toMatchObject({ created: 0, updated: 0, unchanged: count })
    }
  },
)

test('an export imported into an empty company gives the same records', async () => {
  const one = await kith.given.key(await kith.given.company())
  const two = await kith.given.key(await kith.given.company())
  const [from, to] = [kith.withKey(one), kith.withKey(two)]
  await from.createRecords({
    object: 'organizations',
    records: [{ name: 'Acme, Inc.', domains: ['acme.com'] }, { name: '=HYPERLINK("x")' }],
  })
  await from.createRecords({
    object: 'people',
    records: [
      {
        first_name: '-Ada',
        last_name: "O'Neil",
        emails: ['ada@acme.com', '=a@acme.com'],
        phones: ['+49 30 1234567', '+1 202 555 0123'],
        organization: 'Acme, Inc.',
      },
      {
        first_name: '@Bob',
        score: -5,
        birthday: '1990-12-31',
        do_not_contact: true,
        notes_text: 'line 1\r\nline 2\n- x',
        status: 'Active',
        organization: '=HYPERLINK("x")',
      },
      { last_name: 'Çelik', country: 'DE', linkedin: 'https://linkedin.com/in/x', consent: false, score: 0.1 },
    ],
  })
  const organizations = await exported(kith, one, { object: 'organizations', sort: ['created_at'] })
  const people = await exported(kith, one, { object: 'people', sort: ['created_at'] })
  await imported(to, { object: 'organizations', file_id: await uploaded(to, organizations.text) })
  const { job } = await imported(to, { object: 'people', file_id: await uploaded(to, people.text) })
  expect(job).toMatchObject({ state: 'done', failed: 0, result: { created: 3 } })
  const plain = async (api: typeof from) => {
    const { records } = await api.listRecords({ object: 'people', sort: ['created_at'] })
    return records.map(({ id: _, created_at, updated_at, created_by, owner, organization, ...rest }) => ({
      ...rest,
      organization: (organization as { title?: string })?.title,
    }))
  }
  expect(await plain(to)).toEqual(await plain(from))
  expect(table(people.text)[1]).toContain("'-Ada")
  expect(table(people.text)[1]).toContain('+49 301234567; +1 2025550123')
  expect(table(people.text)[2]).toContain('-5')
})

test('an option with a comma in its label is the same option in another company', async () => {
  const one = await kith.given.key(await kith.given.company())
  const [from, to] = [kith.withKey(one), kith.withKey(await kith.given.key(await kith.given.company()))]
  await from.updateField({ object: 'people', field: 'tags', options: [{ label: 'Food, drinks' }, { label: 'VIP' }] })
  const people = [{ tags: ['Food, drinks'] }, { tags: ['VIP', 'Food, drinks'] }, { tags: ['VIP'] }]
  await from.createRecords({ object: 'people', records: people.map((values) => ({ first_name: 'Ada', ...values })) })
  const { text } = await exported(kith, one, { object: 'people', fields: ['first_name', 'tags'], sort: ['created_at'] })
  const { job } = await imported(to, { object: 'people', file_id: await uploaded(to, text), if_missing: 'create' })
  expect(job).toMatchObject({ failed: 0, result: { options_created: { tags: 2 } } })
  const { records } = await to.listRecords({ object: 'people', sort: ['created_at'] })
  expect(records.map(({ tags }) => tags)).toEqual([['food_drinks'], ['vip', 'food_drinks'], ['vip']])
})

const listed = {
  people: ['title', 'emails', 'phones', 'organization', 'job_title', 'status', 'owner', 'created_at'],
  organizations: ['title', 'domains', 'industry', 'size', 'parent', 'owner', 'created_at'],
  deals: ['title', 'pipeline', 'stage', 'status', 'amount', 'organization', 'people', 'owner', 'created_at'],
  leads: ['title', 'email', 'phone', 'company_name', 'status', 'owner', 'created_at'],
  tasks: ['title', 'due_at', 'status', 'priority', 'assignee', 'about', 'owner', 'created_at'],
}

test('what a list shows, exported and imported again, changes nothing, whatever titles are made of', async () => {
  const key = await kith.given.key(await kith.given.company())
  const api = kith.withKey(key)
  const create = (object: string, records: Record<string, unknown>[]) => api.createRecords({ object, records })
  await create('organizations', [{ name: 'Acme  Inc', domains: ['acme.com'] }])
  await create('organizations', [{ name: 'B', parent: 'acme.com' }])
  await create('people', [
    { first_name: 'Ada', last_name: 'van der Berg', job_title: 'Chief of X', emails: ['ada@acme.com'] },
    { first_name: '花子', last_name: '山田', organization: 'B' },
    { emails: ['only@acme.com'], job_title: 'CTO' },
    { job_title: 'Nobody' },
  ])
  await create('deals', [{ name: 'Big  deal', organization: 'B', people: ['ada@acme.com'], amount: '5' }])
  await create('leads', [{ first_name: 'Lea', last_name: 'de la Lead' }, { email: 'x@y.com' }])
  await create('tasks', [{ title: 'Call  back', about: ['ada@acme.com'], due_at: '2026-07-01T10:00:00Z' }])
  for (const [object, fields] of Object.entries(listed))
    for (const headers of ['labels', 'keys'] as const) {
      const { text, job } = await exported(kith, key, { object, fields: ['id', ...fields], headers })
      const file_id = await uploaded(api, text)
      const again = await imported(api, { object, file_id, mode: 'update', match_by: 'id', empty_cells: 'clear' })
      expect(again.job.problems).toEqual([])
      expect([object, again.job.result]).toMatchObject([object, { updated: 0, unchanged: job.result!.rows }])
    }
})
