// Two companies with the same data: nothing of one can be reached from the other, through no door.
import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { changes } from '../../../contract/changes.ts'
import { records } from '../../../contract/records.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { dump } from '../../../test/records/dump.ts'
import { refusal } from '../../../test/records/refusal.ts'
import { type Ids, triesWith } from '../../../test/records/tries.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith
const { legacy } = await mcpFor(kith)

const anId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
async function overMcp(key: string, method: string, params: object) {
  const { rpc } = await legacy(key, method, params)
  return JSON.stringify(rpc.result ?? rpc.error).replaceAll(anId, 'ID')
}
const inSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The same operations as tools. */
const asTools = (key: string) =>
  new Proxy({} as Api, {
    get: (_, name: string) => (args: object) => overMcp(key, 'tools/call', { name: inSnake(name), arguments: args }),
  })
const noting = (api: Api, called: Set<string>) =>
  new Proxy(api, {
    get(target, name: keyof Api & string) {
      called.add(name)
      return target[name]
    },
  })

const doors: Record<string, (key: string, session: string) => Api> = {
  REST: (key) => withKey(key),
  'the web app': (_, session) => withSession(session),
  MCP: (key) => asTools(key),
}

// As long as theirs, and as near to any other name.
const random = (): Ids => {
  const id = randomUUIDv7
  const ids = { person: id(), organization: id(), trashed: id(), user: id(), set: id(), key: id() }
  return { ...ids, object: 'qxqxqxqx', field: 'qyqyqyqy' }
}

describe('between two companies', () => {
  test.each(Object.keys(doors))(
    'an ID of the other company gets the same response as a random one, wherever it is sent: %s',
    async (door) => {
      const [ours, theirs] = await Promise.all([twin(false), twin(true)])
      const before = await dump(kith, theirs.company_id)
      const called = new Set<string>()
      const tries = triesWith(noting(doors[door]!(ours.secret, ours.session), called), ours)
      expect(await refusal(tries.getRecords!(ours))).toContain('Ada')
      for (const [name, attempt] of Object.entries(tries)) {
        const wanted = (await refusal(attempt(random())))
          .replaceAll('qxqxqxqx', 'zxzxzxzx')
          .replaceAll('qyqyqyqy', 'zyzyzyzy')
        expect(await refusal(attempt(theirs)), name).toBe(wanted)
      }
      expect([...called]).toEqual(expect.arrayContaining(Object.keys({ ...records, ...changes })))
      expect(await dump(kith, theirs.company_id)).toEqual(before)
    },
  )

  test('resources, completions and cursors reveal nothing of the other', async () => {
    const [ours, theirs] = await Promise.all([twin(false), twin(true)])
    for (const uri of [(x: Ids) => `crm://people/${x.person}`, (x: Ids) => `crm://people/${x.person}/timeline`]) {
      const read = (x: Ids) => overMcp(ours.secret, 'resources/read', { uri: uri(x) })
      expect(await read(ours)).toContain('contents')
      expect(await read(theirs)).toBe(await read(random()))
    }
    const ref = { type: 'ref/resource', uri: 'crm://{object}/{id}' }
    const given = { ref, argument: { name: 'id', value: 'a' }, context: { arguments: { object: 'people' } } }
    const { rpc } = await legacy(ours.secret, 'completion/complete', given)
    const { completion } = rpc.result as { completion: { values: string[] } }
    expect(completion.values.toSorted()).toEqual(ours.people.slice(0, 2).toSorted())
    const page = await theirs.api.listRecords({ object: 'people', limit: 1 })
    const next = await ours.api.listRecords({ object: 'people', limit: 1, cursor: page.next_cursor! })
    for (const record of next.records) expect(ours.people).toContain(record.id)
  })

  /** Two of these have the same data and differ by ids, and by an object and a field that one of them made. */
  async function twin(isOdd: boolean) {
    const admin = await given.company()
    const [secret, session] = [await given.key(admin), await given.session(admin)]
    const api = withKey(secret)
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
      secret,
      session,
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
