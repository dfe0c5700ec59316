// The check itself. What the product sends is checked in every test with an app, and in every process that a test starts.
import { describe, expect, test } from 'vitest'
import { companiesIn } from './companies-in.ts'
import { companyColumns } from './company-tables.ts'
import { undistributable } from './distributable.ts'
import { problemWith } from './watch.ts'

const unnamed = (text: string) => companiesIn(text).unnamed

test('the tables of companies come from the migrations', () => {
  expect(companyColumns.size).toBeGreaterThan(30)
  expect(companyColumns.get('records')).toBe('company_id')
  expect(companyColumns.has('migrations')).toBe(false)
})

describe('a statement names its company', () => {
  test.each([
    'select * from records where company_id = $1 and id = $2',
    'select r.id from "records" as "r" where ("r"."company_id" = $1 or false) is true and "r"."company_id" = $2',
    'select 1 from records r join links l on l.company_id = r.company_id and l.from_id = r.id where r.company_id = $1::uuid',
    'select 1 from records r left join users u on u.company_id = r.company_id where r.company_id = $1',
    'select 1 from records r where r.company_id = $1 and exists (select 1 from links l where l.company_id = r.company_id)',
    'select 1 from records r where r.company_id = $1 and r.id in (select from_id from links where company_id = $1)',
    'select 1 from unnest($1::uuid[]) w(id) cross join lateral (select * from records r where r.company_id = $2 and r.id = w.id offset 0) r',
    'select 1 from (select $1::uuid as company_id) k join users u on u.company_id = k.company_id',
    'select company_id from company_by_secret where hash = $1',
    'with s as (update sign_in_steps set attempts = 1 where token_hash = $1 returning company_id) update users u set name = $2 from s where u.company_id = s.company_id',
    'insert into records (company_id, id) values ($1, $2), ($3, $4)',
    'insert into records (id, company_id) select id, $1::uuid from jsonb_populate_recordset(null::records, $2)',
    'with w0 as (insert into links (company_id, to_id) values ($1, $2)), w1 as (delete from links where company_id = $3) select 1',
    'update records t set title = x.title from jsonb_to_recordset($1) as x(id uuid, title text) where t.company_id = $2 and t.id = x.id',
    'select id from companies',
    'select 1 from companies c join users u on u.company_id = c.id where c.id = $1',
    'select * from pgboss.job',
    'begin',
  ])('%s', (text) => {
    expect(unnamed(text)).toEqual([])
  })
})

describe('a statement could touch several companies', () => {
  test.each([
    ['select * from records where id = $1', ['records']],
    ['select * from records where company_id = $1 or id = $2', ['records']],
    ['select * from records where company_id = any($1)', ['records']],
    ['select * from records where company_id = (select $1::uuid)', ['records']],
    ['select 1 from records r join links l on l.from_id = r.id where r.company_id = $1', ['links']],
    ['select 1 from records r left join users u on r.company_id = $1', ['records', 'users']],
    [
      'select 1 from records r where exists (select 1 from links l where l.company_id = r.company_id and l.company_id = $1)',
      ['records'],
    ],
    [
      'select 1 from companies c where exists (select 1 from audit_events e where e.company_id = c.id)',
      ['audit_events'],
    ],
    ['select 1 from users where email = $1', ['users']],
    [
      'update records t set title = x.title from jsonb_populate_recordset(null::records, $1) x where t.company_id = x.company_id',
      ['records'],
    ],
    ['insert into records select * from jsonb_populate_recordset(null::records, $1)', ['records']],
    [
      'insert into records (company_id) select company_id from jsonb_populate_recordset(null::records, $1)',
      ['records'],
    ],
    ['delete from requests r using companies c where r.company_id = c.id', ['requests']],
    ['with w0 as (delete from links where to_id = $1) select 1', ['links']],
  ])('%s', (text, tables) => {
    expect(unnamed(text)).toEqual(tables)
  })
})

test.each([
  [
    'select 1 from records r where r.company_id = $1 and exists (select 1 from links l where l.company_id = r.company_id)',
    'in a subquery, links l takes its company from outside',
  ],
  [
    'select u.name from sign_in_emails k join users u on u.company_id = k.company_id where k.email = $1',
    'uses sign_in_emails together with users',
  ],
  [
    'select pg_advisory_xact_lock(hashtext(id::text)) from channels where company_id = $1',
    'takes a lock while it reads a table, so on another node',
  ],
  [
    "update jobs set input = input || jsonb_build_object('at', state) where company_id = $1",
    'sets input with jsonb_build_object of a column',
  ],
  [
    'update jobs set started_at = coalesce(started_at, now()) where company_id = $1',
    'sets started_at with a choice between values that are not immutable',
  ],
  [
    "update jobs set started_at = created_at + interval '1 day' where company_id = $1",
    'sets started_at with an interval added to a column',
  ],
])('a cluster would not take: %s', (text, why) => {
  expect(undistributable(text)).toContain(why)
})

test('a cluster takes what names its company as a value, and locks without a table', () => {
  for (const text of [
    'select 1 from records r where r.company_id = $1 and exists (select 1 from links l where l.company_id = $1)',
    'select pg_advisory_xact_lock(hashtext($1))',
    'update jobs set started_at = now() where company_id = $1',
    'with w as (insert into links (company_id, to_id) values ($1, $2)) insert into outbox (company_id) values ($1)',
  ])
    expect(undistributable(text), text).toEqual([])
})

test('the values name one company, not two', () => {
  const text = 'insert into records (company_id, id) values ($1, $2), ($3, $4)'
  expect(problemWith(text, ['a', 1, 'a', 2])).toBeUndefined()
  expect(problemWith(text, ['a', 1, 'b', 2])).toMatch(/^names 2 companies/)
})
