// Users and records that a call names: all of them looked up together, by indexes, as far as the caller may know of them.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { type Sent, statementsOf } from '../../../test/statements.ts'

const kith = await testApp({ own: true })
const { given, pool, withKey, withSession } = kith
const statements = statementsOf(kith.pools.work)
// As right after a load, before PostgreSQL has looked at what was loaded.
for (const table of ['records', 'unique_values', 'users'])
  await sql`alter table ${sql.ref(table)} set (autovacuum_enabled = false)`.execute(kith.ownerDb)

const newCompany = async () => {
  const admin = await given.company()
  return { admin, api: withKey(await given.key(admin)) }
}
const add = async (api: Api, object: string, ...records: Record<string, unknown>[]) =>
  (await api.createRecords({ object, records })).records.map(({ id }) => id)
const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error) => error.problem,
  )
const lookUps = (sent: Sent[]) => sent.filter(({ text }) => /^select w\.n/.test(text))

/** How each scan of a statement finds its rows. */
async function scansOf({ text, values }: Sent) {
  const { rows } = await pool.query(`explain (format json) ${text}`, values)
  const scans: string[] = []
  const visit = (node: Record<string, unknown>) => {
    if (node['Relation Name']) scans.push(String(node['Index Name'] ?? node['Node Type']))
    for (const inner of (node.Plans ?? []) as Record<string, unknown>[]) visit(inner)
  }
  visit(rows[0]['QUERY PLAN'][0].Plan)
  return [...new Set(scans)].toSorted()
}

const namesOf = (count: number) => Array.from({ length: count }, (_, i) => `Organization ${i}`)

async function withOrganizations(api: Api, count: number) {
  for (let from = 0; from < count; from += 100)
    await add(
      api,
      'organizations',
      ...namesOf(count)
        .slice(from, from + 100)
        .map((name) => ({ name })),
    )
}

describe('names in one call', () => {
  test('of a hundred records are looked up in one query by index, even in a table without statistics', async () => {
    const { api } = await newCompany()
    await withOrganizations(api, 1000)
    const people = namesOf(100).map((organization, i) => ({ first_name: `P${i}`, organization, owner: 'Ada Admin' }))
    const sent = lookUps(await statements.during(() => api.createRecords({ object: 'people', records: people })))
    expect(sent).toHaveLength(2)
    const scans = await Promise.all(sent.map(scansOf))
    expect(new Set(scans.flat())).toEqual(
      new Set(['records_by_folded_title', 'records_pkey', 'unique_values_pkey', 'users_by_name', 'users_by_email']),
    )
    expect(await api.countRecords({ object: 'people', filter: 'organization = "organization 7"' })).toMatchObject({
      count: 1,
    })
  })

  test('that can be of any object are looked up the same way', async () => {
    const { api } = await newCompany()
    const [acme] = await add(api, 'organizations', { name: 'Acme', domains: ['acme.com'] })
    const [ada] = await add(api, 'people', { first_name: 'Ada', last_name: 'Byron', emails: ['ada@acme.com'] })
    const notes = [
      { body: 'x', about: ['Acme', 'ada  BYRON'] },
      { body: 'y', about: ['acme.com', 'Ada@acme.com'] },
    ]
    const sent = await statements.during(() => api.createRecords({ object: 'notes', records: notes }))
    expect(lookUps(sent)).toHaveLength(1)
    expect(await scansOf(lookUps(sent)[0]!)).not.toContain('Seq Scan')
    const { records } = await api.listRecords({ object: 'notes', fields: ['about'] })
    for (const { about } of records)
      expect(about).toEqual([
        { object: 'organizations', id: acme, title: 'Acme' },
        { object: 'people', id: ada, title: 'Ada Byron' },
      ])
  })

  test('of a filter are looked up in one query', async () => {
    const { api } = await newCompany()
    await withOrganizations(api, 100)
    const filter = `organization in (${namesOf(90)
      .map((name) => `"${name}"`)
      .join(', ')})`
    const sent = await statements.during(() => api.countRecords({ object: 'people', filter }))
    expect(lookUps(sent)).toHaveLength(1)
  })

  test('are limited to two hundred', async () => {
    const { api } = await newCompany()
    const tooMany = { status: 422, detail: expect.stringContaining('more than 200 different users and records') }
    const records = namesOf(201).map((organization) => ({ organization }))
    const deals = [0, 1, 2].map((i) => ({ name: 'D', people: namesOf(300).slice(i * 100, i * 100 + 100) }))
    expect(await problemOf(api.createRecords({ object: 'deals', records: deals }))).toMatchObject(tooMany)
    expect(records).toHaveLength(201)
    const filter = `organization in (${namesOf(201)
      .map((name) => `"${name}"`)
      .join(', ')})`
    expect(await problemOf(api.listRecords({ object: 'people', filter }))).toMatchObject(tooMany)
    const same = Array.from({ length: 100 }, () => ({ organization: 'Nowhere' }))
    expect(await problemOf(api.createRecords({ object: 'people', records: same }))).toMatchObject({
      detail: expect.stringContaining('No record is named Nowhere'),
    })
  })

  test('that are unknown are reported with similar titles of records the caller may read', async () => {
    const { admin, api } = await newCompany()
    await add(api, 'organizations', { name: 'Schönfeld Maschinenbau GmbH' }, { name: 'Zenit' })
    const create = (by: Api) =>
      problemOf(by.createRecords({ object: 'people', records: [{ organization: 'Schonfeld Maschinenbau' }] }))
    const refused = await create(api)
    expect(refused.errors[0]).toMatchObject({
      path: 'records.0.organization',
      message: expect.stringContaining('Did you mean Schönfeld Maschinenbau GmbH'),
    })
    const filtered = await problemOf(api.listRecords({ object: 'people', filter: 'organization = "Schonfelt"' }))
    expect(filtered.errors[0].nearest).toContain('Schönfeld Maschinenbau GmbH')
    await withSession(await given.session(admin)).createRole({
      name: 'Own',
      records: { '*': { ...everything, read: 'own' } },
    })
    const rep = withKey(await given.key(await given.user(admin, { role: 'Own' })))
    expect(JSON.stringify(await create(rep))).not.toContain('GmbH')
  })
})

describe('a user', () => {
  test('can be named by address only by people who manage members, so that others cannot probe addresses', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin, { name: 'Max Member' })
    const member = withKey(await given.key(max))
    const [ada] = await add(api, 'people', { first_name: 'Ada' })
    const own = (owner: string) => ({ object: 'people', records: [{ id: ada!, values: { owner } }] })
    await api.updateRecords(own(max.email.toUpperCase()))
    expect(await api.getRecord({ object: 'people', id: ada! })).toMatchObject({ owner: max.user_id })
    await member.updateRecords(own('ada ADMIN'))
    const [known, unknown] = [admin.email, 'nobody@example.com']
    for (const call of [
      (address: string) => member.updateRecords(own(address)),
      (address: string) => member.listRecords({ object: 'people', filter: `owner = "${address}"` }),
    ]) {
      const [one, other] = [await problemOf(call(known)), await problemOf(call(unknown))]
      const nameless = (problem: { detail: string }, address: string) => problem.detail.replaceAll(address, 'X')
      expect(one.status).toBe(422)
      expect(nameless(one, known).replace(/Did you mean.*?\?/, '')).toBe(
        nameless(other, unknown).replace(/Did you mean.*?\?/, ''),
      )
    }
  })

  test('who is deactivated keeps their records, and gets no new ones', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin, { name: 'Max Member' })
    const [task] = await add(api, 'tasks', { title: 'T', assignee: max.user_id, owner: 'Max Member' })
    await kith.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', max.user_id).execute()
    await api.updateRecords({
      object: 'tasks',
      records: [{ id: task!, values: { assignee: max.user_id, owner: max.user_id, priority: 'high' } }],
    })
    for (const owner of [max.user_id, 'Max Member'])
      expect(await problemOf(api.createRecords({ object: 'people', records: [{ owner }] }))).toMatchObject({
        status: 422,
        errors: [{ path: 'records.0.owner', message: 'Max Member is deactivated. Choose an active user' }],
      })
    expect(await api.countRecords({ object: 'tasks', filter: 'owner = "Max Member"' })).toMatchObject({ count: 1 })
  })
})

describe('before any expensive work', () => {
  test('a record with far more keys than fields is refused, and at most a hundred errors are collected', async () => {
    const { api } = await newCompany()
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`scor${i}`, 1]))
    const many = await problemOf(api.createRecords({ object: 'people', records: [keys(900)] }))
    expect(many.errors).toEqual([{ path: 'records.0', message: expect.stringContaining('far more values') }])
    const records = Array.from({ length: 100 }, () => keys(20))
    const { errors } = await problemOf(api.createRecords({ object: 'people', records }))
    expect(errors).toHaveLength(100)
    const helped = errors.filter(({ message }: { message: string }) => message.includes('Did you mean'))
    expect(helped).toHaveLength(5)
  })

  test('a hundred records by unique values take one query for the values and one for the records', async () => {
    const { api } = await newCompany()
    const emails = Array.from({ length: 100 }, (_, i) => `p${i}@example.com`)
    await add(api, 'people', ...emails.map((email) => ({ emails: [email] })))
    const by = emails.map((value) => ({ field: 'emails', value: value.toUpperCase() }))
    const sent = await statements.during(async () => {
      expect((await api.getRecords({ object: 'people', by })).records).toHaveLength(100)
    })
    expect(sent.filter(({ text }) => /from (records|unique_values|unnest)/.test(text))).toHaveLength(2)
    const missing = [...by.slice(0, 3), { field: 'emails', value: `${randomUUID()}@example.com` }]
    const partly = await api.getRecords({ object: 'people', by: missing })
    expect(partly.records).toHaveLength(3)
    expect(partly.missing).toEqual([missing[3]!.value])
    expect(await problemOf(api.getRecords({ object: 'people', by: missing.slice(3) }))).toMatchObject({
      status: 404,
      errors: [{ path: 'by.0' }],
    })
  })
})
