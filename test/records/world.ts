// A company with a field of every kind, some with a typed column and some without, and some sixty random records.
import fc from 'fast-check'
import type { FieldType } from '../../contract/built-in/field-types.ts'
import type { Situation } from '../../contract/filter/index.ts'
import type { Api, TestApp } from '../app.ts'
import { countries, days, moments, word } from '../filter/trees.ts'
import type { GivenUser } from '../given.ts'
import type { Kept, World } from './fits.ts'
import { type Scope, type ScopeField, scopeFrom, targetsOf } from './scope.ts'
import { phones } from './trees.ts'

export const now = new Date('2026-06-17T10:30:00Z')
export type Place = { zone: string; firstWeekday: Situation['firstWeekday']; seed: number }

export async function givenWorld(kith: TestApp, place: Place) {
  const { given, withKey, time } = kith
  const admin = await given.company()
  const users = [admin, await given.user(admin, { name: 'Rep One' }), await given.user(admin, { name: 'Rep Two' })]
  const api = withKey(await given.key(admin))
  await api.updateCompany({
    currency: 'EUR',
    rates: [{ currency: 'USD', rate: 2 }],
    time_zone: place.zone,
    first_weekday: place.firstWeekday,
  })
  await addFields(api)
  const scope = scopeFrom((await api.describeSchema({})).objects)
  const records = await addRecords(kith, api, scope, users, place.seed)
  await readActivity(kith, records)
  time.now = now
  const here: Situation = { now, timeZone: place.zone, firstWeekday: place.firstWeekday, me: admin.user_id }
  const world: World = { scope, records, here }
  return { admin, users, api, world }
}

const choices = { options: [{ label: 'One' }, { label: 'Two' }, { label: 'Three' }] }
const tagged = { options: [{ label: 'vip' }, { label: 'partner' }, { label: 'press' }] }

type More = Partial<Parameters<Api['createField']>[0]>

async function addFields(api: Api) {
  await api.createObject({ key: 'projects', label: 'Project', label_plural: 'Projects' })
  for (const object of ['people', 'organizations', 'deals']) await api.updateField({ object, field: 'tags', ...tagged })
  const add = (object: string, key: string, type: FieldType, more: More = {}) =>
    api.createField({ object, key, label: key, type, ...more })
  const slotted = async (prefix: string) => {
    for (const type of ['number', 'money', 'boolean', 'date', 'datetime', 'user'] as const)
      await add('people', `${prefix}_${type}`, type)
    await add('people', `${prefix}_select`, 'select', choices)
  }
  await slotted('c')
  for (let i = 0; i < 9; i++) await add('people', `filler_n${i}`, 'number')
  for (let i = 0; i < 11; i++) await add('people', `filler_s${i}`, 'date')
  await slotted('d')
  for (const type of ['text', 'long_text', 'url', 'email', 'phone', 'country'] as const)
    await add('people', `c_${type}`, type)
  await add('people', 'c_texts', 'text', { is_multi: true })
  await add('people', 'c_urls', 'url', { is_multi: true })
  await add('people', 'c_multi', 'multi_select', choices)
  await add('people', 'c_two', 'relation', { to_objects: ['people', 'organizations'] })
  await add('projects', 'goal', 'relation', { to_objects: ['organizations', 'deals'] })
  await add('projects', 'anything', 'relation', { to_objects: [] })
  await add('projects', 'parts', 'relation', { to_objects: ['deals', 'people', 'organizations'], is_multi: true })
}

const sizes = { organizations: 12, people: 22, deals: 14, tasks: 10, projects: 8 }

async function addRecords({ time }: TestApp, api: Api, scope: Scope, users: GivenUser[], seed: number) {
  const records: Kept[] = []
  const people = users.map(({ user_id }) => user_id)
  for (const [object, size] of Object.entries(sizes)) {
    for (const half of [0, 1]) {
      time.now = new Date(pick(moments, seed + half + size))
      const inputs = fc.sample(recordOf(scope, object, records, people), {
        seed: seed + half + size,
        numRuns: size / 2,
      })
      const drafts = inputs.map((input, i) => distinct(input, records.length + i))
      const made = await api.createRecords({ object, records: drafts })
      for (const [i, { id }] of made.records.entries()) {
        const values = {
          ...drafts[i],
          ...derived(object, drafts[i]!, time.now),
          id,
          created_at: time.now.toISOString(),
          created_by: people[0],
        }
        records.push({ id, object, is_deleted: false, values: { ...values, updated_at: time.now.toISOString() } })
      }
    }
  }
  time.now = new Date(pick(moments, seed))
  for (const object of Object.keys(sizes)) {
    const [trashed, touched] = records.filter((one) => one.object === object)
    await api.deleteRecords({ object, ids: [trashed!.id] })
    trashed!.is_deleted = true
    await api.updateRecords({ object, records: [{ id: touched!.id, values: { owner: people[2]! } }] })
    if (touched!.values.owner !== people[2]) touched!.values.updated_at = time.now.toISOString()
    touched!.values.owner = people[2]
  }
  return records
}

/** Finished tasks count as activity of what they are about; when, others test. */
export async function readActivity({ pool }: TestApp, records: Kept[]) {
  const { rows } = await pool.query<{ id: string; last_activity_at: Date }>(
    'select id, last_activity_at from records where last_activity_at is not null',
  )
  const seen = new Map(rows.map(({ id, last_activity_at }) => [id, last_activity_at.toISOString()]))
  for (const { id, values } of records) if (seen.has(id)) values.last_activity_at = seen.get(id)
}

const pick = <T>(arbitrary: fc.Arbitrary<T>, seed: number) => fc.sample(arbitrary, { seed, numRuns: 1 })[0]!

/** Addresses and domains are unique; a number of its own keeps them apart. */
const distinct = (input: Record<string, unknown>, i: number) => {
  const apart = (key: string) => ({ [key]: (input[key] as string[]).map((one) => one.replace('#', String(i))) })
  return { ...input, ...(input.emails ? apart('emails') : {}), ...(input.domains ? apart('domains') : {}) }
}

function derived(object: string, input: Record<string, unknown>, at: Date) {
  const words = [input.first_name, input.last_name].filter(Boolean).join(' ')
  const title = String(input.title ?? input.name ?? words).replaceAll(/ +/g, ' ')
  if (object === 'tasks')
    return {
      title,
      ...(input.status === 'done' && { completed_at: at.toISOString() }),
      ...(input.repeats && input.due_at ? { repeats_from: input.due_at } : {}),
    }
  if (object !== 'deals') return { title }
  const status = input.stage === 'won' || input.stage === 'lost' ? input.stage : 'open'
  const probability = input.probability ?? probabilities[String(input.stage)]
  return { title, status, probability, ...(input.stage ? { stage_entered_at: at.toISOString() } : {}) }
}

const probabilities: Record<string, number> = { qualified: 20, proposal: 45, negotiation: 70, won: 100, lost: 0 }

function recordOf(
  scope: Scope,
  object: string,
  records: Kept[],
  users: string[],
): fc.Arbitrary<Record<string, unknown>> {
  const isEntered = ({ key, type, from }: ScopeField) =>
    !from &&
    // Files are uploaded first.
    type !== 'file' &&
    !untouched.has(key) &&
    !(key === 'title' && object !== 'tasks') &&
    !(key === 'status' && object === 'deals')
  const own = scope[object]!.fields.filter(isEntered)
  const always = ['first_name', 'name', 'title', 'stage', 'pipeline', 'lost_reason']
  const fields = own.map((field) => {
    const value = valueFor(scope, field, records, users)
    return [field.key, always.includes(field.key) ? value : fc.option(value, { freq: 3, nil: null })] as const
  })
  const all = fc.record(Object.fromEntries(fields), { noNullPrototype: true })
  return all.map((input) => {
    const isOpen = object === 'deals' && input.stage !== 'won' && input.stage !== 'lost'
    const closed_at = isOpen ? null : (input.closed_at ?? '2026-06-14T22:00:00.000Z')
    return { ...input, ...(object === 'deals' && { closed_at }) }
  })
}

const untouched = new Set([
  'id',
  'created_at',
  'created_by',
  'updated_at',
  'last_activity_at',
  'completed_at',
  'repeats_from',
  'stage_entered_at',
])
const text = word.map((one) => one.trim())

function valueFor(scope: Scope, field: ScopeField, records: Kept[], users: string[]): fc.Arbitrary<unknown> {
  if (field.key === 'emails' || field.key === 'domains')
    return fc.array(unique(field.key), { minLength: 1, maxLength: 2 }).map(once)
  if (field.multi) return fc.array(oneFor(field), { minLength: 1, maxLength: 3 }).map(once)
  if (field.options) {
    const option = fc.constantFrom(...field.options.map(({ key }) => key))
    return field.type === 'select' ? option : fc.array(option, { minLength: 1, maxLength: 3 }).map(once)
  }
  if (field.type === 'user') return fc.constantFrom(...users)
  if (field.type !== 'relation') return oneFor(field)
  const targets = records.filter((one) => targetsOf(scope, field).includes(one.object)).map(({ id }) => id)
  if (!targets.length) return fc.constant(null)
  const target = fc.constantFrom(...targets)
  return field.many ? fc.array(target, { minLength: 1, maxLength: 4 }).map(once) : target
}

const once = (list: unknown[]) => [...new Set(list)]
const unique = (key: string) =>
  key === 'emails'
    ? fc
        .tuple(fc.constantFrom('a', 'B', 'c'), fc.constantFrom('x.com', 'Y.com'))
        .map(([name, host]) => `${name}#@${host}`)
    : fc.tuple(text, fc.constantFrom('a', 'B')).map(([name, end]) => `${name}#${end}`)

function oneFor({ type }: ScopeField): fc.Arbitrary<unknown> {
  switch (type) {
    case 'number':
      return fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -1.5))
    case 'money':
      return fc.record(
        { amount: fc.integer({ min: -3, max: 3 }).map(String), currency: fc.constantFrom('EUR', 'EUR', 'USD', 'CHF') },
        { noNullPrototype: true },
      )
    case 'country':
      return countries
    case 'boolean':
      return fc.boolean()
    case 'date':
      return days
    case 'datetime':
      return moments
    case 'email':
      return fc.constantFrom('a1@x.com', 'B2@Y.com', 'c3@x.com')
    case 'phone':
      return phones
    case 'url':
      return text.map((one) => `https://a.b/${one}`)
    default:
      return text
  }
}
