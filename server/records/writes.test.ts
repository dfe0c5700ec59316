import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../test/app.ts'
import { asOf, dump, expectDerived } from '../../test/records/dump.ts'
import { ApiError } from '../../web/api.ts'

const kith = await testApp({ rateLimit: { perSecond: 1e6, burst: 1e6 } })
const { given, withKey, send } = kith
const seed = Number(process.env.FC_SEED ?? 20260617)
const sequences = 12

async function newCompany() {
  const admin = await given.company()
  const key = await given.key(admin)
  const api = withKey(key)
  await api.updateField({ object: 'people', field: 'tags', options: [{ label: 'vip' }, { label: 'press' }] })
  await api.createField({ object: 'people', key: 'badge', label: 'Badge', type: 'number', is_unique: true })
  await api.createField({
    object: 'people',
    key: 'friends',
    label: 'Friends',
    type: 'relation',
    to_objects: ['people'],
    is_multi: true,
  })
  return { admin, key, api, company_id: admin.company_id }
}

type Kind = 'people' | 'organizations' | 'deals'
const nothing = { freq: 4, nil: null }
const places = fc.nat(9)
const text = fc.constantFrom('Ada', 'Zoë', ' x ', 'a\tb', '  ')
/** Relations hold places among the records that are there; `filled` puts ids in. */
const valuesOf: Record<Kind, fc.Arbitrary<Record<string, unknown>>> = {
  people: fc.record(
    {
      first_name: fc.option(text, nothing),
      emails: fc.option(
        fc.uniqueArray(
          fc.nat(15).map((i) => `e${i}@x.com`),
          { maxLength: 2 },
        ),
        nothing,
      ),
      badge: fc.option(fc.nat(15), nothing),
      score: fc.option(fc.integer({ min: -2, max: 2 }), nothing),
      birthday: fc.option(fc.constantFrom('2000-02-29', '1999-01-01'), nothing),
      tags: fc.option(fc.subarray(['vip', 'press']), nothing),
      consent: fc.option(fc.boolean(), nothing),
      organization: fc.option(places, nothing),
      friends: fc.option(fc.array(places, { maxLength: 3 }), nothing),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
  organizations: fc.record(
    {
      name: fc.constantFrom('Acme', 'Globex', 'Initech'),
      domains: fc.option(
        fc.uniqueArray(
          fc.nat(11).map((i) => `d${i}.com`),
          { maxLength: 2 },
        ),
        nothing,
      ),
      annual_revenue: fc.option(fc.nat(9), nothing),
      parent: fc.option(places, nothing),
    },
    { requiredKeys: ['name'], noNullPrototype: true },
  ),
  deals: fc.record(
    {
      name: fc.constantFrom('Big', 'Small'),
      stage: fc.option(fc.constantFrom('qualified', 'proposal', 'won', 'lost'), nothing),
      closed_at: fc.option(fc.constant('2026-06-01T00:00:00Z'), nothing),
      amount: fc.option(fc.nat(9), nothing),
      people: fc.option(fc.array(places, { maxLength: 3 }), nothing),
      organization: fc.option(places, nothing),
    },
    { requiredKeys: ['name'], noNullPrototype: true },
  ),
}
const kinds: Kind[] = ['people', 'organizations', 'deals']
const relations: Record<Kind, [field: string, to: Kind][]> = {
  people: [
    ['organization', 'organizations'],
    ['friends', 'people'],
  ],
  organizations: [['parent', 'organizations']],
  deals: [
    ['people', 'people'],
    ['organization', 'organizations'],
  ],
}

type Step = {
  act: 'create' | 'update' | 'upsert' | 'delete' | 'restore' | 'link' | 'unlink' | 'swap'
  at: number[]
  values: Record<string, unknown>[]
}
const step: fc.Arbitrary<Step & { kind: Kind }> = fc
  .tuple(
    fc.constantFrom(...kinds, 'people' as const),
    fc.constantFrom<Step['act']>('create', 'update', 'update', 'upsert', 'delete', 'restore', 'link', 'unlink', 'swap'),
  )
  .chain(([kind, act]) =>
    fc.record({
      kind: fc.constant(kind),
      act: fc.constant(act),
      at: fc.uniqueArray(places, { minLength: 1, maxLength: 3 }),
      values: fc.array(valuesOf[kind], { minLength: 1, maxLength: 3 }),
    }),
  )

const idsOf = async (api: Api, object: Kind, deleted = false) =>
  (await api.listRecords({ object, deleted, limit: 100, sort: ['id'] })).records.map(({ id }) => id)

/** What a refusal may be here; anything else is a fault of ours. */
const mayBeRefused = new Set([404, 409, 422])

async function take(api: Api, { kind: object, act, at, values }: Step & { kind: Kind }) {
  const ids = Object.fromEntries(
    await Promise.all(kinds.map(async (kind) => [kind, await idsOf(api, kind)])),
  ) as Record<Kind, string[]>
  const own = act === 'restore' ? await idsOf(api, object, true) : ids[object]
  const chosen = [...new Set(at.flatMap((i) => own[i % own.length] ?? []))]
  const filled = values.map((one) => {
    const all: Record<string, unknown> = { ...one }
    for (const [field, to] of relations[object]) {
      const idAt = (i: unknown) => ids[to][(i as number) % ids[to].length]
      if (Array.isArray(all[field])) all[field] = all[field].map(idAt)
      else if (typeof all[field] === 'number') all[field] = idAt(all[field])
    }
    return all
  })
  const [field, to] = relations[object][at[0]! % relations[object].length]!
  const targets = [...new Set(at.flatMap((i) => ids[to][i % ids[to].length] ?? []))]
  if (act === 'create') return api.createRecords({ object, records: filled })
  if (act === 'upsert') {
    const match_on = object === 'organizations' ? 'domains' : 'emails'
    return api.upsertRecords({ object, match_on, records: filled })
  }
  if (!chosen.length) return { change_set_id: null }
  if (act === 'delete') return api.deleteRecords({ object, ids: chosen })
  if (act === 'restore') return api.restoreRecords({ object, ids: chosen })
  if (act === 'link') return api.linkRecords({ object, id: chosen[0]!, field, to: targets })
  if (act === 'unlink') return api.unlinkRecords({ object, id: chosen[0]!, field, to: targets })
  const records = chosen.map((id, i) => ({ id, values: filled[i % filled.length]! }))
  if (act === 'update') return api.updateRecords({ object, records })
  const key = object === 'people' ? 'emails' : 'domains'
  if (object === 'deals') return { change_set_id: null }
  const { records: read } = await api.getRecords({ object, ids: chosen })
  const turned = read.map(({ id }, i) => ({ id, values: { [key]: read[(i + 1) % read.length]![key] ?? null } }))
  return api.updateRecords({ object, records: turned })
}

describe('whatever is written', () => {
  test('follows from what was entered, and undone in reverse order everything is as it was', async () => {
    let undone = 0
    const lists = fc.sample(fc.array(step, { minLength: 18, maxLength: 18 }), { seed, numRuns: sequences })
    for (const [i, steps] of lists.entries()) {
      const { api, company_id } = await newCompany()
      for (const object of kinds)
        for (const { ...values } of fc.sample(valuesOf[object], { seed: seed + i, numRuns: 5 }))
          await take(api, { kind: object, act: 'create', at: [0], values: [values] }).catch(allowed)
      await expectDerived(kith, company_id)
      const done: { id: string; before: Awaited<ReturnType<typeof dump>>; what: string }[] = []
      for (const one of steps) {
        const before = await dump(kith, company_id)
        const answer = await take(api, one).catch(allowed)
        const what = JSON.stringify(one)
        if (answer?.change_set_id) done.push({ id: answer.change_set_id, before, what })
        else expect(await dump(kith, company_id), `refused: ${what}`).toEqual(before)
        await expectDerived(kith, company_id)
      }
      undone += done.length
      for (const { id, before, what } of done.reverse()) {
        const { left } = await api.undoChanges({ change_set_ids: [id] })
        expect(left, what).toEqual([])
        expect(asOf(await dump(kith, company_id), before), `undone: ${what}`).toEqual(before)
        await expectDerived(kith, company_id)
      }
    }
    expect(undone).toBeGreaterThan(sequences * 5)
  }, 120_000)

  test('can be undone and that undone in turn', async () => {
    const { api, company_id } = await newCompany()
    const { records } = await api.createRecords({
      object: 'people',
      records: [{ first_name: 'Ada', emails: ['a@x.com'], score: 1 }],
    })
    const { id } = records[0]!
    await api.updateRecords({ object: 'people', records: [{ id, values: { score: 2, emails: ['b@x.com'] } }] })
    const before = await dump(kith, company_id)
    const since = new Date(kith.time.now.getTime() - 1000).toISOString()
    const { change_set_id } = await api.undoChanges({ since })
    expect((await idsOf(api, 'people')).length).toBe(0)
    await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect(await dump(kith, company_id)).toEqual(before)
  })
})

function allowed(error: unknown): undefined {
  if (!(error instanceof ApiError) || !mayBeRefused.has(error.problem.status)) throw error
}

describe('at the same moment', () => {
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

  test('edits of different fields and links to different records all stay', async () => {
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
    expect((after.friends as string[]).toSorted()).toEqual(others.toSorted())
    await Promise.all(
      others.map((id) => api.unlinkRecords({ object: 'people', id: first!, field: 'friends', to: [id] })),
    )
    expect(await api.getRecord({ object: 'people', id: first! })).not.toHaveProperty('friends')
    await expectDerived(kith, company_id)
  })

  test('upserts of the same value make one record, and batches that cross do not fail', async () => {
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
  test('with one bad item writes nothing, whatever the operation and wherever it stands', async () => {
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

  test('gives the first answer again, and is not for another request', async () => {
    const { api, key } = await newCompany()
    const body = { records: [{ first_name: 'Once' }] }
    const [first, again] = [await (await post(key, 'k1', body)).json(), await (await post(key, 'k1', body)).json()]
    expect(again).toEqual(first)
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 1 })
    const other = await post(key, 'k1', { records: [{ first_name: 'Other' }] })
    expect(await other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  })

  test('makes one record of a hundred equal requests at once', async () => {
    const { api, key } = await newCompany()
    const body = { records: [{ first_name: 'Once', emails: ['once@x.com'] }] }
    const answers = await Promise.all(Array.from({ length: 100 }, async () => (await post(key, 'same', body)).json()))
    expect(answers[0]).toMatchObject({ records: [{ title: 'Once' }] })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 1 })
  })
})
