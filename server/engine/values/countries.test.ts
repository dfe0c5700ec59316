import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { companyToAsk } from '../../../test/records/ask.ts'

const kith = await testApp()

describe('a country', () => {
  test('is stored as its code, however it is written; other text is kept', async () => {
    const { add } = await companyToAsk(kith, { language: 'de-DE' })
    const written = ['DE', 'de', ' Germany ', 'DEUTSCHLAND', 'Allemagne', 'UK', 'U.S.A.', 'Ελλάδα', 'Prussia']
    const records = await add('organizations', ...written.map((country, i) => ({ name: `${i}`, country })))
    expect(records.map(({ country }) => country)).toEqual(['DE', 'DE', 'DE', 'DE', 'DE', 'GB', 'US', 'GR', 'Prussia'])
  })

  test('is found by code, name and part of the name, in English and in the language of the caller', async () => {
    const { api, add, find } = await companyToAsk(kith)
    await add(
      'organizations',
      { name: 'A', country: 'DE' },
      { name: 'B', country: 'Sweden' },
      { name: 'C', country: 'Prussia' },
      { name: 'D' },
    )
    const filters = ['country = DE', 'country = "Germany"', 'country = germany', 'country in (deutschland, FR)']
    for (const filter of [...filters, { field: 'country', op: 'eq', value: 'Germany' }])
      expect(await find('organizations', filter)).toEqual(['A'])
    expect(await find('organizations', 'country ~ "germ"')).toEqual(['A'])
    expect(await find('organizations', 'country ends with en')).toEqual(['B'])
    expect(await find('organizations', 'country starts with "Pruss"')).toEqual(['C'])
    expect(await find('organizations', 'country !~ "germ"')).toEqual(['B', 'C', 'D'])
    expect(await find('organizations', 'country != Germany')).toEqual(['B', 'C', 'D'])
    expect(await find('organizations', 'country is empty')).toEqual(['D'])
    expect(await find('organizations', 'search("germany")')).toEqual(['A'])
    expect(await find('organizations', 'country ~ "deutsch"')).toEqual([])
    await api.updateMe({ language: 'de-DE' })
    expect(await find('organizations', 'country ~ "deutsch"')).toEqual(['A'])
    const { records } = await api.listRecords({ object: 'organizations', sort: ['-country'] })
    expect(records.map(({ title }) => title)).toEqual(['B', 'C', 'A', 'D'])
  })

  test('is stored in a filter by its code, and explained by its name', async () => {
    const { api } = await companyToAsk(kith)
    const checked = await api.validateFilter({ object: 'people', filter: 'organization.country in (Germany, prussia)' })
    expect(checked).toMatchObject({
      is_valid: true,
      text: 'organization.country in (DE, prussia)',
      explanation: `Organization's country is Germany or "prussia".`,
    })
  })

  test('can be the type of a custom field', async () => {
    const { api, add, find } = await companyToAsk(kith)
    await api.createField({ object: 'deals', key: 'market', label: 'Market', type: 'country', default_value: 'France' })
    const { objects } = await api.describeSchema({ objects: ['deals', 'organizations'] })
    const types = objects.flatMap(({ fields }) => fields.filter(({ type }) => type === 'country'))
    expect(types.map(({ key }) => key)).toEqual(['market', 'country'])
    await add('deals', { name: 'Big' }, { name: 'Small', market: 'Japan' })
    expect(await find('deals', 'market = FR')).toEqual(['Big'])
  })
})

test('built-in country fields of existing companies are converted, and custom fields stay text', async () => {
  const { api, admin } = await companyToAsk(kith)
  await api.createField({ object: 'deals', key: 'country', label: 'Country', type: 'text' })
  await kith.pool.query(`update fields set type = 'text' where company_id = $1 and key = 'country'`, [admin.company_id])
  await kith.pool.query(readFileSync('db/migrations/0011_country_fields.sql', 'utf8'))
  const { objects } = await api.describeSchema({})
  const types = objects.flatMap(({ key, fields }) =>
    fields.filter((field) => field.key === 'country').map(({ type }) => [key, type]),
  )
  expect(Object.fromEntries(types)).toEqual({ people: 'country', organizations: 'country', deals: 'text' })
})

describe('a phone number without a country code', () => {
  const phone = async (api: Awaited<ReturnType<typeof companyToAsk>>['api'], written: string) =>
    (await api.createRecords({ object: 'people', records: [{ phones: [written] }] })).records[0]!.phones

  test('belongs to the company’s country, by default that of its language, and must exist there', async () => {
    const { api } = await companyToAsk(kith, { language: 'en-GB' })
    expect((await api.getCompany({})).country).toBe(null)
    expect(await phone(api, '020 7946 0000')).toEqual(['+442079460000'])
    expect(await phone(api, '0044 20 7946 0001')).toEqual(['+442079460001'])
    expect(await api.updateCompany({ country: 'ch' })).toMatchObject({ country: 'CH' })
    expect(await phone(api, '044 668 18 00')).toEqual(['+41446681800'])
    await api.updateCompany({ country: 'US' })
    await expect(phone(api, '030 1000073')).rejects.toMatchObject({
      problem: { detail: expect.stringMatching(/not a valid phone number for United States/) },
    })
    await expect(api.updateCompany({ country: 'Narnia' })).toBeRefused(422)
  })

  test('is refused if the country has no numbering plan', async () => {
    const { api } = await companyToAsk(kith, { country: 'AQ' })
    await expect(phone(api, '020 7946 0000')).toBeRefused(422)
    expect(await phone(api, '+44 20 7946 0000')).toEqual(['+442079460000'])
  })
})
