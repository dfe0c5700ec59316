import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { dump, expectDerived } from '../../../test/records/dump.ts'
import { companyToWrite } from '../../../test/records/steps.ts'

const kith = await testApp()
const { send } = kith
const newCompany = () => companyToWrite(kith)

describe('with concurrent requests', () => {
  test('edits with versions never lose an update', async () => {
    const { api } = await newCompany()
    const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'Counter', score: 0 }] })
    const { id } = records[0]!
    const addOne = async () => {
      for (;;) {
        const { version, score } = await api.getRecord({ object: 'people', id })
        const written = await api
          .updateRecords({ object: 'people', records: [{ id, version, values: { score: (score as number) + 1 } }] })
          .catch((error) => (error.problem?.status === 409 ? undefined : Promise.reject(error)))
        if (written) return
      }
    }
    await Promise.all(Array.from({ length: 20 }, addOne))
    expect(await api.getRecord({ object: 'people', id })).toMatchObject({ score: 20, version: 21 })
  })

  test('edits of different fields and links to different records are all kept', async () => {
    const { api, company_id } = await newCompany()
    const { records } = await api.createRecords({
      object: 'people',
      records: Array.from({ length: 12 }, (_, i) => ({ first_name: `P${i}` })),
    })
    const [first, ...others] = records.map(({ id }) => id)
    const fields = ['last_name', 'job_title', 'city', 'country', 'source']
    await Promise.all([
      ...fields.map((field) =>
        api.updateRecords({ object: 'people', records: [{ id: first!, values: { [field]: 'new' } }] }),
      ),
      ...others.map((id) => api.linkRecords({ object: 'people', id: first!, field: 'friends', to: [id] })),
    ])
    const after = await api.getRecord({ object: 'people', id: first! })
    expect(after).toMatchObject(Object.fromEntries(fields.map((field) => [field, 'new'])))
    expect((after.friends as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(others.toSorted())
    await Promise.all(
      others.map((id) => api.unlinkRecords({ object: 'people', id: first!, field: 'friends', to: [id] })),
    )
    expect(await api.getRecord({ object: 'people', id: first! })).not.toHaveProperty('friends')
    await expectDerived(kith, company_id)
  })

  test('upserts of the same value create one record, and overlapping batches do not fail', async () => {
    const { api, company_id } = await newCompany()
    const upsert = (i: number) =>
      api.upsertRecords({ object: 'people', match_on: 'emails', records: [{ emails: ['same@x.com'], score: i }] })
    await Promise.all(Array.from({ length: 12 }, (_, i) => upsert(i)))
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 1 })
    const { records } = await api.createRecords({
      object: 'people',
      records: [{ first_name: 'A' }, { first_name: 'B' }],
    })
    const [a, b] = records.map(({ id }) => id) as [string, string]
    const both = (ids: string[], i: number) =>
      api.updateRecords({ object: 'people', records: ids.map((id) => ({ id, values: { score: i } })) })
    await Promise.all(Array.from({ length: 12 }, (_, i) => both(i % 2 ? [a, b] : [b, a], i)))
    const [x, y] = await Promise.all([a, b].map((id) => api.getRecord({ object: 'people', id })))
    expect(x!.score).toBe(y!.score)
    await expectDerived(kith, company_id)
  })
})

describe('a batch', () => {
  test('with one invalid item writes nothing, in every operation and at any position', async () => {
    const { api, company_id } = await newCompany()
    const { records } = await api.createRecords({
      object: 'people',
      records: [{ emails: ['one@x.com'] }, { emails: ['two@x.com'] }, { first_name: 'Three' }],
    })
    const ids = records.map(({ id }) => id)
    const bad: Record<string, unknown>[] = [
      { score: 'x' },
      { nonsense: 1 },
      { emails: ['one@x.com'] },
      { organization: randomUUID() },
      { owner: randomUUID() },
      { status: 'unknown' },
      { id: randomUUID() },
      { version: 1 },
    ]
    const everything = async () => {
      const { rows } = await kith.pool.query(
        `select (select count(*) from change_sets where company_id = $1) sets, (select count(*) from changes where company_id = $1) changes,
          (select count(*) from outbox where company_id = $1) events, (select sum(version) from records where company_id = $1) versions`,
        [company_id],
      )
      return { ...(await dump(kith, company_id)), ...rows[0] }
    }
    const before = await everything()
    for (const [i, one] of bad.entries()) {
      const good = Array.from({ length: 4 }, (_, n) => ({ emails: [`good${n}@x.com`] }) as Record<string, unknown>)
      const list = good.with(i % 4, { ...good[i % 4], ...one })
      const refused = async (call: Promise<unknown>) =>
        expect(await call.catch((error) => error.problem.status), JSON.stringify(one)).toBeOneOf([409, 422])
      await refused(api.createRecords({ object: 'people', records: list }))
      const updates = ids.slice(1).map((id, n) => ({ id, values: n === i % 2 ? one : { score: 5 } }))
      await refused(api.updateRecords({ object: 'people', records: updates }))
      if (!('emails' in one)) await refused(api.upsertRecords({ object: 'people', match_on: 'emails', records: list }))
    }
    const stranger = randomUUID()
    await expect(api.deleteRecords({ object: 'people', ids: [ids[0]!, stranger] })).toBeRefused(404)
    await expect(api.restoreRecords({ object: 'people', ids: [ids[0]!] })).toBeRefused(404)
    await expect(
      api.updateRecords({
        object: 'people',
        records: [
          { id: ids[0]!, values: { score: 1 } },
          { id: stranger, values: {} },
        ],
      }),
    ).toBeRefused(404)
    await expect(
      api.linkRecords({ object: 'people', id: ids[0]!, field: 'friends', to: [ids[1]!, stranger] }),
    ).toBeRefused(422)
    expect(await everything()).toEqual(before)
  })
})

describe('an idempotency key', () => {
  const post = (key: string, idempotency: string, body: unknown) =>
    send('/api/v1/records/people', {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotency },
      body: JSON.stringify(body),
    })

  test('returns the first response again, and is refused for another request', async () => {
    const { api, key } = await newCompany()
    const body = { records: [{ first_name: 'Once' }] }
    const [first, again] = [await (await post(key, 'k1', body)).json(), await (await post(key, 'k1', body)).json()]
    expect(again).toEqual(first)
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 1 })
    const other = await post(key, 'k1', { records: [{ first_name: 'Other' }] })
    expect(await other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  })

  test('creates one record for a hundred identical concurrent requests', async () => {
    const { api, key } = await newCompany()
    const body = { records: [{ first_name: 'Once', emails: ['once@x.com'] }] }
    const answers = await Promise.all(Array.from({ length: 100 }, async () => (await post(key, 'same', body)).json()))
    expect(answers[0]).toMatchObject({ records: [{ title: 'Once' }] })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 1 })
  })
})

describe('a refusal', () => {
  test('of a unique value names the record in the batch, and the record that has the value', async () => {
    const { api } = await newCompany()
    const taken = { first_name: 'Holder', emails: ['taken@x.com'] }
    const { records } = await api.createRecords({ object: 'people', records: [taken, { badge: 5 }] })
    const fresh = { emails: ['fresh@x.com'] }
    const wanting = { badge: 9, emails: ['taken@x.com'] }
    for (const [path, call] of [
      ['records.1.emails', () => api.createRecords({ object: 'people', records: [fresh, wanting] })],
      ['records.1.emails', () => api.createRecords({ object: 'people', records: [fresh, wanting], dry_run: true })],
      [
        'records.1.emails',
        () => api.upsertRecords({ object: 'people', match_on: 'badge', records: [{ badge: 5, score: 1 }, wanting] }),
      ],
      [
        'records.0.emails',
        () =>
          api.updateRecords({
            object: 'people',
            records: [{ id: records[1]!.id, values: { emails: ['taken@x.com'] } }],
          }),
      ],
    ] as const) {
      const problem = await call().then(
        () => expect.unreachable(),
        (error) => error.problem,
      )
      expect(problem).toMatchObject({ status: 409, errors: [{ path, code: 'already_used', value: 'taken@x.com' }] })
      expect(problem.detail).toContain(`taken@x.com is already used by Holder (${records[0]!.id})`)
      expect(problem.errors[0].record).toEqual({ object: 'people', id: records[0]!.id, title: 'Holder' })
    }
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 2 })
  })

  test('has the path where the caller named the record: ids, by or to', async () => {
    const { api } = await newCompany()
    const { records } = await api.createRecords({
      object: 'people',
      records: [{ first_name: 'A' }, { first_name: 'B' }],
    })
    const [a, b] = records.map(({ id }) => id) as [string, string]
    const strange = randomUUID()
    const pathOf = (call: Promise<unknown>) => call.catch((error) => error.problem.errors[0].path)
    expect(await pathOf(api.getRecords({ object: 'people', ids: [strange] }))).toBe('ids.0')
    expect(await api.getRecords({ object: 'people', ids: [strange, a] })).toMatchObject({
      records: [{ id: a }],
      missing: [strange],
    })
    expect(await pathOf(api.getRecord({ object: 'people', id: strange }))).toBe('id')
    const link = (to: string[]) => api.linkRecords({ object: 'people', id: a, field: 'friends', to })
    expect(await pathOf(link([b, strange]))).toBe('to.1')
    await link([b])
    expect(await pathOf(link([strange]))).toBe('to.0')
  })

  test('of an archived field or object says that it is archived', async () => {
    const { api } = await newCompany()
    await api.updateField({ object: 'people', field: 'badge', is_archived: true })
    await api.createObject({ key: 'projects', label: 'Project', label_plural: 'Projects' })
    await api.updateObject({ object: 'projects', is_archived: true })
    const detailOf = (call: Promise<unknown>) =>
      call.then(
        () => 'taken',
        (error) => error.problem.detail,
      )
    for (const call of [
      () => api.createRecords({ object: 'people', records: [{ badge: 1 }] }),
      () => api.listRecords({ object: 'people', filter: 'badge = 1' }),
      () => api.listRecords({ object: 'people', sort: ['badge'] }),
      () => api.listRecords({ object: 'people', fields: ['badge'] }),
      () => api.listRecords({ object: 'projects' }),
    ])
      expect(await detailOf(call())).toMatch(/(badge|projects).* is archived\. An Admin can /)
  })
})
