import { spawn } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { builtIn, builtInLooks, builtInVersion } from '../../../contract/built-in/objects.ts'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { untilWaiting } from '../../../test/hold.ts'
import { oldMigrations } from '../../../test/old-migrations.ts'
import { migrate } from '../../platform/migrate.ts'
import { sha256 } from '../../platform/secrets.ts'
import { readSchema } from '../schema/schema.ts'
import { type Desired, updateAllBuiltIn } from './built-in.ts'

const kith = await testApp()
const { given, pool, withSession } = kith
const log = { warn: () => {} } as never
const update = (desired?: Desired) => updateAllBuiltIn(kith.backgroundDb, log, desired)

async function newCompany() {
  const admin = await given.company()
  return { ...admin, api: withSession(await given.session(admin)) }
}

/** As the release before built_in_key left a company, and as the migration then found it. */
async function asReleased(company_id: string) {
  await pool.query(`delete from fields where company_id = $1 and key = 'completed_at' and is_built_in`, [company_id])
  await pool.query(`update companies set built_in_version = 1, schema_version = schema_version + 1 where id = $1`, [
    company_id,
  ])
}

type Company = Awaited<ReturnType<typeof newCompany>>

const tasksOf = async ({ api }: Company) => (await api.describeSchema({ objects: ['tasks'] })).objects[0]!
const snapshot = async (company_id: string) => {
  const { rows } = await pool.query(
    `select to_jsonb(o) as row from objects o where company_id = $1
      union all select to_jsonb(f) from fields f where company_id = $1 and built_in_key is distinct from 'completed_at'
      order by 1`,
    [company_id],
  )
  return rows
}
const versions = async () => {
  const { rows } = await pool.query(
    `select built_in_version, schema_version, (select count(*)::int from fields f where f.company_id = c.id) as fields
      from companies c order by id`,
  )
  return rows
}

test('the desired state has a new version whenever it changes', () => {
  const digest = sha256(JSON.stringify(builtIn)).toString('hex').slice(0, 12)
  // If this fails, raise builtInVersion, give new options their `since`, and write down both here.
  expect([builtInVersion, digest]).toEqual([9, 'afdaee376bac'])
})

describe('a company of an earlier version', () => {
  test('gets the new field at the end, with a slot, and keeps everything it has', async () => {
    const company = await newCompany()
    const { api, company_id } = company
    await asReleased(company_id)
    await api.updateField({ object: 'tasks', field: 'body', label: 'Details', position: 0 })
    await api.updateField({ object: 'tasks', field: 'remind_at', is_archived: true })
    await api.updateObject({ object: 'tasks', label: 'To-do', label_plural: 'To-dos', position: 0 })
    await api.updateObject({ object: 'products', is_archived: true })
    const before = await snapshot(company_id)
    await update()
    expect(await snapshot(company_id)).toEqual(before)
    const { fields } = await tasksOf(company)
    expect(fields.at(-1)).toMatchObject({
      key: 'completed_at',
      label: 'Completed',
      type: 'datetime',
      is_read_only: true,
    })
    expect(fields.at(-1)).not.toHaveProperty('built_in_key')
    const { rows } = await pool.query(
      `select slot from fields where company_id = $1 and built_in_key = 'completed_at'`,
      [company_id],
    )
    expect(rows[0].slot).toMatch(/^s\d+$/)
  })

  test('keeps its own field with the same key, and the new one gets another key', async () => {
    const company = await newCompany()
    const { api, company_id } = company
    await asReleased(company_id)
    const own = { object: 'tasks', key: 'completed_at', label: 'Completed', type: 'text' as const }
    await api.createField(own)
    const { records } = await api.createRecords({
      object: 'tasks',
      records: [{ title: 'Call Ada', completed_at: 'on Tuesday' }],
    })
    const id = records[0]!.id
    await update()
    const { fields } = await tasksOf(company)
    expect(fields.find(({ key }) => key === 'completed_at')).toMatchObject({ type: 'text', label: 'Completed' })
    expect(fields.at(-1)).toMatchObject({
      key: 'completed_at_2',
      built_in_key: 'completed_at',
      label: 'Completed 2',
      type: 'datetime',
    })
    await api.updateRecords({ object: 'tasks', records: [{ id, values: { status: 'done' } }] })
    expect(await api.getRecord({ object: 'tasks', id })).toMatchObject({
      completed_at: 'on Tuesday',
      completed_at_2: kith.time.now.toISOString(),
    })
    for (const filter of ['completed_at = "on Tuesday"', 'Completed = "on Tuesday"', 'completed_at_2 in today'])
      expect(await api.countRecords({ object: 'tasks', filter })).toMatchObject({ count: 1 })
  })

  test('gets new objects, relations and options, but no option it removed', async () => {
    const company = await newCompany()
    const { api, company_id } = company
    await api.createObject({ key: 'quotes', label: 'Quote', label_plural: 'Quotes' })
    const { fields } = await tasksOf(company)
    const { options } = fields.find(({ key }) => key === 'priority')!
    const renamed = options!.filter(({ key }) => key !== 'low').map((one) => ({ ...one, label: `${one.label}!` }))
    await api.updateField({ object: 'tasks', field: 'priority', options: renamed })
    const priority = builtIn.tasks.fields.find(({ key }) => key === 'priority')!
    const desired: Desired = {
      version: builtInVersion + 1,
      objects: {
        ...builtIn,
        tasks: {
          ...builtIn.tasks,
          fields: [
            ...builtIn.tasks.fields.filter((field) => field !== priority),
            {
              ...priority,
              options: [...priority.options!, { key: 'urgent', label: 'Urgent', since: builtInVersion + 1 }],
            },
            { key: 'quote', label: 'Quote', type: 'relation', to_objects: ['quotes'] },
          ],
        },
        quotes: {
          label: 'Quote',
          label_plural: 'Quotes',
          fields: [{ key: 'name', label: 'Name', type: 'text', is_required: true }],
        },
      },
    }
    await update(desired)
    const { objects } = await api.describeSchema({})
    const named = (key: string) => objects.find((object) => object.key === key)!
    expect(named('quotes')).toMatchObject({ label: 'Quote', is_built_in: false })
    expect(named('quotes_2')).toMatchObject({ built_in_key: 'quotes', label: 'Quote 2', label_plural: 'Quotes 2' })
    const now = named('tasks').fields
    expect(now.find(({ key }) => key === 'priority')!.options).toEqual([...renamed, { key: 'urgent', label: 'Urgent' }])
    // The field would hide the company's own quotes from filters, so it goes by another key.
    expect(now.at(-1)).toMatchObject({ built_in_key: 'quote', key: 'quote_2', to_objects: ['quotes_2'] })
    await pool.query('update companies set built_in_version = $2 where id = $1', [company_id, builtInVersion])
  })

  test('that a process of the earlier version created after the migration is updated too', async () => {
    const company = await newCompany()
    await asReleased(company.company_id)
    await pool.query('update fields set built_in_key = null where company_id = $1', [company.company_id])
    await pool.query('update objects set built_in_key = null where company_id = $1', [company.company_id])
    await update()
    expect((await tasksOf(company)).fields).toHaveLength(builtIn.tasks.fields.length)
  })

  test('without objects gets all of them', async () => {
    const company = await newCompany()
    for (const table of ['fields', 'objects'])
      await pool.query(`delete from ${table} where company_id = $1`, [company.company_id])
    await asReleased(company.company_id)
    await update()
    const { objects } = await company.api.describeSchema({})
    expect(objects.map(({ key }) => key)).toEqual(Object.keys(builtInLooks))
  })
})

test('a database of version 0.1 keeps its colliding field through migration and start', async () => {
  const { owner, db, pool: old } = await testDatabase({ from: 'template0' })
  await migrate(owner, oldMigrations())
  const company_id = randomUUIDv7()
  const [tasks, deals] = [randomUUIDv7(), randomUUIDv7()]
  await old.query(`insert into companies (id, name) values ($1, 'Acme')`, [company_id])
  await old.query(
    `insert into objects (company_id, id, key, label, label_plural, is_built_in, position, archived_at) values
      ($1, $2, 'tasks', 'To-do', 'To-dos', true, 1, null), ($1, $3, 'deals', 'Deal', 'Deals', true, 0, now())`,
    [company_id, tasks, deals],
  )
  await old.query(
    `insert into fields (company_id, id, object_id, key, label, type, is_built_in, slot, position, archived_at) values
      ($1, gen_random_uuid(), $2, 'title', 'What', 'text', true, 's1', 0, null),
      ($1, gen_random_uuid(), $2, 'status', 'Status', 'select', true, 's2', 1, now()),
      ($1, gen_random_uuid(), $2, 'completed_at', 'Done on', 'text', false, 's3', 2, null)`,
    [company_id, tasks],
  )
  const ours = `select key, label, type, slot, position, archived_at is null as used, built_in_key from fields
    where company_id = $1 and object_id = $2 and key = any($3) order by position`
  const read = async () => (await old.query(ours, [company_id, tasks, ['title', 'status', 'completed_at']])).rows
  await migrate(owner)
  const before = await read()
  expect(before.map(({ built_in_key }) => built_in_key)).toEqual(['title', 'status', null])
  expect(await updateAllBuiltIn(db, log)).toBe(1)
  expect(await read()).toEqual(before)
  const { objects, builtIn: known } = await readSchema(db, company_id)
  expect([...known.keys()].sort()).toEqual(Object.keys(builtIn).sort())
  expect(objects.get('deals')!.archived_at).not.toBeNull()
  expect(objects.get('tasks')).toMatchObject({ label: 'To-do', position: 1 })
  const added = objects.get('tasks')!.builtIn.get('completed_at')!
  expect(added).toMatchObject({ key: 'completed_at_2', label: 'Completed', type: 'datetime', is_read_only: true })
  expect(['s1', 's2', 's3']).not.toContain(added.slot)
  expect(await updateAllBuiltIn(db, log)).toBe(0)
})

describe('starting', () => {
  const someCompanies = async (count: number) => {
    const companies = await Promise.all(Array.from({ length: count }, () => newCompany()))
    for (const { company_id } of companies) await asReleased(company_id)
    return companies
  }

  test('in two processes at the same time adds everything once, and the next start does nothing', async () => {
    const companies = await someCompanies(8)
    const [first, second] = await Promise.all([update(), update()])
    expect(first + second).toBe(companies.length)
    const after = await versions()
    expect(await update()).toBe(0)
    expect(await versions()).toEqual(after)
    for (const company of companies) expect((await tasksOf(company)).fields.at(-1)!.key).toBe('completed_at')
  })

  test('again after being killed continues where it stopped', async () => {
    const companies = await someCompanies(8)
    // The companies are updated in the order of their IDs, so the process stops at the sixth.
    const sixth = companies.map(({ company_id }) => company_id).sort()[5]
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from companies where id = $1 for update', [sixth])
    const script = `
      const { createDb, createPool } = await import(${JSON.stringify(new URL('../../platform/db.ts', import.meta.url))})
      const { updateAllBuiltIn } = await import(${JSON.stringify(new URL('./built-in.ts', import.meta.url))})
      const db = createDb(createPool(${JSON.stringify(kith.connection)}))
      await updateAllBuiltIn(db, console)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
    const done = async () => (await versions()).filter(({ built_in_version: at }) => at === builtInVersion).length
    const before = await done()
    await untilWaiting(kith.connection, 'companies')
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    await holder.query('rollback')
    holder.release()
    expect(await done()).toBe(before + 5)
    const whole = builtIn.tasks.fields.length
    for (const company of companies) {
      const { rows } = await pool.query('select built_in_version as at from companies where id = $1', [
        company.company_id,
      ])
      expect((await tasksOf(company)).fields).toHaveLength(rows[0].at === builtInVersion ? whole : whole - 1)
    }
    expect(await update()).toBe(3)
    for (const company of companies) expect((await tasksOf(company)).fields).toHaveLength(whole)
  })

  test('updates the other companies if one fails', async () => {
    const [first, second] = await someCompanies(2)
    // Locked by another connection: the statement that waits for it times out.
    const client = await pool.connect()
    await client.query('begin')
    await client.query('select 1 from companies where id = $1 for update', [first!.company_id])
    const warned: unknown[] = []
    const hasty = kith.db.connection().execute(async (one) => {
      await sql`set lock_timeout = 200`.execute(one)
      const count = await updateAllBuiltIn(one, { warn: (...said: unknown[]) => warned.push(said) } as never)
      await sql`reset lock_timeout`.execute(one)
      return count
    })
    expect(await hasty).toBe(1)
    await client.query('rollback')
    client.release()
    expect(warned).toHaveLength(1)
    expect((await tasksOf(second!)).fields.at(-1)!.key).toBe('completed_at')
    expect(await update()).toBe(1)
  })
})

describe('completed_at of a task', () => {
  test('is set when the task is done, cleared when it is reopened, and restored by undo', async () => {
    const { api } = await newCompany()
    const { records } = await api.createRecords({ object: 'tasks', records: [{ title: 'Call Ada' }] })
    const id = records[0]!.id
    const set = async (values: object) => {
      const { change_set_id } = await api.updateRecords({ object: 'tasks', records: [{ id, values: { ...values } }] })
      return change_set_id!
    }
    const completedAt = async () => (await api.getRecord({ object: 'tasks', id })).completed_at
    expect(await completedAt()).toBeUndefined()
    const first = kith.time.now.toISOString()
    await set({ status: 'done' })
    kith.minutes(5)
    await set({ title: 'Call Ada again' })
    expect(await completedAt()).toBe(first)
    const reopened = await set({ status: 'open' })
    expect(await completedAt()).toBeUndefined()
    kith.minutes(5)
    await api.undoChanges({ change_set_ids: [reopened] })
    expect(await completedAt()).toBe(first)
    await expect(set({ completed_at: first })).rejects.toThrow()
  })

  test('is now for a task created as done, and empty for tasks completed before the update', async () => {
    const { api, company_id } = await newCompany()
    const task = { title: 'Call Ada', status: 'done' }
    const { records } = await api.createRecords({ object: 'tasks', records: [task, task] })
    const [one, other] = records.map(({ id }) => id)
    expect(records[0]).toMatchObject({ completed_at: kith.time.now.toISOString() })
    await pool.query(`update records set values = values - 'completed_at' where company_id = $1 and id = $2`, [
      company_id,
      other,
    ])
    await api.updateRecords({ object: 'tasks', records: [{ id: other!, values: { title: 'Renamed' } }] })
    expect(await api.getRecord({ object: 'tasks', id: other! })).not.toHaveProperty('completed_at')
    const filter = 'completed_at in today'
    const found = await api.queryRecords({ object: 'tasks', filter, sort: ['-completed_at'] })
    expect(found.records.map(({ id }) => id)).toEqual([one])
  })
})
