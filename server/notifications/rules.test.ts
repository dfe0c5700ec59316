import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { mostSubscriptions } from '../../contract/notification-rules.ts'
import { everything } from '../../contract/shared/access.ts'
import { type Api, testApp } from '../../test/app.ts'
import type { GivenUser } from '../../test/given.ts'
import { testSmtp } from '../../test/smtp.ts'
import { soon, testWorker } from '../../test/worker.ts'

const smtp = await testSmtp()
const kith = await testApp({ smtpUrl: smtp.url, baseUrl: 'http://crm.example.com' })
await testWorker(kith)

const as = async (user: GivenUser) => kith.withSession(await kith.given.session(user))

/** Ada makes rules, Bob changes records. */
async function company() {
  const admin = await kith.given.company()
  const bob = await kith.given.user(admin, { name: 'Bob' })
  return { admin, bob, ada: await as(admin), bobs: await as(bob) }
}

const texts = async (api: Api) => (await api.listNotifications({})).items.map(({ text }) => text)
const told = (api: Api, wanted: string[]) => soon(async () => expect(await texts(api)).toEqual(wanted))
/** Waits until all that was queued is delivered. */
const emptied = (company_id: string) =>
  soon(async () => {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from deliveries where company_id = ${company_id})
        + (select count(*) from outbox where company_id = ${company_id}) as count`.execute(kith.db)
    expect(Number(rows[0]!.count)).toBe(0)
  })

describe('a notification rule', () => {
  test('tells its owner about records that match after the change, with a link', async () => {
    const { ada, bobs } = await company()
    await ada.createNotificationRule({ name: 'Big scores', object: 'people', filter: 'score > 50' })
    const { records } = await bobs.createRecords({
      object: 'people',
      records: [
        { first_name: 'Low', score: 1 },
        { first_name: 'High', score: 99 },
      ],
    })
    await told(ada, ['Big scores: Bob created “High”'])
    expect((await ada.listNotifications({})).items[0]!.link).toBe(`/records/people/${records[1]!.id}`)
    await bobs.updateRecords({ object: 'people', records: [{ id: records[0]!.id, values: { score: 60 } }] })
    await told(ada, ['Big scores: Bob updated “Low”', 'Big scores: Bob created “High”'])
  })

  test('tells of a change to many records once, with their number', async () => {
    const { ada, bobs } = await company()
    await ada.createNotificationRule({ name: 'New people', object: 'people', actions: ['created'] })
    const records = Array.from({ length: 30 }, (_, i) => ({ first_name: `P${i}` }))
    await bobs.createRecords({ object: 'people', records })
    await told(ada, ['New people: Bob created 30 people'])
  })

  test('counts each record of a bulk job once, though the job takes many steps', async () => {
    const { admin, ada, bobs } = await company()
    for (let i = 0; i < 3; i++)
      await bobs.createRecords({
        object: 'people',
        records: Array.from({ length: 100 }, (_, n) => ({ first_name: `P${i}-${n}` })),
      })
    await ada.createNotificationRule({ name: 'Scored', object: 'people', actions: ['updated'], filter: 'score = 7' })
    await bobs.bulkUpdateRecords({ object: 'people', filter: 'first_name ~ P', values: { score: 7 } })
    await told(ada, ['Scored: Bob updated 300 people'])
    await emptied(admin.company_id)
    await told(ada, ['Scored: Bob updated 300 people'])
  })

  test('about certain fields tells of new records only if they have one of them, and says when a field is gone', async () => {
    const { admin, ada, bobs } = await company()
    const rule = await ada.createNotificationRule({ name: 'City', object: 'people', fields: ['city'] })
    expect(rule.fields_error).toBe(null)
    await bobs.createRecords({ object: 'people', records: [{ first_name: 'Nowhere' }] })
    await bobs.createRecords({ object: 'people', records: [{ first_name: 'Roman', city: 'Rome' }] })
    await told(ada, ['City: Bob created “Roman”'])
    await emptied(admin.company_id)
    await told(ada, ['City: Bob created “Roman”'])
    await ada.updateField({ object: 'people', field: 'city', is_archived: true } as never)
    const { items } = await ada.listNotificationRules({})
    expect(items).toMatchObject([{ fields_error: expect.stringMatching(/city.*archived/), filter_error: null }])
  })

  test('can be limited to updates of certain fields, and to records that start to match', async () => {
    const { admin, ada, bobs } = await company()
    await ada.createNotificationRule({ name: 'City', object: 'people', actions: ['updated'], fields: ['city'] })
    await ada.createNotificationRule({
      name: 'Became big',
      object: 'people',
      actions: ['updated'],
      filter: 'score > 50',
      only_new_matches: true,
    })
    const { records } = await bobs.createRecords({ object: 'people', records: [{ first_name: 'Eve' }] })
    const { id } = records[0]!
    const set = (values: object) => bobs.updateRecords({ object: 'people', records: [{ id, values: { ...values } }] })
    await set({ score: 40 })
    await set({ score: 60 })
    await set({ score: 70 })
    await set({ city: 'Rome' })
    await emptied(admin.company_id)
    await told(ada, ['City: Bob updated “Eve”', 'Became big: Bob updated “Eve”'])
  })

  test('is silent about own changes unless it asks for anyone, and can be for agents only', async () => {
    const { admin, ada } = await company()
    const make = (made_by: 'others' | 'agents' | 'anyone') =>
      ada.createNotificationRule({ name: made_by, object: 'people', actions: ['created'], made_by })
    for (const made_by of ['others', 'agents', 'anyone'] as const) await make(made_by)
    await ada.createRecords({ object: 'people', records: [{ first_name: 'Web' }] })
    await emptied(admin.company_id)
    await told(ada, ['anyone: Ada Admin created “Web”'])
    const program = kith.withKey(await kith.given.key(admin))
    await program.createRecords({ object: 'people', records: [{ first_name: 'Key' }] })
    await emptied(admin.company_id)
    expect((await texts(ada)).sort()).toEqual([
      'agents: Ada Admin created “Key”',
      'anyone: Ada Admin created “Key”',
      'anyone: Ada Admin created “Web”',
    ])
  })

  test('may go through relations, which are checked as they are when it is delivered', async () => {
    const { admin, ada, bobs } = await company()
    const { records: orgs } = await bobs.createRecords({
      object: 'organizations',
      records: [{ name: 'Big', country: 'DE' }, { name: 'Small' }],
    })
    const rule = { name: 'Germans', object: 'people', filter: 'organization.country = DE' }
    await ada.createNotificationRule(rule)
    await bobs.createRecords({
      object: 'people',
      records: orgs.map(({ id }, i) => ({ first_name: `P${i}`, organization: id })),
    })
    await told(ada, ['Germans: Bob created “P0”'])
    await emptied(admin.company_id)
    await expect(ada.createNotificationRule({ ...rule, only_new_matches: true })).rejects.toMatchObject({
      problem: { errors: [{ path: 'only_new_matches' }] },
    })
  })

  test('tells of deletions, and nothing about records its owner may not read', async () => {
    const { admin, ada, bobs } = await company()
    const own = { ...everything, read: 'own' as const }
    const { name: role } = await ada.createRole({ name: 'Reads own', records: { '*': own } })
    const sam = await kith.given.user(admin, { name: 'Sam', role })
    const sams = await as(sam)
    await sams.createNotificationRule({ name: 'Gone', object: 'people', actions: ['deleted'] })
    const { records } = await bobs.createRecords({
      object: 'people',
      records: [{ first_name: 'His', owner: sam.user_id }, { first_name: 'Hers' }],
    })
    await ada.deleteRecords({ object: 'people', ids: records.map(({ id }) => id) })
    await emptied(admin.company_id)
    const seen = (await texts(sams)).filter((text) => text.startsWith('Gone'))
    expect(seen).toEqual(['Gone: Ada Admin deleted “His”'])
  })

  test('understands days and “me”, by the time of the change and its owner', async () => {
    const { admin, ada, bobs } = await company()
    await ada.createNotificationRule({ name: 'Mine', object: 'people', filter: 'owner = me and created_at = today' })
    await bobs.createRecords({
      object: 'people',
      records: [{ first_name: 'Ours', owner: admin.user_id }, { first_name: 'Theirs' }],
    })
    await soon(async () => expect(await texts(ada)).toContain('Mine: Bob created “Ours”'))
    await emptied(admin.company_id)
    expect((await texts(ada)).filter((text) => text.startsWith('Mine'))).toHaveLength(1)
  })

  test('says why it stopped working, and the field it used says that a rule uses it', async () => {
    const { admin, ada, bobs } = await company()
    const { object, key } = { object: 'people', key: 'shoe_size' }
    await ada.createField({ object, key, label: 'Shoe size', type: 'number' })
    const { id } = await ada.createNotificationRule({ name: 'Feet', object, filter: 'shoe_size > 40' })
    expect(await ada.getFieldDependents({ object, field: key })).toMatchObject({ notification_rules: 1 })
    await ada.updateField({ object, field: key, is_archived: true })
    const { items } = await ada.listNotificationRules({})
    expect(items).toMatchObject([{ id, filter_error: expect.stringContaining('archived') }])
    await bobs.createRecords({ object, records: [{ first_name: 'Any' }] })
    await emptied(admin.company_id)
    expect(await texts(ada)).toEqual([])
    await ada.updateField({ object, field: key, is_archived: false })
    await bobs.createRecords({ object, records: [{ first_name: 'Tall', shoe_size: 47 }] })
    await told(ada, ['Feet: Bob created “Tall”'])
  })

  test('can be changed, paused and deleted by its owner only', async () => {
    const { admin, ada, bobs } = await company()
    const rule = await ada.createNotificationRule({ name: 'A', object: 'people' })
    expect(rule).toMatchObject({ actions: ['created', 'updated'], made_by: 'others', is_active: true, filter: null })
    await expect(bobs.updateNotificationRule({ id: rule.id, name: 'B' })).rejects.toMatchObject({
      problem: { code: 'not_found' },
    })
    const changed = await ada.updateNotificationRule({ id: rule.id, filter: 'score > 5', only_new_matches: true })
    expect(changed).toMatchObject({ filter: 'score > 5', only_new_matches: true, name: 'A' })
    expect(await ada.updateNotificationRule({ id: rule.id, filter: null, only_new_matches: false })).toMatchObject({
      filter: null,
    })
    await ada.updateNotificationRule({ id: rule.id, is_active: false })
    await bobs.createRecords({ object: 'people', records: [{ first_name: 'Eve' }] })
    await emptied(admin.company_id)
    expect(await texts(ada)).toEqual([])
    await ada.deleteNotificationRule({ id: rule.id })
    expect(await ada.listNotificationRules({})).toEqual({ items: [] })
  })

  test('is paused when its owner leaves, and can be turned on by one who comes back', async () => {
    const { admin, ada, bob, bobs } = await company()
    const { id } = await bobs.createNotificationRule({ name: 'All', object: 'people' })
    await ada.deactivateUser({ id: bob.user_id, reassign_to: admin.user_id })
    await ada.createRecords({ object: 'people', records: [{ first_name: 'Eve' }] })
    const { rows } = await sql`select 1 from deliveries where company_id = ${admin.company_id}`.execute(kith.db)
    expect(rows).toEqual([])
    await ada.reactivateUser({ id: bob.user_id })
    const back = await as(bob)
    expect((await back.listNotificationRules({})).items).toMatchObject([{ id, is_active: false }])
    await back.updateNotificationRule({ id, is_active: true })
    await ada.createRecords({ object: 'people', records: [{ first_name: 'Max' }] })
    await soon(async () => expect(await texts(back)).toContain('All: Ada Admin created “Max”'))
  })

  test('is refused with clear errors: unknown fields, bad filters, too many', async () => {
    const { ada } = await company()
    const rule = { name: 'A', object: 'people' }
    await expect(ada.createNotificationRule({ ...rule, fields: ['citty'] })).rejects.toMatchObject({
      problem: { errors: [{ path: 'fields.0', message: expect.stringContaining('city') }] },
    })
    await expect(ada.createNotificationRule({ ...rule, filter: 'scor > 1' })).rejects.toMatchObject({
      problem: { errors: [{ path: 'filter' }] },
    })
    await expect(ada.createNotificationRule({ ...rule, only_new_matches: true })).rejects.toMatchObject({
      problem: { errors: [{ path: 'only_new_matches' }] },
    })
    for (let i = 0; i < mostSubscriptions; i++) await ada.createNotificationRule(rule)
    await expect(ada.createNotificationRule(rule)).toBeRefused(409, 'limit_reached')
  })

  test('sends an email to those who chose it', async () => {
    const { admin, ada, bobs } = await company()
    await ada.updateNotificationChoices({ items: [{ kind: 'record_matched', app: true, email: true }] })
    await ada.createNotificationRule({ name: 'Leads', object: 'leads', actions: ['created'] })
    await bobs.createRecords({ object: 'leads', records: [{ email: 'x@example.com' }] })
    await soon(async () => expect(smtp.mailsTo(admin.email).length).toBe(1))
  })
})
