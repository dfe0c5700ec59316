import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { dump } from '../../test/records/dump.ts'
import { refusal } from '../../test/records/refusal.ts'

const kith = await testApp({ rateLimit: { perSecond: 1e6, burst: 1e6 } })
const { given, withKey } = kith

describe('between two companies', () => {
  test('an id of the other answers as a random one, wherever it is sent', async () => {
    const [ours, theirs] = await Promise.all([twin(false), twin(true)])
    const before = await dump(kith, theirs.company_id)
    const { api } = ours
    const since = '2020-01-01T00:00:00Z'
    type Ids = {
      person: string
      organization: string
      trashed: string
      user: string
      set: string
      key: string
      object: string
      field: string
    }
    const tries: Record<string, (x: Ids) => Promise<unknown>> = {
      getRecord: (x) => api.getRecord({ object: 'people', id: x.person }),
      getRecords: (x) => api.getRecords({ object: 'people', ids: [ours.person, x.person] }),
      filterById: (x) => api.listRecords({ object: 'people', filter: `id = "${x.person}"` }),
      filterByRelation: (x) =>
        api.queryRecords({ object: 'people', filter: { field: 'organization', op: 'eq', value: x.organization } }),
      filterByPath: (x) => api.countRecords({ object: 'people', filter: `organization.id = "${x.organization}"` }),
      filterByAny: (x) => api.listRecords({ object: 'organizations', filter: `any(people: id = "${x.person}")` }),
      filterBackwards: (x) => api.listRecords({ object: 'organizations', filter: `people has any (${x.person})` }),
      filterByUser: (x) => api.countRecords({ object: 'people', filter: `owner = ${x.user}` }),
      createWithRelation: (x) => api.createRecords({ object: 'people', records: [{ organization: x.organization }] }),
      createWithList: (x) =>
        api.createRecords({ object: 'deals', records: [{ name: 'D', people: [ours.person, x.person] }] }),
      createAbout: (x) => api.createRecords({ object: 'tasks', records: [{ title: 'T', about: [x.person] }] }),
      createForUser: (x) => api.createRecords({ object: 'people', records: [{ owner: x.user }] }),
      assign: (x) => api.createRecords({ object: 'tasks', records: [{ title: 'T', assignee: x.user }] }),
      update: (x) => api.updateRecords({ object: 'people', records: [{ id: x.person, values: { score: 1 } }] }),
      updateVersion: (x) =>
        api.updateRecords({ object: 'people', records: [{ id: x.person, version: 1, values: { score: 1 } }] }),
      updateRelation: (x) =>
        api.updateRecords({
          object: 'people',
          records: [{ id: ours.person, values: { organization: x.organization } }],
        }),
      upsertRelation: (x) =>
        api.upsertRecords({
          object: 'people',
          match_on: 'emails',
          records: [{ emails: ['same@x.com'], organization: x.organization }],
        }),
      delete: (x) => api.deleteRecords({ object: 'people', ids: [x.person] }),
      restore: (x) => api.restoreRecords({ object: 'people', ids: [x.trashed] }),
      purge: (x) => api.purgeRecords({ object: 'people', ids: [x.trashed] }),
      link: (x) => api.linkRecords({ object: 'people', id: x.person, field: 'organization', to: [ours.organization] }),
      linkTo: (x) =>
        api.linkRecords({ object: 'people', id: ours.person, field: 'organization', to: [x.organization] }),
      unlink: (x) =>
        api.unlinkRecords({ object: 'people', id: x.person, field: 'organization', to: [ours.organization] }),
      unlinkFrom: (x) =>
        api.unlinkRecords({ object: 'people', id: ours.person, field: 'organization', to: [x.organization] }),
      changesOfRecord: (x) => api.listChanges({ record_id: x.person }),
      changesOfUser: (x) => api.listChanges({ actor_id: x.user }),
      changesOfKey: (x) => api.listChanges({ api_key_id: x.key }),
      undo: (x) => api.undoChanges({ change_set_ids: [x.set] }),
      undoOfKey: (x) => api.undoChanges({ api_key_id: x.key, since }),
      schema: (x) => api.describeSchema({ objects: [x.object] }),
      objectList: (x) => api.listRecords({ object: x.object }),
      updateObject: (x) => api.updateObject({ object: x.object, label: 'Mine' }),
      createField: (x) => api.createField({ object: x.object, key: 'mine', label: 'Mine', type: 'text' }),
      relationTo: (x) =>
        api.createField({ object: 'people', key: 'rel', label: 'R', type: 'relation', to_objects: [x.object] }),
      updateField: (x) => api.updateField({ object: 'people', field: x.field, label: 'Mine' }),
      filterByField: (x) => api.listRecords({ object: 'people', filter: `${x.field} = 1` }),
      sortByField: (x) => api.listRecords({ object: 'people', sort: [x.field] }),
      writeField: (x) => api.createRecords({ object: 'people', records: [{ [x.field]: 'x' }] }),
    }
    const id = randomUUIDv7
    for (const [name, attempt] of Object.entries(tries)) {
      // As long as theirs, and as near to any other name.
      const random: Ids = {
        person: id(),
        organization: id(),
        trashed: id(),
        user: id(),
        set: id(),
        key: id(),
        object: 'qxqxqxqx',
        field: 'qyqyqyqy',
      }
      const wanted = (await refusal(attempt(random)))
        .replaceAll('qxqxqxqx', 'zxzxzxzx')
        .replaceAll('qyqyqyqy', 'zyzyzyzy')
      expect(await refusal(attempt(theirs)), name).toBe(wanted)
    }
    expect(await dump(kith, theirs.company_id)).toEqual(before)
    const page = await theirs.api.listRecords({ object: 'people', limit: 1 })
    const next = await api.listRecords({ object: 'people', limit: 1, cursor: page.next_cursor! })
    for (const record of next.records) expect(ours.people).toContain(record.id)
  })

  /** Two of these have the same data and differ by ids, and by an object and a field that one of them made. */
  async function twin(isOdd: boolean) {
    const admin = await given.company()
    const api = withKey(await given.key(admin))
    if (isOdd) {
      await api.createObject({ key: 'zxzxzxzx', label: 'Odd', label_plural: 'Odds' })
      await api.createField({ object: 'people', key: 'zyzyzyzy', label: 'Odd', type: 'number' })
    }
    const { records: orgs } = await api.createRecords({
      object: 'organizations',
      records: [{ name: 'Acme', domains: ['acme.com'] }],
    })
    const organization = orgs[0]!.id
    const made = await api.createRecords({
      object: 'people',
      records: [
        { first_name: 'Ada', emails: ['ada@x.com'], organization },
        { first_name: 'Max' },
        { first_name: 'Gone' },
      ],
    })
    const [person, , trashed] = made.records.map((record) => record.id) as [string, string, string]
    await api.deleteRecords({ object: 'people', ids: [trashed] })
    const { items } = await api.listChanges({ limit: 1 })
    const { company_id, user_id: user } = admin
    return {
      api,
      company_id,
      person,
      organization,
      trashed,
      user,
      set: made.change_set_id!,
      key: items[0]!.api_key_id!,
      object: 'zxzxzxzx',
      field: 'zyzyzyzy',
      people: made.records.map((record) => record.id),
    }
  }
})
