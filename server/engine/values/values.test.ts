import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { inTurns, patience, runs, seed } from '../../../test/random.ts'
import { dump, expectDerived } from '../../../test/records/dump.ts'
import { isTaken } from '../../../test/records/refusal.ts'
import { kinds, likely, withEveryKind } from '../../../test/records/values.ts'

const kith = await testApp()

describe('any value', () => {
  test(
    'of any field is stored or refused, and sending back a stored value changes nothing',
    async () => {
      const { api, company_id } = await withEveryKind(kith)
      let kept = 0
      for (const { key, type, more } of kinds) {
        const one = fc.oneof({ weight: 3, arbitrary: likely[type] }, { weight: 1, arbitrary: fc.jsonValue() })
        const value = 'is_multi' in more ? fc.oneof(fc.array(one, { maxLength: 4 }), one) : one
        await inTurns(fc.sample(value, { seed, numRuns: runs(20) }), async (value) => {
          const what = `${key}: ${JSON.stringify(value)?.slice(0, 200)}`
          const call = api.createRecords({ object: 'things', records: [{ name: 'x', [key]: value }] })
          if (!(await isTaken(call, what))) return
          kept++
          await sentBack(api, (await call).records[0]!.id, what)
        })
      }
      expect(kept).toBeGreaterThan(kinds.length * runs(4))
      await expectDerived(kith, company_id)
    },
    patience,
  )

  async function sentBack(api: Api, id: string, what: string) {
    const {
      id: _,
      version,
      title,
      created_at,
      created_by,
      updated_at,
      last_activity_at,
      ...values
    } = await api.getRecord({ object: 'things', id })
    const again = await api
      .updateRecords({ object: 'things', records: [{ id, version, values }] })
      .catch((error) => error.problem)
    expect(again, what).toMatchObject({ change_set_id: null, records: [{ id, version: 1 }] })
  }

  test('that is stored can be found by its own text', async () => {
    const { api } = await withEveryKind(kith)
    const long = `${'word '.repeat(15_000)}needle`
    await api.createRecords({
      object: 'people',
      records: [{ first_name: 'Long', notes_text: long }, { emails: ['jürgen@münchen.de'] }],
    })
    const count = async (filter: string) => (await api.countRecords({ object: 'people', filter })).count
    expect(await count('notes_text ~ needle')).toBe(1)
    expect(await count('search("needle")')).toBe(1)
    expect(await count('emails ~ "jürgen"')).toBe(1)
    expect(await count('emails = "Jürgen@München.de"')).toBe(1)
  })
})

describe('an invalid value', () => {
  const wrong: Record<string, [value: unknown, rule: RegExp]> = {
    one_text: [5, /must be text/],
    one_long_text: [{}, /must be text/],
    one_number: ['5', /must be a number/],
    one_money: ['1,5', /amount such as 12\.50/],
    one_boolean: ['true', /true or false/],
    one_date: ['2026-02-30', /a date such as 2026-06-15/],
    one_datetime: ['15.06.2026', /a time such as 2026-06-15T12:00:00Z/],
    one_select: ['Onee', /no option Onee\. Did you mean one\?/],
    many_text: [['a', 7], /must be text/],
    many_email: [['a@b.c', 'a@b'], /email address such as/],
    one_email: ['ada', /email address such as/],
    one_phone: ['1', /phone number such as/],
    one_url: ['javascript:alert(1)', /web address|address such as|http/],
    many_url: [['https://a.example', 'tall'], /web address/],
    values: [{ name: 'x' }, /directly into the record/],
    one_user: ['Ada Admim', /No user is named Ada Admim\. Did you mean Ada Admin/],
    one_relation: ['Frist', /No record is named Frist\. Did you mean First/],
    name: ['x'.repeat(1001), /at most 1000 characters/],
    owner: [`a${'\u0301\u0316'.repeat(20_000)}`, /at most 30 accents/i],
    nmae: ['x', /no field nmae on things\. Did you mean name\?/],
    version: [1, /read-only/],
  }

  test('is refused with the rule of its field and its path, and nothing of the batch is written', async () => {
    const { api, company_id } = await withEveryKind(kith)
    const [first] = (await api.listRecords({ object: 'things' })).records
    const before = await dump(kith, company_id)
    for (const [key, [value, rule]] of Object.entries(wrong)) {
      const bad = { name: 'bad', [key]: value }
      const good = { name: 'good' }
      const unique = (values: object, i: number) => ({ unique_text: `u${i}`, ...values })
      const update = { id: first!.id, values: bad }
      for (const [at, call] of [
        ['records.1', () => api.createRecords({ object: 'things', records: [good, bad, good] })],
        [
          'records.2',
          () =>
            api.upsertRecords({ object: 'things', match_on: 'unique_text', records: [good, good, bad].map(unique) }),
        ],
        ['records.0', () => api.updateRecords({ object: 'things', records: [update] })],
        ['records.1', () => api.createRecords({ object: 'things', records: [good, bad], dry_run: true })],
      ] as const) {
        const problem = await call().then(
          () => undefined,
          (error) => error.problem,
        )
        const fault = problem?.errors?.find(({ path }: { path: string }) => path.startsWith(`${at}.${key}`))
        expect(fault?.message, `${key}: ${JSON.stringify(problem)}`).toMatch(rule)
        expect(problem).toMatchObject({ status: 422, detail: expect.stringMatching(rule) })
      }
    }
    expect(await dump(kith, company_id)).toEqual(before)
  })
})

describe('an address that could deceive is refused', async () => {
  const api = kith.withKey(await kith.given.key(await kith.given.company()))
  const create = (values: object) =>
    api.createRecords({ object: 'people', records: [{ first_name: 'Ada', ...values }] })

  test.each([
    'a@b.example?bcc=evil%40x.y',
    'a@b.c/../../x',
    'a@b..c',
    'a@.b.c',
    'a@b.c.',
    'a@-b.c',
    'a@b-.c',
    'a@b_c.de',
    'a@b.c\u202e',
    'a\u200bb@c.de',
    '@b.c',
    'a@b@',
  ])('as an email address: %s', async (email) => {
    await expect(create({ emails: [email] })).toBeRefused(422)
  })

  test.each(["o'brien+crm@b.example", 'a@b.c', 'jürgen@münchen.de', 'अ@उदाहरण.परीक्षा', 'x@1.example'])(
    '%s is a valid email address',
    async (email) => {
      await create({ emails: [email] })
    },
  )

  test.each([
    'http:x',
    'http:/x.example',
    'https:x.example',
    'http:\\\\x.example',
    'http://a:b@evil.example/',
    'https://bank.example@evil.example',
    'https://evil.example/\u202egpj.exe',
    'https://exa\u200bmple.com',
  ])('as a web address: %s', async (website) => {
    await expect(api.createRecords({ object: 'organizations', records: [{ name: 'Acme', website }] })).toBeRefused(422)
  })

  test.each(['https://example.com/a@b', 'HTTP://example.com', 'example.com/x?y=1', 'https://münchen.de/ü'])(
    '%s is a valid web address',
    async (website) => {
      await api.createRecords({ object: 'organizations', records: [{ name: 'Acme', website }] })
    },
  )
})

describe('a value', () => {
  const refused = (message: RegExp) => ({ problem: { status: 422, detail: expect.stringMatching(message) } })
  async function company() {
    const api = kith.withKey(await kith.given.key(await kith.given.company()))
    const create = (object: string, values: Record<string, unknown>) =>
      api.createRecords({ object, records: [values] }).then(({ records }) => records[0]!)
    return { api, create }
  }

  test('that is a time has at most 24 hours and 14 hours from UTC, as in filters', async () => {
    const { api, create } = await company()
    for (const due_at of ['2026-06-15T12:00:00+15:00', '2026-06-15T24:00:00Z', '2026-02-30T12:00:00Z']) {
      await expect(create('tasks', { title: 'x', due_at })).rejects.toMatchObject(refused(/Use a time such as/))
      await expect(api.countRecords({ object: 'tasks', filter: `due_at > "${due_at}"` })).toBeRefused(422)
    }
    const task = await create('tasks', { title: 'x', due_at: '2026-06-15T12:00:00.123456789+14:00' })
    expect(task.due_at).toBe('2026-06-14T22:00:00.123Z')
  })

  test('that is an address of an international domain is unique in either spelling', async () => {
    const { api, create } = await company()
    await create('people', { last_name: 'One', emails: ['a@münchen.example'] })
    await expect(create('people', { last_name: 'Two', emails: ['a@xn--mnchen-3ya.example'] })).toBeRefused(409)
    await create('people', { last_name: 'Three', emails: ['b@münchen.example'] })
    const { records } = await api.upsertRecords({
      object: 'people',
      match_on: 'emails',
      records: [{ emails: ['A@XN--mnchen-3ya.example'], first_name: 'Ada' }],
    })
    expect(await api.getRecord({ object: 'people', id: records[0]!.id })).toMatchObject({
      last_name: 'One',
      first_name: 'Ada',
      emails: ['a@münchen.example'],
    })
  })

  test('that is a phone number has no extension', async () => {
    const { api, create } = await company()
    await api.updateCompany({ country: 'DE' } as never)
    for (const phone of ['030 1234567 ext 5', '+49 30 1234567 x5'])
      await expect(create('people', { last_name: 'x', phones: [phone] })).rejects.toMatchObject(
        refused(/Leave out the extension 5/),
      )
  })

  test('of invisible characters alone is none', async () => {
    const { create } = await company()
    for (const empty of ['\u200b', '\u00ad \u2060', '\ufeff', '\u3164']) {
      const { title, last_name, notes_text } = await create('people', {
        first_name: 'Ada',
        last_name: empty,
        notes_text: empty,
      })
      expect({ title, last_name, notes_text }).toEqual({ title: 'Ada', last_name: undefined, notes_text: undefined })
    }
    expect(await create('people', { last_name: '👩\u200d💻' })).toMatchObject({ last_name: '👩\u200d💻' })
  })

  test('that is an amount has decimals only in currencies that have them', async () => {
    const { create } = await company()
    const deal = (amount: string, currency: string) => create('deals', { name: 'x', amount: { amount, currency } })
    await expect(deal('1000.5', 'JPY')).rejects.toMatchObject(refused(/JPY have no decimals/))
    expect((await deal('1000.00', 'JPY')).amount).toEqual({ amount: '1000.00', currency: 'JPY' })
    expect((await deal('0.0125', 'EUR')).amount).toEqual({ amount: '0.0125', currency: 'EUR' })
    expect((await deal('-0', 'EUR')).amount).toEqual({ amount: '0', currency: 'EUR' })
  })

  test('that is a parent is not below the organization itself', async () => {
    const { api, create } = await company()
    const [a, b, c] = [
      await create('organizations', { name: 'A' }),
      await create('organizations', { name: 'B', parent: 'A' }),
      await create('organizations', { name: 'C', parent: 'B' }),
    ]
    const move = (id: string, parent: string | null, more: object[] = []) =>
      api.updateRecords({ object: 'organizations', records: [{ id, values: { parent } }, ...(more as never[])] })
    await expect(move(a.id, a.id)).rejects.toMatchObject(refused(/cannot be its own parent/))
    await expect(move(a.id, c.id)).rejects.toMatchObject(refused(/below the organization in the hierarchy/))
    await move(a.id, c.id, [{ id: c.id, values: { parent: null } }])
    const { change_set_id } = await move(a.id, null)
    await move(c.id, b.id)
    const undo = await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect(undo).toMatchObject({ undone: 0, left: [{ record_id: a.id, field: 'parent' }] })
  })
})
