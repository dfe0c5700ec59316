import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { testApp } from '../../../test/app.ts'
import { refusal } from '../../../test/records/refusal.ts'

const { given, withKey, withSession } = await testApp()

describe('a record that the caller may not see', () => {
  test('is not shown, named, linked to or revealed by an error', async () => {
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
    expect(shown.records[0]).toMatchObject({ title: 'Mine', organization: { id } })
    expect(shown.records[0]!.organization).toEqual({ id, title: 'Private organization', is_private: true })
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

  test('is called private where it is linked, by its name if the role shows names, and is gone once deleted', async () => {
    const admin = await given.company()
    const api = withKey(await given.key(admin))
    const roles = withSession(await given.session(admin))
    const records = { '*': { read: 'own', create: true, edit: 'own', delete: 'own' } } as const
    await roles.createRole({ name: 'Own', records, grants: ['records.export'] })
    await roles.createRole({ name: 'Own with names', records, grants: ['records.names'] })
    const made = await api.createRecords({
      object: 'organizations',
      records: [{ name: 'Hidden Ltd', domains: ['hidden.com'] }],
    })
    const { id } = made.records[0]!
    for (const [role, title] of [
      ['Own', 'Private organization'],
      ['Own with names', 'Hidden Ltd'],
    ] as const) {
      const owner = await given.user(admin, { role })
      const key = await given.key(owner)
      const rep = withKey(key)
      const { records: deals } = await api.createRecords({
        object: 'deals',
        records: [{ name: 'Roof', organization: id, owner: owner.user_id }],
      })
      const deal = deals[0]!.id
      await api.createRecords({ object: 'tasks', records: [{ title: 'Call', about: [id], assignee: owner.user_id }] })
      const linked = { id, title, is_private: true }
      const answers = [
        (await rep.getRecord({ object: 'deals', id: deal })).organization,
        (await rep.queryRecords({ object: 'deals', fields: ['organization'] })).records[0]!.organization,
        (await rep.queryRecords({ object: 'deals', fields: ['organization.industry'] })).records[0]!.organization,
        (
          await rep.updateRecords({
            object: 'deals',
            records: [{ id: deal, values: { name: 'Roof 2' } }],
            return: 'record',
          })
        ).records[0]!.organization,
      ]
      expect(answers).toEqual(answers.map(() => linked))
      expect((await rep.listRecords({ object: 'tasks' })).records[0]!.about).toEqual([
        { ...linked, object: 'organizations' },
      ])
      expect((await rep.getRecordTitles({ ids: [id] })).items).toEqual([{ ...linked, object: 'organizations' }])
      const { groups } = await rep.aggregateRecords({ object: 'deals', group_by: ['organization'] })
      expect(groups).toMatchObject([{ keys: [id], labels: [title], values: { count: 1 } }])
      const count = async (filter: string) => (await rep.countRecords({ object: 'deals', filter })).count
      expect(await count('organization is empty')).toBe(0)
      expect(await count(groups[0]!.filter!)).toBe(1)
      expect(await count('organization.name = "Hidden Ltd"')).toBe(0)
      await expect(rep.getRecord({ object: 'organizations', id })).rejects.toMatchObject({ problem: { status: 404 } })
      expect((await rep.searchRecords({ q: 'hidden' })).items).toEqual([])
    }
    await api.deleteRecords({ object: 'organizations', ids: [id] })
    const rep = withKey(await given.key(await given.user(admin, { role: 'Own' })))
    expect((await rep.getRecordTitles({ ids: [id] })).items).toEqual([])
  })

  test('counts neither for a reverse relation nor among records of the same name', async () => {
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
    expect(refused).toContain('No record is named Secret')
  })
})

describe('a relation to objects that the caller may not read', () => {
  const nothing = { read: 'none', create: false, edit: 'none', delete: 'none' } as const

  async function withSecret() {
    const admin = await given.company()
    const boss = withKey(await given.key(admin))
    await boss.createObject({ key: 'secret_deals', label: 'Secret deal', label_plural: 'Secret deals' })
    const field = { object: 'people', label: 'Link', type: 'relation' as const }
    await boss.createField({ ...field, key: 'secret_link', to_objects: ['secret_deals'] })
    await boss.createField({ ...field, key: 'mixed_link', to_objects: ['secret_deals', 'organizations'] })
    const { records } = await boss.createRecords({ object: 'secret_deals', records: [{ name: 'CANARY' }] })
    const secret = records[0]!.id
    const made = await boss.createRecords({ object: 'people', records: [{ first_name: 'Ada', secret_link: secret }] })
    await withSession(await given.session(admin)).createRole({
      name: 'No secrets',
      records: { '*': everything, secret_deals: nothing },
    })
    const rep = withKey(await given.key(await given.user(admin, { role: 'No secrets' })))
    return { boss, rep, secret, id: made.records[0]!.id }
  }

  test('is not in the schema, and a relation to several objects names only readable ones', async () => {
    const { boss, rep } = await withSecret()
    const seen = await rep.describeSchema({})
    expect(JSON.stringify(seen)).not.toContain('secret')
    const fieldsOf = ({ objects }: typeof seen) => objects.find(({ key }) => key === 'people')!.fields
    expect(fieldsOf(seen).find(({ key }) => key === 'mixed_link')!.to_objects).toEqual(['organizations'])
    expect(fieldsOf(await boss.describeSchema({})).map(({ key }) => key)).toContain('secret_link')
  })

  test('is in no response, and cannot be requested, filtered or sorted by', async () => {
    const { boss, rep, secret, id } = await withSecret()
    const answers = [
      await rep.getRecord({ object: 'people', id }),
      await rep.listRecords({ object: 'people' }),
      await rep.updateRecords({ object: 'people', records: [{ id, values: { last_name: 'Lovelace' } }] }),
    ]
    expect(JSON.stringify(answers)).not.toContain(secret)
    expect(JSON.stringify(answers)).not.toContain('secret_link')
    const ask = { object: 'people' }
    const words = async (call: Promise<unknown>) => {
      const { detail } = JSON.parse(await refusal(call)) as { detail: string }
      return detail.replaceAll('secret_link', 'other_link').replace(/ Did you mean [^?]*\?/, '')
    }
    for (const question of [
      (key: string) => rep.listRecords({ ...ask, fields: [key] }),
      (key: string) => rep.listRecords({ ...ask, filter: `${key} is not empty` }),
      (key: string) => rep.listRecords({ ...ask, sort: [key] }),
    ])
      expect(await words(question('secret_link'))).toBe(await words(question('other_link')))
    expect(await boss.getRecord({ object: 'people', id })).toMatchObject({
      secret_link: { id: secret },
      last_name: 'Lovelace',
    })
  })
})
