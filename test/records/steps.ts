// Random writes, each one call over the API: what it is about is chosen among the records that are there.
import fc from 'fast-check'
import { ApiError } from '../../web/client/api.ts'
import type { Api, TestApp } from '../app.ts'

export async function companyToWrite({ given, withKey }: TestApp) {
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

export type Kind = 'people' | 'organizations' | 'deals'
const nothing = { freq: 4, nil: null }
const places = fc.nat(9)
const text = fc.constantFrom('Ada', 'Zoë', ' x ', 'a\tb', '  ')
/** Relations hold places among the records that are there; `filled` puts ids in. */
export const valuesOf: Record<Kind, fc.Arbitrary<Record<string, unknown>>> = {
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
export const kinds: Kind[] = ['people', 'organizations', 'deals']
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

export type Step = {
  kind: Kind
  act: 'create' | 'update' | 'upsert' | 'delete' | 'restore' | 'link' | 'unlink' | 'swap' | 'merge'
  at: number[]
  values: Record<string, unknown>[]
}
export const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom(...kinds, 'people' as const),
    fc.constantFrom<Step['act']>(
      'create',
      'update',
      'update',
      'upsert',
      'delete',
      'restore',
      'link',
      'unlink',
      'swap',
      'merge',
    ),
  )
  .chain(([kind, act]) =>
    fc.record({
      kind: fc.constant(kind),
      act: fc.constant(act),
      at: fc.uniqueArray(places, { minLength: 1, maxLength: 3 }),
      values: fc.array(valuesOf[kind], { minLength: 1, maxLength: 3 }),
    }),
  )

/** The ids of a company's records, old ones first. */
async function idsIn({ pool }: TestApp, company_id: string, isDeleted: boolean) {
  const { rows } = await pool.query<{ id: string; key: Kind }>(
    `select r.id, o.key from records r join objects o on o.company_id = r.company_id and o.id = r.object_id
      where r.company_id = $1 and (r.deleted_at is not null) = $2 order by r.id`,
    [company_id, isDeleted],
  )
  return Object.fromEntries(
    kinds.map((kind) => [kind, rows.filter(({ key }) => key === kind).map(({ id }) => id)]),
  ) as Record<Kind, string[]>
}

type Writer = { api: Api; company_id: string }
/** What a refusal may be here; anything else is a fault of ours. */
const mayBeRefused = new Set([404, 409, 422])

/** The change set of this step, or nothing where it was refused or changed nothing. */
export const take = (kith: TestApp, writer: Writer, step: Step) =>
  attempt(kith, writer, step).then(
    ({ change_set_id }) => change_set_id,
    (error) => {
      if (error instanceof ApiError && mayBeRefused.has(error.problem.status)) return null
      throw error
    },
  )

async function attempt(kith: TestApp, { api, company_id }: Writer, { kind: object, act, at, values }: Step) {
  const ids = await idsIn(kith, company_id, false)
  const own = act === 'restore' ? (await idsIn(kith, company_id, true))[object] : ids[object]
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
  if (act === 'merge')
    return chosen.length > 1
      ? api.mergeRecords({ object, id: chosen[0]!, merge: chosen.slice(1) })
      : { change_set_id: null }
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
