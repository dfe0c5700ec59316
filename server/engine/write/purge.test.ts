import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectDerived } from '../../../test/records/dump.ts'

const kith = await testApp()
const { given, withKey } = kith

describe('a record that is purged', () => {
  test('is removed from all records that linked to it, and its values from the history', async () => {
    const admin = await given.company()
    const api = withKey(await given.key(admin))
    const { records } = await api.createRecords({
      object: 'organizations',
      records: [{ name: 'Secret Industries' }, { name: 'Other' }],
    })
    const [gone, kept] = records.map(({ id }) => id) as [string, string]
    const { records: people } = await api.createRecords({
      object: 'people',
      records: [
        { first_name: 'Ada', organization: gone, emails: ['ada@x.com'] },
        { first_name: 'In the trash', organization: gone },
      ],
    })
    const [ada, trashed] = people.map(({ id }) => id) as [string, string]
    const { records: notes } = await api.createRecords({
      object: 'notes',
      records: [{ body: 'x', about: [gone, kept] }],
    })
    await api.deleteRecords({ object: 'people', ids: [trashed] })
    await api.deleteRecords({ object: 'organizations', ids: [gone] })
    expect(await api.purgeRecords({ object: 'organizations', ids: [gone], dry_run: true })).toMatchObject({ purged: 1 })
    expect(await api.purgeRecords({ object: 'organizations', ids: [gone] })).toEqual({
      purged: 1,
      job_id: null,
      dry_run: false,
    })

    expect(await api.getRecord({ object: 'people', id: ada })).not.toHaveProperty('organization')
    expect(await api.countRecords({ object: 'people', filter: 'organization is empty' })).toMatchObject({ count: 1 })
    expect(await api.getRecord({ object: 'notes', id: notes[0]!.id })).toMatchObject({ about: [{ id: kept }] })
    await api.restoreRecords({ object: 'people', ids: [trashed] })
    expect(await api.getRecord({ object: 'people', id: trashed })).not.toHaveProperty('organization')
    await expectDerived(kith, admin.company_id)

    const history = await api.listChanges({ record_id: gone })
    expect(history.items.map(({ changes }) => [changes[0]!.action, changes[0]!.fields])).toEqual([
      ['deleted', {}],
      ['created', {}],
    ])
    const [last] = (await api.listChanges({ record_id: ada })).items
    expect(last!.changes[0]!.fields).toEqual({ organization: { from: gone, to: null } })
    const back = await api.undoChanges({ change_set_ids: [last!.id] })
    expect(back.left.map(({ field, reason }) => `${field}: ${reason}`)).toEqual([
      'organization: It linked to a record that was permanently deleted',
      'organization: It linked to a record that was permanently deleted',
      'about: It linked to a record that was permanently deleted',
    ])
    expect(back.undone).toBe(0)
    await expectDerived(kith, admin.company_id)
    const { left } = await api.undoChanges({ change_set_ids: history.items.map(({ id }) => id) })
    expect(left).toMatchObject([
      { record_id: gone, reason: expect.stringContaining('permanently deleted') },
      { record_id: kept, reason: 'Other records link to it now' },
    ])
  })
})
