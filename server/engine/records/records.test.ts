import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith
const newCompany = async () => {
  const admin = await given.company()
  return { admin, api: withKey(await given.key(admin)) }
}
const people = async (api: Awaited<ReturnType<typeof newCompany>>['api'], ...records: Record<string, unknown>[]) =>
  (await api.createRecords({ object: 'people', records })).records
const names = (page: { records: { [key: string]: unknown }[] }) => page.records.map((record) => record.title)

describe('records', () => {
  test('are created, read, changed, moved to the trash and restored', async () => {
    const { admin, api } = await newCompany()
    const made = await api.createRecords({
      object: 'people',
      return: 'record',
      records: [
        {
          first_name: ' Ada ',
          last_name: 'Lovelace',
          emails: ['Ada@Example.com'],
          status: 'Active',
          score: 87.5,
          birthday: '1815-12-10',
        },
      ],
    })
    const [ada] = made.records
    expect(ada).toMatchObject({
      title: 'Ada Lovelace',
      owner: admin.user_id,
      status: 'active',
      score: 87.5,
      version: 1,
    })
    expect(await api.getRecord({ object: 'people', id: ada!.id })).toEqual(ada)
    const { records } = await api.updateRecords({
      object: 'people',
      records: [{ id: ada!.id, version: 1, values: { job_title: 'Countess', score: null } }],
    })
    expect(records[0]).toEqual({ id: ada!.id, version: 2, title: 'Ada Lovelace', job_title: 'Countess', score: null })
    await api.deleteRecords({ object: 'people', ids: [ada!.id] })
    await expect(api.getRecord({ object: 'people', id: ada!.id })).toBeRefused(404)
    expect(names(await api.listRecords({ object: 'people', is_deleted: true }))).toEqual(['Ada Lovelace'])
    await api.restoreRecords({ object: 'people', ids: [ada!.id] })
    expect(await api.getRecord({ object: 'people', id: ada!.id })).toMatchObject({
      version: 4,
      emails: ['Ada@Example.com'],
    })
    const { items } = await api.listChanges({ record_id: ada!.id })
    expect(items.map((set) => set.changes[0]!.action)).toEqual(['restored', 'deleted', 'updated', 'created'])
  })

  test('without a name get their first line with content as title, without markup', async () => {
    const { api } = await newCompany()
    const bodies = [
      '## Out of **office**\n\nNine people',
      '\n- [x] Call [Ada](https://x.example)\n- more',
      '**',
      '> 1 < 2',
    ]
    const { records } = await api.createRecords({ object: 'notes', records: bodies.map((body) => ({ body })) })
    expect(records.map(({ title }) => title)).toEqual(['Out of office', 'Call Ada', 'Untitled note', '1 < 2'])
  })

  test('of people have titles in the order that is customary for the name', async () => {
    const { api } = await newCompany()
    const made = await people(
      api,
      { first_name: 'Ada', last_name: 'Lovelace' },
      { first_name: '梦洁', last_name: '赵' },
      { first_name: '태현', last_name: '김' },
      { first_name: 'Ken', last_name: '高橋' },
      { last_name: '高橋' },
    )
    expect(made.map(({ title }) => title)).toEqual(['Ada Lovelace', '赵梦洁', '김태현', 'Ken 高橋', '高橋'])
  })

  test('are found by filters over text, numbers, options, days, relations and search', async () => {
    const { api } = await newCompany()
    const { records: orgs } = await api.createRecords({
      object: 'organizations',
      records: [
        { name: 'Acme', country: 'DE', domains: ['acme.com'] },
        { name: 'Globex', country: 'US' },
      ],
    })
    await people(
      api,
      { first_name: 'Zoë', score: 10, status: 'active', organization: orgs[0]!.id, tags: [], birthday: '1990-06-15' },
      { first_name: 'Max', score: 60, status: 'active', organization: 'Globex' },
      { first_name: 'Eve', score: 90, status: 'former', emails: ['eve@acme.com', 'eve@home.example'], city: 'Köln' },
    )
    await api.createRecords({
      object: 'deals',
      records: [{ name: 'Big', stage: 'won', amount: 9000, organization: orgs[0]!.id }],
    })
    const find = async (filter: string, object = 'people') => names(await api.listRecords({ object, filter })).sort()
    expect(await find('status = active and score > 50')).toEqual(['Max'])
    expect(await find('first_name = zoe')).toEqual(['Zoë'])
    expect(await find('organization.country = "DE"')).toEqual(['Zoë'])
    expect(await find('organization.country != "DE"')).toEqual(['Eve', 'Max'])
    expect(await find('organization is empty')).toEqual(['Eve'])
    expect(await find('organization = "acme.com"')).toEqual(['Zoë'])
    expect(await find('emails ends with "@acme.com"')).toEqual(['Eve'])
    expect(await find('city ~ "KOL"')).toEqual(['Eve'])
    expect(await find('not (score between 10 and 60)')).toEqual(['Eve'])
    expect(await find('birthday is empty and owner = me')).toEqual(['Eve', 'Max'])
    expect(await find('search("eve acme")')).toEqual(['Eve'])
    expect(await find('title = max or title starts with "zo"')).toEqual(['Max', 'Zoë'])
    expect(await find('any(deals: status = won and amount > 5000)', 'organizations')).toEqual(['Acme'])
    expect(await find('none(people: score > 50)', 'organizations')).toEqual(['Acme'])
    expect(await find('created_at in today')).toEqual(['Eve', 'Max', 'Zoë'])
    expect(await find('tags is empty')).toEqual(['Eve', 'Max', 'Zoë'])
  })

  test('are paged without repeating or missing any, in any order, empty values last', async () => {
    const { api } = await newCompany()
    const scores = [5, null, 3, 3, null, 8, 1]
    await people(api, ...scores.map((score, i) => ({ first_name: `P${i}`, score })))
    for (const sort of [undefined, ['score'], ['-score'], ['status', '-score'], ['-title']]) {
      const seen: unknown[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await api.listRecords({ object: 'people', sort, limit: 2, cursor })
        seen.push(...page.records.map((record) => record.title))
        if (!page.next_cursor) break
        cursor = page.next_cursor
      }
      expect(new Set(seen).size, String(sort)).toBe(7)
      expect(seen.length, String(sort)).toBe(7)
      if (sort?.[0] === 'score') expect(seen.slice(0, 5)).toEqual(['P6', 'P2', 'P3', 'P0', 'P5'])
      if (sort?.[0] === '-score') expect(seen.slice(0, 2)).toEqual(['P5', 'P0'])
    }
    const { next_cursor } = await api.listRecords({ object: 'people', limit: 2 })
    await expect(api.listRecords({ object: 'people', sort: ['score'], cursor: next_cursor! })).toBeRefused(422)
  })

  test('report what is invalid and where, with a suggestion, and nothing is written', async () => {
    const { api } = await newCompany()
    const refused = await api
      .createRecords({
        object: 'people',
        records: [{ first_name: 'Good' }, { fist_name: 'Bad', status: 'activ', score: '5', emails: ['no'] }],
      })
      .catch((error) => error.problem)
    expect(refused.status).toBe(422)
    const faults = Object.fromEntries(
      refused.errors.map((one: { path: string; message: string }) => [one.path, one.message]),
    )
    expect(Object.keys(faults)).toEqual([
      'records.1.fist_name',
      'records.1.status',
      'records.1.score',
      'records.1.emails',
    ])
    expect(faults['records.1.fist_name']).toContain('first_name')
    expect(faults['records.1.status']).toContain('active')
    expect(await api.countRecords({ object: 'people' })).toEqual({ count: 0, is_exact: true })
    const filter = await api
      .listRecords({ object: 'people', filter: 'status = active and scroe > 5' })
      .catch((error) => error.problem)
    expect(filter.errors[0]).toMatchObject({
      path: 'filter',
      offset: 20,
      length: 5,
      nearest: expect.arrayContaining(['score']),
    })
  })

  test('keep unique values unique, even with concurrent writes, and upsert finds them', async () => {
    const { api } = await newCompany()
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => people(api, { emails: ['one@example.com'] })),
    )
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    const refused = await people(api, { emails: ['ONE@example.com'] }).catch((error) => error.problem)
    expect(refused).toMatchObject({ status: 409, detail: expect.stringContaining('one@example.com') })
    const { records } = await api.upsertRecords({
      object: 'people',
      match_on: 'emails',
      records: [
        { emails: ['one@example.com'], first_name: 'One' },
        { emails: ['two@example.com'], first_name: 'Two' },
      ],
    })
    expect(records.map((record) => [record.title, record.version])).toEqual([
      ['One', 2],
      ['Two', 1],
    ])
    await api.deleteRecords({ object: 'people', ids: [records[0]!.id] })
    await people(api, { emails: ['one@example.com'] })
    await expect(api.restoreRecords({ object: 'people', ids: [records[0]!.id] })).toBeRefused(409)
  })

  test('found by one of several unique values keep the others unchanged', async () => {
    const { api } = await newCompany()
    await people(api, { last_name: 'Lovelace', emails: ['Ada@home.example', 'ada@work.example'] })
    const upsert = (emails: string[]) =>
      api.upsertRecords({ object: 'people', match_on: 'emails', records: [{ emails, city: 'Rome' }] })
    const { records } = await upsert(['ADA@home.example', 'new@home.example'])
    expect(records).toMatchObject([
      { city: 'Rome', emails: ['Ada@home.example', 'ada@work.example', 'new@home.example'] },
    ])
    expect((await upsert(['ada@work.example'])).change_set_id).toBeNull()
  })

  test('accept a JSON filter where only text can be sent, and lists in a URL separated by commas', async () => {
    const { admin, api } = await newCompany()
    await people(api, { last_name: 'Lovelace', score: 3 }, { last_name: 'Hopper', score: 9 })
    const filter = JSON.stringify({ field: 'score', op: 'gt', value: 5 })
    expect(names(await api.queryRecords({ object: 'people', filter }))).toEqual(['Hopper'])
    const headers = { 'x-api-key': await given.key(admin) }
    const answer = await kith.send('/api/v1/records/people?fields=title,score&sort=-score,title', { headers })
    expect(await answer.json()).toMatchObject({
      records: [
        { title: 'Hopper', score: 9 },
        { title: 'Lovelace', score: 3 },
      ],
    })
  })

  test('report what changed to a writer with an outdated version', async () => {
    const { api } = await newCompany()
    const [ada] = await people(api, { first_name: 'Ada', score: 1 })
    await api.updateRecords({ object: 'people', records: [{ id: ada!.id, values: { score: 2 } }] })
    const late = await api
      .updateRecords({ object: 'people', records: [{ id: ada!.id, version: 1, values: { score: 3 } }] })
      .catch((error) => error.problem)
    expect(late).toMatchObject({ status: 409, errors: [{ path: 'records.0.score', message: 'The value is now 2' }] })
  })

  test('are permanently deleted only from the trash, and a dry run deletes nothing', async () => {
    const { api } = await newCompany()
    const [ada] = await people(api, { last_name: 'Lovelace' })
    const these = { object: 'people', ids: [ada!.id] }
    await expect(api.purgeRecords(these)).toBeRefused(404, 'not_found')
    await api.deleteRecords(these)
    expect(await api.purgeRecords({ ...these, dry_run: true })).toEqual({ purged: 1, job_id: null, dry_run: true })
    expect((await api.restoreRecords({ ...these, dry_run: true })).records).toHaveLength(1)
    expect(await api.purgeRecords(these)).toEqual({ purged: 1, job_id: null, dry_run: false })
    await expect(api.restoreRecords(these)).toBeRefused(404, 'not_found')
  })

  test('are not written in a dry run', async () => {
    const { api } = await newCompany()
    const tried = await api.createRecords({ object: 'people', records: [{ first_name: 'Ada' }], dry_run: true })
    expect(tried).toMatchObject({ dry_run: true, change_set_id: null, records: [{ title: 'Ada' }] })
    expect((await api.countRecords({ object: 'people' })).count).toBe(0)
  })
})

describe('rights', () => {
  test('limited to own records apply to every operation, and an object without rights does not exist', async () => {
    const { admin, api } = await newCompany()
    await withSession(await given.session(admin)).createRole({
      name: 'Narrow',
      records: {
        '*': { read: 'none', create: false, edit: 'none', delete: 'none' },
        people: { read: 'own', create: true, edit: 'own', delete: 'none' },
      },
    })
    const rep = await given.user(admin, { role: 'Narrow' })
    const own = withKey(await given.key(rep))
    const [theirs] = await people(api, { first_name: 'Theirs' })
    const [mine] = await people(own, { first_name: 'Mine' })
    expect(names(await own.listRecords({ object: 'people' }))).toEqual(['Mine'])
    expect((await own.countRecords({ object: 'people' })).count).toBe(1)
    await expect(own.getRecord({ object: 'people', id: theirs!.id })).toBeRefused(404)
    await expect(
      own.updateRecords({ object: 'people', records: [{ id: theirs!.id, values: { score: 1 } }] }),
    ).toBeRefused(404)
    await expect(own.deleteRecords({ object: 'people', ids: [mine!.id] })).toBeRefused(403)
    await expect(own.listRecords({ object: 'deals' })).toBeRefused(404)
    expect((await own.describeSchema({})).objects.map((object) => object.key)).toEqual(['people'])
    await expect(own.listRecords({ object: 'people', filter: 'organization.name = x' })).toBeRefused(422)
  })
})

describe('objects and fields', () => {
  test('can be added, used immediately, relabeled and archived', async () => {
    const { api } = await newCompany()
    await api.createObject({ key: 'projects', label: 'Project', label_plural: 'Projects' })
    await api.createField({ object: 'projects', key: 'budget', label: 'Budget', type: 'number' })
    await api.createField({
      object: 'projects',
      key: 'phase',
      label: 'Phase',
      type: 'select',
      options: [{ label: 'Idea' }, { label: 'In work' }],
    })
    await api.createField({
      object: 'projects',
      key: 'customer',
      label: 'Customer',
      type: 'relation',
      to_objects: ['organizations'],
    })
    const { records } = await api.createRecords({
      object: 'projects',
      records: [{ name: 'Moon', budget: 5, phase: 'In work' }],
    })
    expect(records[0]).toMatchObject({ title: 'Moon', phase: 'in_work' })
    expect(
      names(await api.listRecords({ object: 'projects', filter: 'budget > 3 and phase = in_work', sort: ['-budget'] })),
    ).toEqual(['Moon'])
    await expect(api.updateField({ object: 'projects', field: 'phase', options: [{ label: 'Idea' }] })).toBeRefused(409)
    await api.updateField({ object: 'projects', field: 'budget', label: 'Money', is_archived: true })
    expect(await api.getRecord({ object: 'projects', id: records[0]!.id })).not.toHaveProperty('budget')
    await expect(api.createField({ object: 'projects', key: 'owner', label: 'Owner', type: 'text' })).toBeRefused(422)
  })
})

describe('undo', () => {
  test('reverts one change set, and reports what was changed later', async () => {
    const { api } = await newCompany()
    const [ada] = await people(api, { first_name: 'Ada', score: 1, city: 'London' })
    const { change_set_id } = await api.updateRecords({
      object: 'people',
      records: [{ id: ada!.id, values: { score: 2, city: 'Paris' } }],
    })
    await api.updateRecords({ object: 'people', records: [{ id: ada!.id, values: { city: 'Rome' } }] })
    const tried = await api.undoChanges({ change_set_ids: [change_set_id!], dry_run: true })
    expect(tried).toMatchObject({ undone: 1, change_set_id: null })
    const answer = await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect(answer).toMatchObject({ undone: 1, left: [{ record_id: ada!.id, field: 'city' }] })
    expect(await api.getRecord({ object: 'people', id: ada!.id })).toMatchObject({ score: 1, city: 'Rome' })
    const { items } = await api.listChanges({ record_id: ada!.id })
    expect(items[0]).toMatchObject({ undo_of: change_set_id })
  })

  test('of a time window does nothing the second time', async () => {
    const { api } = await newCompany()
    await people(api, { last_name: 'Lovelace' })
    const since = new Date(kith.time.now.getTime() - 1000).toISOString()
    expect((await api.undoChanges({ since })).undone).toBe(1)
    expect(await api.undoChanges({ since })).toMatchObject({ undone: 0, change_set_id: null })
  })

  test('by key reverts everything the key did in a time window, in the right order', async () => {
    const { admin, api } = await newCompany()
    const [kept] = await people(api, { first_name: 'Kept', emails: ['kept@example.com'] })
    const agent = withKey(await given.key(admin))
    kith.time.now = new Date(kith.time.now.getTime() + 1000)
    await people(agent, { first_name: 'Spam' })
    await agent.updateRecords({
      object: 'people',
      records: [{ id: kept!.id, values: { first_name: 'Broken', emails: [] } }],
    })
    await agent.updateRecords({ object: 'people', records: [{ id: kept!.id, values: { first_name: 'Worse' } }] })
    await agent.deleteRecords({ object: 'people', ids: [kept!.id] })
    const answer = await agent.undoChanges({ since: kith.time.now.toISOString() })
    expect(answer).toMatchObject({ undone: 2, left: [] })
    expect(names(await api.listRecords({ object: 'people' }))).toEqual(['Kept'])
    expect(
      await api.getRecords({ object: 'people', by: [{ field: 'emails', value: 'kept@example.com' }] }),
    ).toMatchObject({ records: [{ title: 'Kept' }] })
  })
})
