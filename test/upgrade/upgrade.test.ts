// Every released version's database, upgraded as a user would do it, and then used through the API.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { readDomain } from '../../contract/shared/domains.ts'
import { repeated, secretKey } from '../../scripts/release/story.ts'
import { sealAuditLogs } from '../../server/audit/seal.ts'
import { keyFrom } from '../../server/engine/objects/options.ts'
import { placeOfPassword } from '../../server/mail/queries.ts'
import { migrationsFolder } from '../../server/platform/migrate.ts'
import { sha256 } from '../../server/platform/secrets.ts'
import { type Api, type TestApp, testApp } from '../app.ts'
import { waitForProcesses } from '../patience.ts'
import { hasRows, isBefore, lastDay, loadRelease, migrationsOf, type Old, releases, upgrade } from './released.ts'
import { type Before, everyPage, plain, readBefore } from './stored-rows.ts'

waitForProcesses()

test.each(releases)('the migrations of %s are as they were released', (version) => {
  for (const { name, checksum } of migrationsOf(version)) {
    const text = readFileSync(join(migrationsFolder, name), 'utf8')
    const advice = `${name} is released: restore it and put the change into a new migration`
    expect(sha256(text).toString('hex'), advice).toBe(checksum)
  }
})

/** Fields that have a value since the upgrade. */
const added = new Set(['stage_entered_at'])
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
/** Countries were plain text in 0.1.0; those that are known became codes. */
const codes: Record<string, string> = { Germany: 'DE', Austria: 'AT', Österreich: 'AT' }
/** Texts of deals that are choices now. */
const choices = new Set(['lost_reason', 'source'])
const asNow = (object: string, key: string, value: unknown) => {
  if (object === 'deals' && choices.has(key) && typeof value === 'string') return keyFrom(value, 0)
  if (key === 'domains') return (value as string[] | undefined)?.map(readDomain)
  return key === 'country' ? (codes[String(value)] ?? value) : value
}

/** What was called a deal line is a line item now. */
const renamed = (text: unknown) =>
  String(text).replace('Deal line', 'Line item').replace('Untitled deal line', 'Untitled line item')

/** More lost reasons and sources than a choice can have options, and a view about both, in the company beside. */
const addLostDeals = async ({ ownerPool }: Old) => {
  await ownerPool.query(`with texts as (
      select 'Reason ' || n as reason, 'Fair ' || n as source from generate_series(1, 205) n
      union all values ('Too expensive', 'Website'), ('Too expensive', 'website'), ('too expensive', 'Ads'))
    insert into records select (jsonb_populate_record(r, jsonb_build_object('company_id', o.company_id, 'id', gen_random_uuid(),
      'object_id', o.id, 'owner_id', null, 'created_by', null,
      'values', jsonb_build_object('name', 'Lost', 'stage', 'lost', 'lost_reason', t.reason, 'source', t.source)))).*
    from records r, objects o, texts t
    where r.title = 'Archive' and o.key = 'deals' and o.company_id <> r.company_id`)
  await ownerPool.query(`insert into views select (jsonb_populate_record(v, jsonb_build_object('company_id', o.company_id,
      'id', gen_random_uuid(), 'object_id', o.id, 'owner_id', u.id, 'name', 'Losses',
      'filter', 'lost_reason = "TOO expensive" and source ~ "web"'))).*
    from views v, objects o join users u on u.company_id = o.company_id
    where v.name = 'Open' and o.key = 'deals' and o.company_id <> v.company_id`)
}

/** As older versions stored what people copied from the address bar: as plain text, unlike the domain itself. */
const copied = 'https://www.Nordwerft.example/about'
const enterAddress = (old: Old) =>
  old.ownerPool.query(
    `with changed as (
      update records set values = jsonb_insert(values, '{domains,-1}', to_jsonb($1::text), true),
        match = jsonb_insert(match, '{domains,-1}', to_jsonb(lower($1)), true)
      where title = 'Südbau AG' returning company_id, id)
    insert into unique_values (company_id, field_id, key, record_id)
    select c.company_id, f.id, lower($1), c.id from changed c join fields f on f.company_id = c.company_id and f.key = 'domains'`,
    [copied],
  )

describe.each(releases)('a company on %s, upgraded,', (version) => {
  const hasPlainDomains = isBefore(version, '0059_domains.sql')
  const hasTexts = isBefore(version, '0061_choices.sql')
  /** Fields whose options are in other tables. */
  const isFromPipelines = new Set(hasRows(version, 'pipelines') ? ['pipeline', 'stage'] : [])
  let old: Old
  let before: Before
  let kith: TestApp
  let api: Api
  beforeAll(async () => {
    old = await loadRelease(version)
    if (hasPlainDomains) await enterAddress(old)
    if (hasTexts) await addLostDeals(old)
    before = await readBefore(old)
    await upgrade(old)
    kith = await testApp({ database: { ...old, connection: old.app }, secret: secretKey })
    kith.time.now = lastDay
    api = kith.withKey(old.access.key)
  })

  async function signIn({ email, password }: { email: string; password: string }) {
    const headers = { 'content-type': 'application/json' }
    return kith.send('/app/api/session', { method: 'POST', headers, body: JSON.stringify({ email, password }) })
  }

  async function session() {
    const answer = await signIn(old.access)
    expect(answer.status).toBe(201)
    const cookies = answer.headers.getSetCookie().join()
    return kith.withSession(/kith_session=([^;]+)/.exec(cookies)![1]!)
  }

  const idOf = (title: string) => before.records.find((record) => record.title === title)!.id
  const read = async (object: string, title: string) => api.getRecord({ object, id: idOf(title) })
  const matches = async (object: string, filter: string) =>
    (await api.queryRecords({ object, filter, sort: ['title'], limit: 100 })).records.map(({ title }) => title)

  test('keeps its company, users, roles and keys', async () => {
    expect(await api.getCompany({})).toMatchObject({ ...before.company, rates: [{ currency: 'USD', rate: 0.9 }] })
    const users = await everyPage((cursor) => api.listUsers({ cursor, state: 'all' }))
    expect(users.map(({ id, name, email, role }) => ({ id, name, email, role })).sort(byId)).toEqual(before.users)
    const { items: roles } = await api.listRoles({})
    for (const role of before.roles) expect(roles).toContainEqual(expect.objectContaining(role))
    const keys = await everyPage(async (cursor) => (await session()).listCompanyApiKeys({ cursor }))
    expect(keys.map(({ id, name, user_id }) => ({ id, name, user_id })).sort(byId)).toEqual(before.keys)
  })

  test('keeps its objects and fields', async () => {
    const { objects } = await api.describeSchema({ include_archived: true })
    for (const { fields, ...object } of before.objects) {
      const now = objects.find(({ key }) => key === object.key)
      const [label, label_plural] = [renamed(object.label), renamed(object.label_plural)]
      expect(now).toMatchObject({ ...object, label, label_plural })
      for (const { options, ...field } of fields) {
        const isChoice = object.key === 'deals' && (choices.has(field.key) || isFromPipelines.has(field.key))
        const found = now!.fields.find(({ key }) => key === field.key)
        expect(found).toMatchObject(isChoice ? field : { ...field, options })
      }
    }
  })

  test('keeps every record with every value, in the trash too', async () => {
    const { objects } = await api.describeSchema({ include_archived: true })
    for (const object of objects.filter((one) => !one.is_archived)) {
      for (const deleted of [false, true]) {
        const { records } = await api.listRecords({ object: object.key, is_deleted: deleted, limit: 100 })
        const stored = before.records.filter((one) => one.object === object.key && one.is_deleted === deleted)
        expect(records.map(({ id }) => id).sort()).toEqual(stored.map(({ id }) => id))
        for (const { values, is_deleted: _, object: key, ...row } of stored) {
          const now = records.find(({ id }) => id === row.id)!
          expect(now, `${key} ${row.title}`).toMatchObject({ ...row, title: renamed(row.title) })
          for (const field of object.fields.filter((one) => !one.is_archived && !added.has(one.key)))
            expect(plain(now[field.key]) ?? null, `${field.key} of ${row.title}`).toEqual(
              asNow(key, field.key, values[field.key]) ?? null,
            )
        }
      }
    }
  })

  test.runIf(!hasRows(version, 'pipelines'))('has the stages of its deals as a pipeline', async () => {
    const { items: pipelines } = await api.listPipelines({})
    expect(pipelines).toMatchObject([{ key: 'sales', name: 'Sales', asks_lost_reason: false }])
    expect(pipelines[0]!.stages.map(({ key, kind, probability }) => [key, kind, probability])).toEqual([
      ['qualified', 'open', null],
      ['proposal', 'open', null],
      ['negotiation', 'open', null],
      ['won', 'won', 100],
      ['lost', 'lost', 0],
    ])
  })

  test('knows since when each deal is in its stage', async () => {
    const { records } = await api.listRecords({ object: 'deals', limit: 100 })
    for (const { id, stage, stage_entered_at } of records) {
      const { items } = await api.listDealStages({ id })
      expect(items.at(-1)).toMatchObject({ stage, entered_at: stage_entered_at, left_at: null })
    }
    const { items } = await api.listDealStages({ id: idOf('Fleet renewal') })
    expect(items.map(({ stage }) => stage)).toEqual(['qualified', 'won'])
    expect(items[1]).toMatchObject({ user_id: expect.any(String), change_set_id: expect.any(String) })
  })

  test.runIf(hasTexts)(
    'has options for the lost reasons and sources of deals, the rarest in the history, and filters that still find them',
    async () => {
      const other = kith.withKey(old.access.neighbor.key)
      const { objects } = await other.describeSchema({ objects: ['deals'] })
      const count = async (filter: string) => (await other.countRecords({ object: 'deals', filter })).count
      for (const [key, first, some, rare] of [
        ['lost_reason', { key: 'too_expensive', label: 'Too expensive' }, 3, /^Reason \d+$/],
        ['source', { key: 'website', label: 'Website' }, 2, /^(Fair \d+|Ads)$/],
      ] as const) {
        const options = objects[0]!.fields.find((field) => field.key === key)!.options!
        expect(options).toHaveLength(200)
        expect(options[0]).toMatchObject(first)
        expect(await count(`${key} = "${first.label.toLowerCase()}"`)).toBe(some)
        expect(await count(`${key} = Other`)).toBe(key === 'source' ? 8 : 7)
        const { records } = await other.queryRecords({ object: 'deals', filter: `${key} = Other`, limit: 1 })
        const { items } = await other.listChanges({ record_id: records[0]!.id, limit: 1 })
        expect(items[0]!.changes[0]!.fields).toMatchObject({
          [key]: { from: expect.stringMatching(rare), to: 'other' },
        })
      }
      const view = (await other.listViews({})).items.find(({ name }) => name === 'Losses')!
      expect(view).toMatchObject({ filter: 'lost_reason = too_expensive and source = website', filter_error: null })
      expect(await count(view.filter!)).toBe(2)
    },
  )

  test('keeps the values in archived fields and objects', async () => {
    await api.updateField({ object: 'projects', field: 'old_text', is_archived: false })
    await api.updateObject({ object: 'past_events', is_archived: false })
    expect(await read('projects', 'Every type')).toMatchObject({ old_text: 'kept though archived' })
    expect(await read('past_events', 'Opening')).toMatchObject({ name: 'Opening' })
  })

  test('keeps its views, and their filters are understood', async () => {
    /** Those that everyone has may be empty. */
    const made = new Set(['German accounts', 'Open', 'Mine', 'Renewal board', 'My calendar'])
    const member = kith.withKey(old.access.member_key)
    const all = [...(await api.listViews({})).items, ...(await member.listViews({})).items]
    for (const view of before.views) {
      // Filters are kept with keys and ids since 0.3.
      const { filter: _, ...others } = view
      const now = all.find(({ id }) => id === view.id)
      expect(now).toMatchObject({ ...others, filter_error: null })
      const { object, filter, sort } = now as { object: string; filter: string | null; sort: string[] }
      const { records } = await member.queryRecords({ object, sort, ...(filter && { filter }) })
      if (made.has(String(view.name))) expect(records.length, `records of the view ${view.name}`).toBeGreaterThan(0)
    }
  })

  test('keeps its changes, audit log and notifications', async () => {
    const sets = await everyPage((cursor) => api.listChanges({ cursor, limit: 100, max_changes: 1000 }))
    for (const set of before.changes) {
      const now = sets.find(({ id }) => id === set.id)!
      expect({ ...now, changes: plain(now.changes) }).toMatchObject(set)
    }
    const events = await everyPage((cursor) => api.listAuditEvents({ cursor, limit: 100 }))
    for (const event of before.audit) expect(events).toContainEqual(expect.objectContaining(event))
    const told = await everyPage((cursor) => api.listNotifications({ cursor, limit: 100 }))
    for (const one of before.notifications) expect(told).toContainEqual(expect.objectContaining(one))
  })

  test('lets everyone sign in as before, and keeps companies separate', async () => {
    const { two_factor, password, agent_key, neighbor } = old.access
    const step = await (await signIn({ email: two_factor.email, password })).json()
    const code = new TOTP({ secret: two_factor.secret }).generate({ timestamp: lastDay.getTime() })
    const entered = await kith.visitor.completeSignIn({ step_token: step.step_token, code })
    expect(entered).toMatchObject({ state: 'signed_in', me: { name: 'Grace Hopper' } })
    expect(await kith.withSession(old.access.session).getSession({})).toMatchObject({ state: 'signed_in' })
    const invited = { token: old.access.invitation, name: 'Ines', password: 'another horse battery' }
    await kith.visitor.acceptInvitation(invited)
    const joined = await signIn({ email: 'ines@acme.example', password: invited.password })
    expect(await joined.json()).toMatchObject({ me: { email: 'ines@acme.example' } })
    expect(await kith.withKey(agent_key).whoami({})).toMatchObject({ name: 'Scout', role: 'Researcher' })
    const other = kith.withKey(neighbor.key)
    const { records } = await other.listRecords({ object: 'people' })
    expect(records).toMatchObject([{ first_name: 'Zora', emails: ['maria@example.com'] }])
    await expect(other.getRecord({ object: 'people', id: idOf('Maria Müller') })).toBeRefused(404)
  })

  test('answers a repeated request as before', async () => {
    const headers = {
      'content-type': 'application/json',
      'x-api-key': old.access.key,
      'idempotency-key': repeated.key,
    }
    const init = { method: 'POST', headers, body: JSON.stringify(repeated.body) }
    const answer = await kith.send(`/api/v1${repeated.path}`, init)
    expect(await answer.json()).toMatchObject({ records: [{ id: idOf('Order 4711') }] })
  })

  test('can still decrypt the mail password', async () => {
    const { rows } = await old.ownerPool.query('select company_id, password from mail_settings')
    expect(kith.services.vault.open(rows[0].password, placeOfPassword(rows[0].company_id))).toBe('a mail password')
  })

  test('undoes a change of people and an organization from before the upgrade', async () => {
    const undo = async (title: string) => {
      const [set] = (await api.listChanges({ record_id: idOf(title), client: 'claude-code', limit: 1 })).items
      return api.undoChanges({ change_set_ids: [set!.id] })
    }
    expect(await undo('Łukasz Żak')).toMatchObject({ undone: 2, left: [] })
    const maria = await read('people', 'Maria Müller')
    expect(maria).toMatchObject({ status: 'active', emails: ['maria@example.com', 'mm@example.com'] })
    expect(maria).not.toHaveProperty('do_not_contact')
    expect(await read('people', 'Łukasz Żak')).toMatchObject({ status: 'customer', emails: ['lukasz@example.com'] })
    expect(await undo('Nordwerft')).toMatchObject({ undone: 1, left: [] })
    const nordwerft = await read('organizations', 'Nordwerft')
    expect(nordwerft).toMatchObject({ country: 'DE', size: 40 })
    expect(nordwerft).not.toHaveProperty('parent')
  })

  test('can sort, filter and search old records in new ways', async () => {
    const { records } = await api.queryRecords({ object: 'people', sort: ['organization', 'title'] })
    const titles = records.map(({ title }) => title)
    expect(titles.indexOf('Maria Müller')).toBeLessThan(titles.indexOf('Søren Øre'))
    expect(await matches('people', 'last_name = zak')).toEqual(['Łukasz Żak'])
    expect(await matches('people', 'last_name = ore')).toEqual(['Søren Øre'])
    expect(await matches('people', 'quiet for 14d')).not.toContain('Zoé 李')
    expect(await matches('people', 'quiet for 14d')).toContain('Łukasz Żak')
    expect(await matches('people', 'last_activity_at >= 2026-04-28')).toContain('Zoé 李')
    expect(await matches('organizations', 'country = Schweiz or country = Austria')).toContain('Čapek')
    expect(await matches('deals', 'amount > 800')).toEqual(['Fleet renewal', 'Pilot'])
    const found = await api.searchRecords({ q: 'lukasz' })
    expect(found.items.map(({ title }) => title)).toContain('Łukasz Żak')
  })

  test.runIf(hasPlainDomains)(
    'keeps organizations that now share a domain, names them to Admins, and lets both be edited',
    async () => {
      const [nordwerft, suedbau] = [idOf('Nordwerft'), idOf('Südbau AG')]
      const shared = { object: 'organizations', field: 'domains', value: 'nordwerft.example' }
      expect((await api.listSharedValues({})).items).toMatchObject([shared])
      expect((await api.listSharedValues({})).items[0]!.records.map(({ id }) => id).sort()).toEqual(
        [nordwerft, suedbau].sort(),
      )
      for (const id of [nordwerft, suedbau])
        for (const dry_run of [true, false])
          await api.updateRecords({ object: 'organizations', records: [{ id, values: { city: 'Oslo' } }], dry_run })
      const third = { name: 'Third', domains: ['www.nordwerft.example'] }
      await expect(api.createRecords({ object: 'organizations', records: [third] })).toBeRefused(409)
      expect(await matches('organizations', `domains = "${copied}"`)).toEqual(['Nordwerft', 'Südbau AG'])
      const domains = { remove: [copied] }
      await api.updateRecords({ object: 'organizations', records: [{ id: suedbau, values: { domains } }] })
      expect((await api.listSharedValues({})).items).toEqual([])
      const by = [{ field: 'domains', value: copied }]
      expect((await api.getRecords({ object: 'organizations', by })).records).toMatchObject([{ id: nordwerft }])
    },
  )

  test('refuses a unique value of another old record', async () => {
    const twin = { last_name: 'Twin', emails: ['ZOE@example.com'] }
    await expect(api.createRecords({ object: 'people', records: [twin] })).toBeRefused(409)
  })

  test('seals its audit log, which is then verified', async () => {
    await sealAuditLogs(old.ownerDb, kith.time.now, pino({ level: 'silent' }))
    const verified = await api.verifyAuditLog({})
    expect(verified).toMatchObject({ ok: true, problems: [] })
    expect(verified.sealed).toBeGreaterThanOrEqual(before.audit.length)
  })
})
