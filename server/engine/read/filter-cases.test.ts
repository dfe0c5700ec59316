// Every doubtful case that the design of the filter language settles, asked of the API; days are in filter-days.test.ts.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { companyToAsk } from '../../../test/records/ask.ts'

const kith = await testApp()
const newCompany = (settings = {}) => companyToAsk(kith, settings)

describe('words', () => {
  test('not applies only to the next part and binds more tightly than or, in upper or lower case', async () => {
    const { add, find } = await newCompany()
    await add(
      'people',
      { first_name: 'A', score: 1, city: 'x' },
      { first_name: 'B', score: 2, city: 'x' },
      { first_name: 'C', score: 2 },
    )
    expect(await find('people', 'not score = 1 and city = x')).toEqual(['B'])
    expect(await find('people', 'NOT (score = 1 And city = x)')).toEqual(['B', 'C'])
    expect(await find('people', 'score = 1 or score = 2 and city = x')).toEqual(['A', 'B'])
    expect(await find('people', '(score = 1 or score = 2) and city = x')).toEqual(['A', 'B'])
  })

  test('quiet for uses the last activity, or the creation if there was none', async () => {
    const { add, find, admin } = await newCompany()
    const records = await add('people', { first_name: 'Old' }, { first_name: 'New' }, { first_name: 'Called' })
    const set = (name: string, column: string, ago: string) =>
      kith.pool.query(
        `update records set ${column} = $3::timestamptz - $4::interval where company_id = $1 and id = $2`,
        [admin.company_id, records.find(({ title }) => title === name)!.id, kith.time.now, ago],
      )
    await set('Old', 'created_at', '20 days')
    await set('Called', 'created_at', '20 days')
    await set('Called', 'last_activity_at', '3 days')
    expect(await find('people', 'quiet for 14d')).toEqual(['Old'])
    expect(await find('people', { quiet_for: '2d' })).toEqual(['Called', 'Old'])
    expect(await find('people', 'not quiet for 2w')).toEqual(['Called', 'New'])
    await add('deals', { name: 'Deal', people: records.map(({ id }) => id) })
    expect(await find('deals', 'any(people: quiet for 14d) and none(people: quiet for 1mo)')).toEqual(['Deal'])
  })

  test('the field decides what a bare word means', async () => {
    const { api, add, find, fault, admin } = await newCompany()
    await api.updateField({ object: 'people', field: 'tags', options: [{ label: 'me' }, { label: 'Closed won' }] })
    await add(
      'people',
      { first_name: 'me', tags: ['me'], city: 'today' },
      { first_name: 'B', tags: ['Closed won'], owner: null },
    )
    expect(await find('people', 'first_name = me')).toEqual(['me'])
    expect(await find('people', 'tags has any (me)')).toEqual(['me'])
    expect(await find('people', 'tags has any ("Closed won")')).toEqual(['B'])
    expect(await find('people', 'tags has any (closed_won)')).toEqual(['B'])
    expect(await find('people', 'owner = me')).toEqual(['me'])
    expect(await find('people', `owner = "${admin.email}"`)).toEqual(['me'])
    expect(await find('people', 'owner = "ada admin"')).toEqual(['me'])
    expect(await find('people', 'city = today')).toEqual(['me'])
    expect(await fault('people', 'status = empty')).toMatchObject({
      status: 422,
      detail: expect.stringContaining('status is empty'),
    })
    expect(await fault('people', 'city = new york')).toMatchObject({ status: 422 })
    expect(await fault('people', 'score = 10,000')).toMatchObject({ status: 422 })
    expect(await fault('people', { field: 'owner', op: 'eq', value: 'me' })).toMatchObject({ status: 422 })
    expect(await find('people', { field: 'owner', op: 'eq', value: { me: true } })).toEqual(['me'])
    expect(
      await find('people', [
        { field: 'owner', op: 'is_empty' },
        { field: 'first_name', op: 'eq', value: 'B' },
      ]),
    ).toEqual(['B'])
  })

  test('errors say where they are and which limit was exceeded', async () => {
    const { fault } = await newCompany()
    expect((await fault('people', 'city = a and scor > 1')).errors[0]).toMatchObject({
      offset: 13,
      length: 4,
      nearest: expect.arrayContaining(['score']),
    })
    const text = `city = "${'a'.repeat(10_000)}"`
    expect((await fault('people', text)).detail).toMatch(/10,?000 characters/)
    expect((await fault('people', Array(201).fill('score = 1').join(' or '))).detail).toContain('200 conditions')
    expect((await fault('people', `${'not ('.repeat(21)}score = 1${')'.repeat(21)}`)).detail).toContain('20 levels')
  })
})

describe('empty values and missing records', () => {
  test('!=, not in and !~ are true for empty values, < and > are false, and not is the exact opposite', async () => {
    const { add, find } = await newCompany()
    await add('people', { first_name: 'full', score: 5, city: 'Bonn', birthday: '2000-01-01' }, { first_name: 'none' })
    for (const filter of [
      'score != 1',
      'score not in (1, 2)',
      'city !~ x',
      'city != x',
      'birthday != 2026-01-01',
      'status != active',
      'tags is empty',
    ])
      expect(await find('people', filter), filter).toEqual(['full', 'none'])
    for (const filter of [
      'score < 9',
      'score <= 9',
      'score > 1',
      'score >= 1',
      'score between 1 and 9',
      'city ~ o',
      'birthday < 2026-01-01',
      'score is not empty',
    ]) {
      expect(await find('people', filter), filter).toEqual(['full'])
      expect(await find('people', `not ${filter}`), filter).toEqual(['none'])
    }
    expect(await find('people', 'consent != true')).toEqual(['full', 'none'])
    expect(await find('people', 'consent = false')).toEqual([])
  })

  test('a related record that is missing or in the trash counts as one with empty values', async () => {
    const { api, add, find } = await newCompany()
    const [de, us, gone] = await add(
      'organizations',
      { name: 'DE', country: 'DE' },
      { name: 'US', country: 'US' },
      { name: 'Gone', country: 'DE' },
    )
    await add(
      'people',
      { first_name: 'de', organization: de!.id },
      { first_name: 'us', organization: us!.id },
      { first_name: 'gone', organization: gone!.id },
      { first_name: 'none' },
    )
    await api.deleteRecords({ object: 'organizations', ids: [gone!.id] })
    expect(await find('people', 'organization.country != "DE"')).toEqual(['gone', 'none', 'us'])
    expect(await find('people', 'organization.country is empty')).toEqual(['gone', 'none'])
    expect(await find('people', 'organization.country = "DE"')).toEqual(['de'])
    expect(await find('people', 'not organization.country = "DE"')).toEqual(['gone', 'none', 'us'])
    expect(await find('people', 'none(organization: country = "DE")')).toEqual(['gone', 'none', 'us'])
  })

  test('a record in the trash does not count for the records it links to', async () => {
    const { api, add, find } = await newCompany()
    const [org] = await add('organizations', { name: 'Acme' })
    const [deal] = await add('deals', { name: 'D', organization: org!.id })
    await api.deleteRecords({ object: 'deals', ids: [deal!.id] })
    expect(await find('organizations', 'deals is empty')).toEqual(['Acme'])
    expect(await find('organizations', 'any(deals: name = D)')).toEqual([])
    expect(await find('organizations', 'none(deals: name = D)')).toEqual(['Acme'])
  })
})

describe('relations and users', () => {
  test('a dot follows a relation to one record; for many, the error says what to write', async () => {
    const { fault } = await newCompany()
    expect((await fault('organizations', 'people.score > 1')).detail).toContain('any(people: score')
    expect((await fault('people', 'organization.parent.parent.name = x')).detail).toContain('3 steps')
    expect((await fault('people', 'score.name = x')).detail).toContain('not a relation')
  })

  test('are compared by ID, unique value or title; if several have the title, they are listed', async () => {
    const { add, find, fault } = await newCompany()
    const [acme, one, two] = await add(
      'organizations',
      { name: 'Acme', domains: ['münchen.de'] },
      { name: 'Twin' },
      { name: 'TWIN' },
    )
    await add('people', { first_name: 'A', organization: acme!.id }, { first_name: 'B', organization: one!.id })
    for (const value of [acme!.id, acme!.id.toUpperCase(), 'Acme', 'ACME', 'münchen.de', 'MÜNCHEN.DE', 'munchen.de'])
      expect(await find('people', `organization = "${value}"`), value).toEqual(['A'])
    const refused = await fault('people', 'organization = twin')
    expect(refused).toMatchObject({ status: 422 })
    for (const record of [one, two]) expect(refused.detail).toContain(record!.id)
    expect(await fault('people', 'organization = "Nobody"')).toMatchObject({ status: 422 })
    expect(await fault('people', 'owner = "nobody@example.com"')).toMatchObject({ status: 422 })
  })

  test('any and none work in both directions, also through relations to several objects', async () => {
    const { api, add, find } = await newCompany()
    await api.createField({
      object: 'notes',
      key: 'topic',
      label: 'Topic',
      type: 'relation',
      to_objects: ['people', 'organizations'],
    })
    const [org] = await add('organizations', { name: 'Org' })
    const [person] = await add('people', { first_name: 'P' })
    await add('deals', { name: 'By org', organization: org!.id }, { name: 'By person', people: [person!.id] })
    await add('notes', { body: 'N1', topic: org!.id }, { body: 'N2', topic: person!.id }, { body: 'N3' })
    expect(await find('notes', 'any(topic.deals: name ~ By)')).toEqual(['N1', 'N2'])
    expect(await find('notes', 'any(topic: any(deals: name = "By person"))')).toEqual(['N2'])
    expect(await find('notes', 'topic.deals is empty')).toEqual(['N3'])
    expect(await find('notes', 'topic.title = "Org"')).toEqual(['N1'])
    expect(await find('people', 'any(notes: body = N2)')).toEqual(['P'])
  })
})

describe('normalized values', () => {
  test('text is folded, addresses and phones are normalized, and one matching value is enough', async () => {
    const { add, find } = await newCompany({ language: 'de-DE', country: 'DE' })
    await add(
      'people',
      { first_name: 'Zoë', city: 'GROẞ-GERAU', emails: ['A@X.com', 'b@y.com'], phones: ['030 1234567'] },
      { first_name: 'B' },
    )
    for (const filter of [
      'first_name = zoe',
      'first_name = "ZOË"',
      'city = "gross-gerau"',
      'emails = "a@x.COM"',
      'emails ends with "@Y.com"',
      'phones = "+49 (30) 123-4567"',
      'phones ~ "30 12"',
      'city ~ "oß-g"',
      'city starts with "Gross"',
    ])
      expect(await find('people', filter), filter).toEqual(['Zoë'])
    expect(await find('people', 'emails != "b@y.com"')).toEqual(['B'])
    expect(await find('people', 'emails not in ("c@z.com")')).toEqual(['B', 'Zoë'])
  })

  test('money is compared in the currency of the company; without a rate it matches no comparison but is not empty', async () => {
    const { add, find } = await newCompany({ currency: 'EUR', rates: [{ currency: 'USD', rate: 0.5 }] })
    await add(
      'deals',
      { name: 'eur', amount: 10 },
      { name: 'usd', amount: { amount: '20', currency: 'USD' } },
      { name: 'chf', amount: { amount: '10', currency: 'CHF' } },
      { name: 'none' },
    )
    expect(await find('deals', 'amount = 10')).toEqual(['eur', 'usd'])
    expect(await find('deals', 'amount != 10')).toEqual(['chf', 'none'])
    expect(await find('deals', 'amount > -1000000')).toEqual(['eur', 'usd'])
    expect(await find('deals', 'amount is empty')).toEqual(['none'])
    expect(await find('deals', 'not amount < 10')).toEqual(['chf', 'eur', 'none', 'usd'])
  })

  test('has any, has all and has none, and every term of a search', async () => {
    const { api, add, find } = await newCompany()
    await api.updateField({ object: 'people', field: 'tags', options: [{ label: 'a' }, { label: 'b' }] })
    await add(
      'people',
      { first_name: 'AB', tags: ['a', 'b'], city: 'Köln' },
      { first_name: 'A', tags: ['a'] },
      { first_name: 'none' },
    )
    expect(await find('people', 'tags has any (a, b)')).toEqual(['A', 'AB'])
    expect(await find('people', 'tags has all (a, b)')).toEqual(['AB'])
    expect(await find('people', 'tags has none (b)')).toEqual(['A', 'none'])
    expect(await find('people', 'search("koln ab")')).toEqual(['AB'])
    expect(await find('people', 'search("koln x")')).toEqual([])
    expect(await find('people', 'not search("a")')).toEqual(['none'])
  })
})
