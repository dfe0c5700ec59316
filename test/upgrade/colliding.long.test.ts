// Covers: db/migrations server/engine/objects test/upgrade
// A company has a field of its own with the key of a built-in field that a later version brings.
import { expect, test } from 'vitest'
import { secretKey } from '../../scripts/release/story.ts'
import { testApp } from '../app.ts'
import { waitForProcesses } from '../patience.ts'
import { isBefore, lastDay, loadRelease, releases, upgrade } from './released.ts'

waitForProcesses()

/** The other versions have the built-in field. */
const without = releases.filter((version) => isBefore(version, '0020_reminders.sql'))

test.each(without)(
  'a custom field on %s does not change, and the new built-in one gets another key',
  async (version) => {
    const old = await loadRelease(version)
    const { rows } = await old.pool.query(`
    insert into fields (company_id, id, object_id, key, label, type, is_built_in, slot, position)
    select o.company_id, gen_random_uuid(), o.id, 'completed_at', 'Done on', 'text', false, 's20', 90
    from objects o where o.key = 'tasks' returning id, company_id, object_id`)
    const [{ id, company_id, object_id }] = rows
    const { rows: tasks } = await old.pool.query(
      `update records set values = values || '{"completed_at": "last week"}', s20 = 'last week'
      where company_id = $1 and object_id = $2 returning id`,
      [company_id, object_id],
    )
    expect(tasks.length).toBeGreaterThan(0)
    await upgrade(old)
    const kith = await testApp({ database: { ...old, connection: old.app }, secret: secretKey })
    kith.time.now = lastDay
    const api = kith.withKey(old.access.key)
    const { objects } = await api.describeSchema({ objects: ['tasks'] })
    const { fields } = objects[0]!
    expect(fields.find(({ key }) => key === 'completed_at')).toMatchObject({ label: 'Done on', type: 'text' })
    expect(fields.find(({ key }) => key === 'completed_at_2')).toMatchObject({ label: 'Completed', type: 'datetime' })
    const kept = await old.pool.query('select id from fields where company_id = $1 and key = $2', [
      company_id,
      'completed_at',
    ])
    expect(kept.rows).toEqual([{ id }])
    const open = await api.queryRecords({ object: 'tasks', filter: 'status != done', limit: 1 })
    const task = open.records[0]!
    expect(await api.getRecord({ object: 'tasks', id: task.id })).toMatchObject({ completed_at: 'last week' })
    await api.updateRecords({ object: 'tasks', records: [{ id: task.id, values: { status: 'done' } }] })
    expect(await api.getRecord({ object: 'tasks', id: task.id })).toMatchObject({
      completed_at: 'last week',
      completed_at_2: lastDay.toISOString(),
    })
  },
)
