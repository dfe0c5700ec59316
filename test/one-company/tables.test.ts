// Where each table is kept on a cluster, compared with the database.
import { expect, test } from 'vitest'
import { companyColumn, distributed, known, local, transitional } from '../../server/distribution/tables.ts'
import { testApp } from '../app.ts'

const { pool } = await testApp({ own: true })

const select = async <Row extends object>(text: string) => (await pool.query<Row>(text)).rows
const oursOnly = `c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`

test('every table has one place', async () => {
  const tables = await select<{ name: string }>(`select c.relname::text as name from pg_class c where ${oursOnly}`)
  const placed = [...distributed, ...known, ...local]
  expect(placed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  expect(new Set(placed).size).toBe(placed.length)
})

test('in tables that are distributed, the company comes first in every unique index', async () => {
  const indexes = await select<{ name: string; first: string | null; index: string }>(
    `select c.relname::text as name, i.indexrelid::regclass::text as index,
       (select attname::text from pg_attribute where attrelid = c.oid and attnum = i.indkey[0]) as first
     from pg_index i join pg_class c on c.oid = i.indrelid where ${oursOnly} and i.indisunique`,
  )
  const wrong = indexes.filter(({ name, first }) => distributed.includes(name) && first !== companyColumn(name))
  expect(wrong).toEqual([])
  const withKey = new Set(indexes.map(({ name }) => name))
  expect(distributed.filter((name) => !withKey.has(name))).toEqual([])
})

test('foreign keys stay within a company, or within one machine', async () => {
  const keys = await select<{ name: string; to: string; columns: string[]; key: string }>(
    `select c.relname::text as name, f.relname::text as to, k.conname::text as key,
       array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(k.conkey)) as columns
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
     where ${oursOnly} and k.contype = 'f'`,
  )
  const isDistributed = (name: string) => distributed.includes(name)
  const wrong = keys.filter(
    ({ name, to, columns }) =>
      isDistributed(name) !== isDistributed(to) || (isDistributed(name) && !columns.includes('company_id')),
  )
  expect(wrong).toEqual([])
})

test('no table that is distributed has a trigger, except for processes of an earlier version', async () => {
  const triggers = await select<{ name: string; trigger: string }>(
    `select c.relname::text as name, t.tgname::text as trigger from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where ${oursOnly} and not t.tgisinternal and tgname <> all(array['${transitional.join("','")}'])`,
  )
  expect(triggers.filter(({ name }) => distributed.includes(name))).toEqual([])
})
