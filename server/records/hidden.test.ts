import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { everything } from '../../contract/access.ts'
import { testApp } from '../../test/app.ts'
import { refusal } from '../../test/records/refusal.ts'

const { given, withKey, withSession } = await testApp()

describe('a record that one may not see', () => {
  test('is not shown, named, linked to or given away by a refusal', async () => {
    const admin = await given.company()
    const api = withKey(await given.key(admin))
    await withSession(await given.session(admin)).createRole({
      name: 'Own',
      records: { '*': { read: 'own', create: true, edit: 'own', delete: 'own' } },
    })
    const rep = withKey(await given.key(await given.user(admin, { role: 'Own' })))
    const { records: hidden } = await api.createRecords({
      object: 'organizations',
      records: [{ name: 'Hidden Ltd', domains: ['hidden.com'] }],
    })
    const { id } = hidden[0]!
    await api.createRecords({ object: 'people', records: [{ first_name: 'Secret', emails: ['secret@x.com'] }] })
    const { records: mine } = await rep.createRecords({ object: 'people', records: [{ first_name: 'Mine' }] })
    await api.updateRecords({ object: 'people', records: [{ id: mine[0]!.id, values: { organization: id } }] })

    const shown = await rep.listRecords({ object: 'people', fields: ['title', 'organization.name'] })
    expect(shown.records[0]).toMatchObject({ title: 'Mine', organization: null })
    for (const filter of ['organization.name = "Hidden Ltd"', 'any(organization: name is not empty)'])
      expect((await rep.listRecords({ object: 'people', filter })).records, filter).toEqual([])
    const people = (organization: string) =>
      refusal(rep.createRecords({ object: 'people', records: [{ organization }] }))
    expect(await people(id)).toBe(await people(randomUUIDv7()))
    expect((await people('Hidden Ltd')).replaceAll('Hidden Ltd', 'X')).toBe(
      (await people('Nobody Ltd')).replaceAll('Nobody Ltd', 'X'),
    )
    expect((await people('hidden.com')).replaceAll('hidden.com', 'X')).toBe(
      (await people('nobody.com')).replaceAll('nobody.com', 'X'),
    )
    const taken = [{ emails: ['secret@x.com'] }]
    for (const call of [
      () => rep.createRecords({ object: 'people', records: taken }),
      () => rep.createRecords({ object: 'people', records: taken, dry_run: true }),
      () => rep.upsertRecords({ object: 'people', match_on: 'emails', records: taken }),
    ]) {
      const text = await refusal(call())
      expect(JSON.parse(text)).toMatchObject({ status: 409 })
      expect(text).not.toMatch(/Secret|\bID\b/)
    }
  })

  test('counts neither for a relation backwards nor in a list of those that are called the same', async () => {
    const admin = await given.company()
    const api = withKey(await given.key(admin))
    await withSession(await given.session(admin)).createRole({
      name: 'Own deals',
      records: { '*': everything, deals: { ...everything, read: 'own' }, leads: { ...everything, read: 'own' } },
    })
    const rep = withKey(await given.key(await given.user(admin, { role: 'Own deals' })))
    const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Acme' }] })
    const organization = records[0]!.id
    const { records: deals } = await api.createRecords({ object: 'deals', records: [{ name: 'Secret', organization }] })
    const count = async (filter: string) => (await rep.countRecords({ object: 'organizations', filter })).count
    expect(await count('deals is not empty')).toBe(0)
    expect(await count(`deals has any (${deals[0]!.id})`)).toBe(0)
    expect(await count(`deals has all (${deals[0]!.id})`)).toBe(0)
    expect(await count('none(deals: name = Secret)')).toBe(1)
    const refused = await refusal(rep.listRecords({ object: 'deal_lines', filter: 'deal = Secret' }))
    expect(refused).toContain('No record is called Secret')
  })
})
