// Domains are one value, however they are written.
import { describe, expect, test } from 'vitest'
import { domainIn, readDomain } from '../../../contract/shared/domains.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { imported } from '../../../test/csv.ts'
import { expectDerived } from '../../../test/records/dump.ts'
import { testWorker } from '../../../test/worker.ts'
import { reindexOutdated } from '../records/reindex.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

async function company() {
  const admin = await kith.given.company()
  return { admin, company_id: admin.company_id, api: kith.withKey(await kith.given.key(admin)) }
}
const object = 'organizations'
const add = async (api: Api, ...records: Record<string, unknown>[]) =>
  (await api.createRecords({ object, records })).records
const titles = async (api: Api, filter: string) =>
  (await api.queryRecords({ object, filter, sort: ['title'] })).records.map(({ title }) => title)

test.each([
  ['https://www.Acme.com/about?a=b', 'acme.com'],
  ['WWW.ACME.COM.', 'acme.com'],
  ['//acme.com:8080', 'acme.com'],
  ['http://me@acme.com/', 'acme.com'],
  ['xn--mller-kva.de', 'müller.de'],
  ['xn--ihqwcrb4cv8a8dqg056pqjye.com', '他们为什么不说中文.com'],
  ['xn--99999999999.com', 'xn--99999999999.com'],
  ['www.de', 'www.de'],
  ['acme.co.uk', 'acme.co.uk'],
])('%s is the domain %s', (written, domain) => {
  expect(readDomain(written)).toBe(domain)
  expect(readDomain(domain)).toBe(domain)
})

test.each(['Acme', 'acme .com', 'ada@acme.com', '1.5', '', 'https://'])('%j is no domain', (text) => {
  expect(domainIn(text)).toBeUndefined()
})

test('domains are stored, found, filtered, matched and searched in one form', async () => {
  const { api, company_id } = await company()
  const [acme] = await add(api, {
    name: 'Acme',
    domains: ['https://www.Acme.com/about', 'acme.com', 'xn--mller-kva.de'],
  })
  const { id } = acme!
  expect(acme).toMatchObject({ domains: ['acme.com', 'müller.de'] })
  for (const value of ['acme.com', 'WWW.acme.com', 'http://acme.com:80/', 'acme.com.', 'www.xn--mller-kva.de'])
    expect((await api.getRecords({ object, by: [{ field: 'domains', value }] })).records).toMatchObject([{ id }])
  for (const filter of [
    'domains = "https://www.acme.com"',
    'domains in ("www.acme.com", x)',
    'domains ends with ".com"',
  ])
    expect(await titles(api, filter)).toEqual(['Acme'])
  const upsert = { object, match_on: 'domains', records: [{ domains: ['www.acme.com'], city: 'Rome' }] }
  expect((await api.upsertRecords(upsert)).records).toMatchObject([{ id, is_new: false, city: 'Rome' }])
  await expect(add(api, { name: 'Twin', domains: ['http://acme.com'] })).toBeRefused(409)
  await imported(api, { object, csv: 'Domains,Size\nhttps://acme.com,5\n', mode: 'upsert', match_by: 'domains' })
  expect(await api.getRecord({ object, id })).toMatchObject({ size: 5, domains: ['acme.com', 'müller.de'] })
  await api.createRecords({ object: 'people', records: [{ first_name: 'Ada', organization: 'https://www.acme.com' }] })
  expect((await api.queryRecords({ object: 'people', filter: 'organization = Acme' })).records).toHaveLength(1)
  const found = await api.searchRecords({ q: 'https://www.acme.com:443/', objects: [object] })
  expect(found.items).toMatchObject([{ id }])
  await expectDerived(kith, company_id)
})

describe('organizations that share a domain since an upgrade', () => {
  async function sharing() {
    const { api, company_id } = await company()
    const [a, b] = (await add(api, { name: 'A', domains: ['acme.com'] }, { name: 'B', domains: ['old.com'] })).map(
      ({ id }) => id,
    ) as [string, string]
    // As an older version stored it.
    await kith.pool.query(
      `update records set values = values || '{"domains": ["www.acme.com"]}', match = match || '{"domains": ["www.acme.com"]}'
        where company_id = $1 and id = $2`,
      [company_id, b],
    )
    await kith.pool.query(`update unique_values set key = 'www.acme.com' where company_id = $1 and record_id = $2`, [
      company_id,
      b,
    ])
    await kith.pool.query('update companies set index_version = 3 where id = $1', [company_id])
    await reindexOutdated(kith.backgroundDb)
    const shared = async () => (await api.listSharedValues({})).items.map(({ records }) => records.map(({ id }) => id))
    const update = (id: string, values: Record<string, unknown>, more = {}) =>
      api.updateRecords({ object, records: [{ id, values }], ...more })
    const isTaken = () => expect(add(api, { name: 'C', domains: ['acme.com'] })).toBeRefused(409)
    return { api, company_id, a, b, shared, update, isTaken }
  }

  test('both keep it and can be edited, alone and together', async () => {
    const { api, a, b, shared, update, isTaken } = await sharing()
    expect(await shared()).toEqual([[a, b]])
    for (const dry_run of [true, false])
      for (const id of [a, b])
        await update(id, { city: `Rome ${dry_run}`, domains: { add: ['https://acme.com'] } }, { dry_run })
    await api.updateRecords({ object, filter: 'domains = "acme.com"', values: { size: 5 } })
    await imported(api, { object, csv: `Id,City\n${a},Oslo\n${b},Oslo\n`, mode: 'update', match_by: 'id' })
    expect(await titles(api, 'size = 5 and city = Oslo and domains = "acme.com"')).toEqual(['A', 'B'])
    await isTaken()
  })

  test('when one gives it up or goes to the trash, the other has it alone, and new records still cannot', async () => {
    for (const gives of ['a', 'b'] as const)
      for (const way of ['edit', 'delete'] as const) {
        const { api, company_id, shared, update, isTaken, ...ids } = await sharing()
        const [giver, keeper] = [ids[gives], ids[gives === 'a' ? 'b' : 'a']]
        if (way === 'edit') await update(giver, { domains: ['new.com'] })
        else await api.deleteRecords({ object, ids: [giver] })
        expect(await shared()).toEqual([])
        await isTaken()
        const { records } = await api.getRecords({ object, by: [{ field: 'domains', value: 'acme.com' }] })
        expect(records).toMatchObject([{ id: keeper }])
        await expectDerived(kith, company_id)
      }
  })

  test('merged, they are one record with the domain', async () => {
    for (const keeps of ['a', 'b'] as const) {
      const { api, company_id, shared, isTaken, ...ids } = await sharing()
      await api.mergeRecords({ object, id: ids[keeps], merge: [ids[keeps === 'a' ? 'b' : 'a']] })
      expect(await shared()).toEqual([])
      await isTaken()
      await expectDerived(kith, company_id)
    }
  })
})
