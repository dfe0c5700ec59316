// What becomes of leads: assignment, duplicates, score, first response, conversion, and who may do what.
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Hours, weekdays } from '../../contract/working-hours.ts'
import { testApp } from '../../test/app.ts'
import type { GivenUser } from '../../test/given.ts'
import { rowsRead } from '../../test/rows-read.ts'
import { statementsOf } from '../../test/statements.ts'
import { soon, testWorker } from '../../test/worker.ts'

const kith = await testApp({ own: true })
const worker = await testWorker(kith)
const { given } = kith
let admin: GivenUser
let api: ReturnType<typeof kith.withKey>

beforeEach(async () => {
  admin = await given.company()
  api = kith.withKey(await given.key(admin))
})

type Source = Awaited<ReturnType<typeof api.createLeadSource>>
const newSource = (settings: object = {}): Promise<Source> =>
  api.createLeadSource({ name: 'Website', ...settings } as never)
const settled = (count: number) =>
  soon(async () => {
    const { items } = await api.listLeadSubmissions({ limit: 100 })
    expect(items.filter(({ state }) => state === 'lead' || state === 'failed')).toHaveLength(count)
    return items.reverse()
  })
const leads = async () => (await api.listRecords({ object: 'leads', sort: ['created_at'], limit: 100 })).records
const status = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error) => error.problem.status,
  )

describe('a lead source', () => {
  test('each rule has its own turns, so that everyone gets their share of every rule', async () => {
    const users = await Promise.all(['Ann', 'Bob', 'Cid', 'Dan'].map((name) => given.user(admin, { name })))
    const [ann, bob, cid, dan] = users.map(({ user_id }) => user_id) as [string, string, string, string]
    const source = await newSource({
      assignment: [{ filter: 'campaign = "de"', user_ids: [ann, bob] }, { user_ids: [cid, dan] }],
    })
    const send = (i: number) => {
      const values = { email: `turn${i}@example.com`, campaign: i % 2 ? 'de' : 'en' }
      return api.submitLead({ id: source.id, values })
    }
    const shares = async () => {
      const owners = (await leads()).map(({ owner }) => owner)
      return [ann, bob, cid, dan].map((id) => owners.filter((owner) => owner === id).length)
    }
    for (let i = 0; i < 4; i++) {
      await send(i)
      await settled(i + 1)
    }
    expect(await shares()).toEqual([1, 1, 1, 1])
    await Promise.all(Array.from({ length: 16 }, (_, i) => send(i + 4)))
    await settled(20)
    expect(await shares()).toEqual([5, 5, 5, 5])
    await api.updateLeadSource({ id: source.id, assignment: [{ user_ids: [cid, dan] }] } as never)
    await Promise.all(Array.from({ length: 4 }, (_, i) => send(i + 20)))
    await settled(24)
    expect(await shares()).toEqual([5, 5, 7, 7])
  })

  test('assigns in turn, skips who is away, and decides by filter first', async () => {
    const [ann, bob, eve] = await Promise.all(['Ann', 'Bob', 'Eve'].map((name) => given.user(admin, { name })))
    const ofBob = kith.withKey(await given.key(bob!))
    expect(await status(ofBob.updateMe({ away_from: '2026-06-20', away_until: '2026-06-10' }))).toBe(422)
    expect(await status(ofBob.updateMe({ away_from: '2026-06-20' }))).toBe(422)
    const source = await newSource({
      assignment: [
        { filter: 'company_name = "Big"', user_ids: [eve!.user_id] },
        { user_ids: [ann!.user_id, bob!.user_id] },
      ],
    })
    const send = async (values: Record<string, string>) => {
      await api.submitLead({ id: source.name.toUpperCase(), values })
      await settled(++sent)
      return (await leads()).at(-1)!.owner
    }
    let sent = 0
    expect(await status(api.submitLead({ id: 'No such form', values: { email: 'a@example.com' } }))).toBe(404)
    expect(await send({ email: 'a@example.com', company_name: 'Big' })).toBe(eve!.user_id)
    expect(await send({ email: 'b@example.com' })).toBe(ann!.user_id)
    expect(await send({ email: 'c@example.com' })).toBe(bob!.user_id)
    expect(await ofBob.updateMe({ away_from: '2026-06-10', away_until: '2026-06-20' })).toMatchObject({
      away_until: '2026-06-20',
    })
    for (const email of ['d@example.com', 'e@example.com']) expect(await send({ email })).toBe(ann!.user_id)
    const { items } = await kith.withKey(await given.key(eve!)).listNotifications({})
    expect(items[0]!.text).toContain('to you')
    const types = (await api.listEvents({ object: 'leads', limit: 100 })).items.map(({ type }) => type)
    for (const type of ['record.created', 'lead.submitted', 'lead.assigned'] as const)
      expect(
        types.filter((one) => one === type),
        type,
      ).toHaveLength(5)
  })

  test('keeps a campaign that the form names, whatever the address of the page says, and counts leads, not submissions', async () => {
    const { id: source_id } = await newSource({ fields: [{ field: 'email' }, { field: 'campaign', is_hidden: true }] })
    const page = 'https://www.example.com/?utm_campaign=brand'
    for (let i = 0; i < 2; i++)
      await api.submitLead({ id: source_id, values: { email: 'a@example.com', campaign: 'Spring' }, page })
    await settled(2)
    expect(await leads()).toMatchObject([{ campaign: 'Spring', utm_campaign: 'brand' }])
    expect(await api.getLeadSource({ id: source_id })).toMatchObject({ leads_30d: 1 })
  })

  test('treats someone who writes again by its duplicate policy, and never a closed lead', async () => {
    const values = { email: 'ada@example.com', message: 'Again' }
    for (const [duplicates, expected] of [
      ['create', 2],
      ['update', 1],
      ['note', 1],
    ] as const) {
      admin = await given.company()
      api = kith.withKey(await given.key(admin))
      const source = await newSource({ duplicates })
      const { records } = await api.createRecords({ object: 'leads', records: [{ email: 'Ada@example.com' }] })
      await api.submitLead({ id: source.id, values: { ...values, first_name: 'Ada' } })
      const [submission] = await settled(1)
      expect(submission!.outcome).toBe({ create: 'created', update: 'updated', note: 'noted' }[duplicates])
      expect(await leads()).toHaveLength(expected)
      if (duplicates === 'create') continue
      expect((await leads())[0]!.first_name ?? null).toBe(duplicates === 'update' ? 'Ada' : null)
      const notes = (await api.listRecords({ object: 'notes' })).records
      expect(notes[0]!.body).toContain('Again')
      await api.updateRecords({
        object: 'leads',
        records: [{ id: records[0]!.id, values: { status: 'disqualified' } }],
      })
      await api.submitLead({ id: source.id, values })
      await settled(2)
      expect(await leads()).toHaveLength(2)
    }
  })

  test('reports why a submission failed, and processes it again after it was corrected', async () => {
    const owner = await given.user(admin, { name: 'Olga' })
    const source = await newSource({ owner_id: owner.user_id })
    await kith.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', owner.user_id).execute()
    await api.submitLead({ id: source.id, values: { email: 'a@example.com', phone: 'none' } })
    const [failed] = await settled(1)
    expect(failed).toMatchObject({ state: 'failed', reason: expect.stringContaining('can no longer sign in') })
    expect(await api.getLeadSource({ id: source.id })).toMatchObject({
      failed: 1,
      problem: expect.stringContaining('owner'),
    })
    await api.submitLead({ id: source.id, values: { email: 'b@example.com' } })
    await settled(2)
    // The owner left, so the Admin is notified: once, because all fail for the same reason.
    const notified = await soon(async () => {
      const { items } = await api.listNotifications({})
      expect(items.filter(({ kind }) => kind === 'lead_failed')).toHaveLength(1)
      return items[0]!
    })
    expect(notified).toMatchObject({
      text: expect.stringContaining('sign in'),
      link: expect.stringContaining(failed!.id),
    })
    await api.updateLeadSource({ id: source.id, owner_id: admin.user_id })
    await api.processLeadSubmission({ id: failed!.id, values: { last_name: 'Corrected' } })
    const done = await soon(async () => {
      const submission = await api.getLeadSubmission({ id: failed!.id })
      expect(submission.state).toBe('lead')
      return submission
    })
    expect(done).toMatchObject({ reason: expect.stringContaining('Left out: Phone'), owner_name: expect.any(String) })
    expect(await leads()).toMatchObject([{ last_name: 'Corrected', email: 'a@example.com' }])
    const notes = (await api.listRecords({ object: 'notes' })).records
    expect(notes).toMatchObject([{ body: expect.stringContaining('- **Phone**: none'), about: [{ id: done.lead_id }] }])
    expect(notes[0]!.created_by ?? null).toBe(null)
    expect(await status(api.processLeadSubmission({ id: failed!.id }))).toBe(409)
  })

  test('is found by a sweep if its job was lost, once', async () => {
    const source = await newSource()
    await api.submitLead({ id: source.id, values: { email: 'a@example.com' } })
    await settled(1)
    await kith.db
      .updateTable('lead_submissions')
      .set({ state: 'received', next_attempt_at: new Date(kith.time.now.getTime() - 120_000), lead_id: null })
      .where('company_id', '=', admin.company_id)
      .execute()
    await Promise.all([1, 2, 3].map(() => worker.run('process_forgotten_submissions', {})))
    expect((await settled(1))[0]).toMatchObject({ state: 'lead', outcome: 'noted' })
    expect((await api.listRecords({ object: 'notes' })).records).toHaveLength(1)
  })

  test('keeps every version of its consent text', async () => {
    const source = await newSource({ consent: { text: 'One' } })
    await api.updateLeadSource({ id: source.id, title: 'Contact' })
    const changed = await api.updateLeadSource({ id: source.id, consent: { text: 'Two' } })
    expect(changed.consent_version).toBe(2)
    expect((await api.listConsentTexts({ id: source.id })).items.map(({ version, text }) => [version, text])).toEqual([
      [2, 'Two'],
      [1, 'One'],
    ])
  })

  test('is changed only by those who have the rights of its owner, or make it their own', async () => {
    const source = await newSource()
    const max = await given.user(admin, { grants: ['leads.manage'] })
    const manager = kith.withKey(await given.key(max))
    const changes = [{ duplicates: 'update' as const }, { is_active: true }, { is_active: false, name: 'Mine' }]
    for (const change of changes) {
      const refused = manager.updateLeadSource({ id: source.id, ...change })
      await expect(refused).rejects.toThrow(/permissions of its owner, Ada Admin\. Become its owner/)
    }
    expect((await manager.updateLeadSource({ id: source.id, is_active: false })).is_active).toBe(false)
    const taken = await manager.updateLeadSource({ id: source.id, owner_id: max.user_id, duplicates: 'update' })
    expect(taken).toMatchObject({ owner_id: max.user_id, duplicates: 'update' })
    expect((await manager.updateLeadSource({ id: source.id, is_active: true })).is_active).toBe(true)
    expect((await api.updateLeadSource({ id: source.id, name: 'Reviewed' })).owner_id).toBe(max.user_id)
  })

  test('names no record in the reason why a value was left out', async () => {
    const field = { object: 'leads', key: 'partner', label: 'Partner', type: 'relation' as const }
    await api.createField({ ...field, to_objects: ['organizations'] })
    const names = ['Hidden Harbor', 'Twin Peaks', 'Twin Peaks']
    const { records } = await api.createRecords({ object: 'organizations', records: names.map((name) => ({ name })) })
    const source = await newSource({ fields: [{ field: 'email' }, { field: 'partner' }] })
    for (const partner of ['Hidden Harbr', 'twin peaks'])
      await api.submitLead({ id: source.id, values: { email: `${randomUUID()}@example.com`, partner } })
    const reasons = (await settled(2)).map(({ reason }) => reason).join(' ')
    expect(reasons).toMatch(/No record is named Hidden Harbr\. .+ More than one match for twin peaks\. /s)
    for (const told of ['Hidden Harbor', 'Twin Peaks', ...records.map(({ id }) => id)])
      expect(reasons).not.toContain(told)
  })

  test('is managed only with that right, and belongs to one company', async () => {
    const source = await newSource()
    await api.submitLead({ id: source.id, values: { email: 'a@example.com' } })
    const [submission] = await settled(1)
    const member = kith.withKey(await given.key(await given.user(admin)))
    expect(await status(member.getLeadSource({ id: source.id }))).toBe(403)
    expect(await status(member.submitLead({ id: source.id, values: { email: 'b@example.com' } }))).toBe('ok')
    const manager = kith.withKey(await given.key(await given.user(admin, { grants: ['leads.manage'] })))
    expect(await status(manager.createLeadSource({ name: 'Mine', owner_id: admin.user_id }))).toBe(403)
    const stranger = await given.company()
    const theirs = kith.withKey(await given.key(stranger))
    const foreign = [
      theirs.getLeadSource({ id: source.id }),
      theirs.updateLeadSource({ id: source.id, name: 'x' }),
      theirs.deleteLeadSource({ id: source.id }),
      theirs.submitLead({ id: source.id, values: {} }),
      theirs.getLeadSubmission({ id: submission!.id }),
      theirs.processLeadSubmission({ id: submission!.id }),
      theirs.markNotSpam({ id: submission!.id }),
      theirs.convertLead({ id: submission!.lead_id! }),
      theirs.createLeadSource({ name: 'x', owner_id: admin.user_id }),
      theirs.createLeadSource({ name: 'x', assignment: [{ user_ids: [admin.user_id] }] }),
    ]
    expect(new Set(await Promise.all(foreign.map(status)))).toEqual(new Set([404]))
    expect((await theirs.listLeadSubmissions({})).items).toEqual([])
    expect(await status(api.createLeadSource({ name: 'x', fields: [{ field: 'nothing' }] }))).toBe(422)
  })
})

describe('leads', () => {
  test('have the score that their rules give, also when the rules change', async () => {
    const source = await newSource()
    await api.submitLead({ id: source.id, values: { email: 'a@example.com', company_name: 'Acme' } })
    await settled(1)
    const score_rules = [
      { name: 'Has a company', filter: 'company_name is not empty', points: 10 },
      { name: 'Wants a call', filter: 'message ~ call', points: 25 },
    ]
    await api.updateLeadSettings({ score_rules })
    await soon(async () => expect((await leads())[0]!.score).toBe(10))
    const [lead] = await leads()
    await api.updateRecords({ object: 'leads', records: [{ id: lead!.id, values: { message: 'please call' } }] })
    expect((await leads())[0]!.score).toBe(35)
    expect((await api.getLeadScore({ id: lead!.id })).items).toEqual([
      { name: 'Has a company', points: 10 },
      { name: 'Wants a call', points: 25 },
    ])
    expect(
      await status(api.updateLeadSettings({ score_rules: [{ name: 'x', filter: 'no_field = 1', points: 1 }] })),
    ).toBe(422)
  })

  test('are due within the working hours of the company', async () => {
    await api.updateLeadSettings({ response_minutes: 60 })
    const days = Object.fromEntries(weekdays.map((day) => [day, [{ from: '00:00', to: '01:00' }]])) as Hours['days']
    await api.updateWorkingHours({ hours: { time_zone: 'UTC', days } })
    await api.submitLead({ id: (await newSource()).id, values: { email: 'a@example.com' } })
    await settled(1)
    const due = new Date(String((await leads())[0]!.response_due_at))
    expect(due.toISOString()).toContain('T01:00:00')
    expect(due.getTime() - kith.time.now.getTime()).toBeLessThan(86_400_000)
  })

  test('note the first outgoing call or email, and report to their owner when it is late', async () => {
    await api.updateLeadSettings({ response_minutes: 60 })
    const source = await newSource()
    for (const email of ['a@example.com', 'b@example.com']) await api.submitLead({ id: source.id, values: { email } })
    await settled(2)
    const [first, second] = await leads()
    const due = new Date(kith.time.now.getTime() + 3_600_000).toISOString()
    expect(new Date(String(first!.response_due_at)).toISOString()).toBe(due)
    kith.minutes(30)
    const log = (kind: string, about: string, more = {}) => {
      const activity = { kind, at: kith.time.now.toISOString(), about: [about], ...more }
      return api.createRecords({ object: 'activities', records: [activity] })
    }
    await log('meeting', second!.id)
    await log('call', second!.id, { direction: 'incoming' })
    await log('email', second!.id, { at: new Date(kith.time.now.getTime() - 3_600_000).toISOString() })
    await log('call', first!.id, { direction: 'outgoing' })
    const answered = kith.time.now.toISOString()
    await soon(async () => expect((await leads())[0]!.first_response_at).toBeTruthy())
    expect(new Date(String((await leads())[0]!.first_response_at)).toISOString()).toBe(answered)
    kith.minutes(1)
    await log('email', first!.id)
    expect((await leads())[1]!.first_response_at ?? null).toBe(null)
    expect(new Date(String((await leads())[0]!.first_response_at)).toISOString()).toBe(answered)
    kith.minutes(30)
    await worker.run('report_overdue_leads', {})
    await worker.run('report_overdue_leads', {})
    await soon(async () => {
      const { items } = await api.listNotifications({})
      expect(items.filter(({ kind }) => kind === 'lead_overdue')).toHaveLength(1)
    })
    const overdue = 'first_response_at is empty and response_due_at < now'
    expect((await api.countRecords({ object: 'leads', filter: overdue })).count).toBe(1)
  })

  test('that became overdue while Kith was down are reported when it is back, once', async () => {
    await api.updateLeadSettings({ response_minutes: 60 })
    const source = await newSource()
    await worker.run('report_overdue_leads', {})
    for (const email of ['late@example.com', 'later@example.com'])
      await api.submitLead({ id: source.id, values: { email } })
    await settled(2)
    kith.minutes(3 * 24 * 60)
    const reported = async () =>
      (await api.listNotifications({})).items.filter(({ kind }) => kind === 'lead_overdue').length
    const statements = statementsOf(kith.backgroundPool)
    const sent = await statements.during(() => worker.run('report_overdue_leads', {}))
    await soon(async () => expect(await reported()).toBe(2))
    expect((await rowsRead(kith.pool, sent, ['records', 'fields'])).fields, 'the schema is known').toBe(0)
    kith.minutes(1)
    await worker.run('report_overdue_leads', {})
    // The jobs of these events are done when that of a later one is.
    await api.submitLead({ id: source.id, values: { email: 'last@example.com' } })
    await settled(3)
    expect(await reported()).toBe(2)
  })

  test('become a person, an organization and a deal in one change that can be undone', async () => {
    const { records } = await api.createRecords({
      object: 'leads',
      records: [
        {
          first_name: 'Ada',
          last_name: 'Lovelace',
          email: 'ada@engines.example',
          phone: '+49 30 901820',
          company_name: 'Engines',
          source: 'Fair',
          message: 'How fast is it?',
        },
      ],
    })
    const id = records[0]!.id
    await api.createRecords({ object: 'notes', records: [{ body: 'Met her', about: [id] }] })
    await api.createRecords({ object: 'activities', records: [{ kind: 'call', about: [id] }] })
    const dry = await api.convertLead({ id, dry_run: true })
    expect(dry).toMatchObject({ person: { is_new: true, title: 'Ada Lovelace' }, change_set_id: null, moved: 2 })
    expect((await api.listRecords({ object: 'people' })).records).toEqual([])
    const done = await api.convertLead({
      id,
      deal: { name: 'Engine No. 1', values: { amount: { amount: 5000, currency: 'EUR' } } },
    })
    const [deal] = (await api.listRecords({ object: 'deals' })).records
    expect(deal).toMatchObject({
      name: 'Engine No. 1',
      source: 'fair',
      people: [{ id: done.person!.id }],
      organization: { id: done.organization!.id },
    })
    const { objects } = await api.describeSchema({ objects: ['deals'] })
    const options = objects[0]!.fields.find(({ key }) => key === 'source')!.options!
    expect(options.at(-1), 'a source that deals did not have yet').toEqual({ key: 'fair', label: 'Fair' })
    const [person] = (await api.listRecords({ object: 'people' })).records
    expect(person).toMatchObject({
      source: 'Fair',
      emails: ['ada@engines.example'],
      organization: { id: done.organization!.id },
    })
    const notes = (await api.listRecords({ object: 'notes', sort: ['created_at'] })).records
    expect(notes[1]).toMatchObject({ body: expect.stringContaining('How fast is it?'), about: [{ id: done.deal!.id }] })
    const note = notes[0]!
    expect((note.about as { id: string }[]).map((one) => one.id)).toEqual(
      expect.arrayContaining([id, done.person!.id, done.deal!.id]),
    )
    expect((await leads())[0]).toMatchObject({
      status: 'converted',
      converted_person: { id: done.person!.id },
      converted_deal: { id: done.deal!.id },
    })
    const events = (await api.listEvents({ record_id: id })).items.map(({ type }) => type)
    expect(events.filter((type) => type === 'lead.converted')).toHaveLength(1)
    expect(await status(api.convertLead({ id }))).toBe(409)
    await api.undoChanges({ change_set_ids: [done.change_set_id!] } as never)
    for (const object of ['people', 'organizations', 'deals'])
      expect((await api.listRecords({ object })).records, object).toEqual([])
    expect((await leads())[0]).toMatchObject({ status: 'new' })
    expect((await api.listRecords({ object: 'notes' })).records[0]!.about).toMatchObject([{ id }])
    expect(await status(api.convertLead({ id }))).toBe('ok')
  })

  test('of others are converted and unconverted as a whole by everyone who may edit them, or not at all', async () => {
    const member = await given.user(admin)
    const asMember = kith.withKey(await given.key(member))
    const values = { last_name: 'Lovelace', email: 'ada@engines.example', company_name: 'Engines' }
    const [lead] = (await api.createRecords({ object: 'leads', records: [values] })).records
    const convert = () => asMember.convertLead({ id: lead!.id, deal: { name: 'Engine' } })
    const first = await convert()
    expect(await asMember.undoChanges({ change_set_ids: [first.change_set_id!] })).toMatchObject({ left: [] })
    const counts = async () =>
      Promise.all(
        ['people', 'organizations', 'deals'].map(async (object) => (await api.countRecords({ object })).count),
      )
    expect(await counts()).toEqual([0, 0, 0])
    expect((await leads())[0]).toMatchObject({ status: 'new' })

    const second = await convert()
    await api.updateRecords({ object: 'deals', records: [{ id: second.deal!.id, values: { name: 'Engine No. 2' } }] })
    for (const dry_run of [true, false])
      await expect(asMember.undoChanges({ change_set_ids: [second.change_set_id!], dry_run })).rejects.toMatchObject({
        problem: { status: 409, detail: expect.stringMatching(/only be undone as a whole.*it was changed later/) },
      })
    const other = await asMember.createRecords({ object: 'people', records: [{ last_name: 'Other' }] })
    const { left, undone } = await asMember.undoChanges({
      change_set_ids: [second.change_set_id!, other.change_set_id!],
    })
    expect(undone).toBe(1)
    expect(left.map(({ record_id }) => record_id)).toEqual(expect.arrayContaining([lead!.id, second.deal!.id]))
    expect(await counts()).toEqual([1, 1, 1])
    expect((await leads())[0]).toMatchObject({ status: 'converted' })

    const one = { change_set_ids: [first.change_set_id!], record_ids: [first.deal!.id] }
    expect((await asMember.undoChanges(one)).undone).toBe(0)
  })

  test('find the person by email or phone and the organization by domain or name', async () => {
    const [ada] = (
      await api.createRecords({ object: 'people', records: [{ first_name: 'Ada', emails: ['ada@x.example'] }] })
    ).records
    const [bob] = (
      await api.createRecords({ object: 'people', records: [{ first_name: 'Bob', phones: ['+49 30 901820'] }] })
    ).records
    const [org] = (
      await api.createRecords({ object: 'organizations', records: [{ name: 'X Ltd', domains: ['x.example'] }] })
    ).records
    const make = async (values: object) =>
      (await api.createRecords({ object: 'leads', records: [values as never] })).records[0]!.id
    const one = await api.convertLead({
      id: await make({ email: 'ADA@x.example', company_name: 'Something else' }),
      deal: null,
    })
    expect(one).toMatchObject({
      person: { id: ada!.id, is_new: false },
      organization: { id: org!.id, is_new: false },
      deal: null,
    })
    expect(await api.getRecord({ object: 'people', id: ada!.id })).toMatchObject({ organization: { id: org!.id } })
    const two = await api.convertLead({
      id: await make({ phone: '+4930901820', company_name: 'x ltd' }),
      organization: false,
      deal: null,
    })
    expect(two.organization).toBe(null)
    expect(two.person).toMatchObject({ id: bob!.id, is_new: false })
    await api.updateRecords({ object: 'people', records: [{ id: bob!.id, values: { last_name: 'Mole' } }] })
    const colleague = await api.convertLead({
      id: await make({ phone: '+4930901820', last_name: 'Diaz' }),
      deal: null,
    })
    expect(colleague.person, 'another name at the same phone').toMatchObject({ is_new: true })
    const three = await api.convertLead({ id: await make({ email: 'eve@gmail.com', company_name: 'New Co' }) })
    const made = await api.getRecord({ object: 'organizations', id: three.organization!.id })
    expect(made.domains ?? []).toEqual([])
    expect(await status(api.convertLead({ id: randomUUID() }))).toBe(404)
    const both = await make({ email: 'both@y.example', last_name: 'Both' })
    const results = await Promise.all([1, 2].map(() => status(api.convertLead({ id: both }))))
    expect(results.sort()).toEqual([409, 'ok'])
  })
})

test('a lead that comes back to a source it has passed is refused, and the log says that it went in a loop', async () => {
  await kith.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(kith.app.server.address() as AddressInfo).port}`
  const sources = []
  for (const name of ['One', 'Two']) {
    const { id } = await newSource({ name, duplicates: 'create' })
    const settings = { name: `To ${name}`, kith: { url, source_id: id }, api_key: await given.key(admin) }
    sources.push({ id, destination_id: (await api.createLeadDestination(settings)).id })
  }
  const [one, two] = sources
  const from = (source: string, { destination_id }: { destination_id: string }) =>
    api.createLeadRoute({
      name: source,
      state: 'active',
      filter: `source = "${source}"`,
      duplicate_days: 0,
      targets: [{ destination_id }],
    })
  await from('One', two!)
  await from('Two', one!)
  await api.submitLead({ id: one!.id, values: { email: 'round@example.com' } })
  const last = await soon(async () => {
    const { items } = await api.listLeadDeliveries({})
    expect(items.map(({ state }) => state)).toEqual(['duplicate', 'accepted'])
    return items[0]!
  })
  expect(last.destination_name).toBe('To One')
  expect(last.reason).toMatch(/sent in a loop: \S+ → \S+ → /)
  expect(await leads()).toHaveLength(2)
})
