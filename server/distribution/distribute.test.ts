// Citus cannot be installed for tests. Its functions and views are imitated: they note what they were asked, and refuse
// what Citus refuses.
import { beforeEach, describe, expect, test } from 'vitest'
import { ask as askAs, contentOf, shapeOf } from '../../test/backup.ts'
import { testDatabase } from '../../test/database.ts'
import { givenFor } from '../../test/given.ts'
import { distribute, planOf } from './distribute.ts'
import { distributed, known, transitional } from './tables.ts'

const citus = `
  create schema stand_in;
  create table stand_in.calls (position serial, call text);
  create table stand_in.tables (table_name regclass primary key, citus_table_type text);
  create table stand_in.fault (name text);
  create function citus_version() returns text language sql as $$ select 'Citus 13.2.2 on x86_64-pc-linux-gnu'::text $$;
  create view citus_tables as select * from stand_in.tables;
  create view pg_dist_node as
    select 'worker-' || n as nodename, 5432 as nodeport, true as isactive, 'primary' as noderole, true as shouldhaveshards
    from generate_series(1, 2) n;
  create function stand_in.move(moved regclass, kind text) returns void language plpgsql as $$ begin
    if exists (select from pg_constraint where contype = 'f' and moved in (conrelid, confrelid)) then
      raise exception 'cannot create foreign key constraint';
    end if;
    if exists (select from stand_in.fault where name = moved::text) then raise exception 'connection lost'; end if;
    if kind is null then delete from stand_in.tables where table_name = moved;
    else insert into stand_in.tables values (moved, kind); end if;
  end $$;
  create function create_distributed_table(moved regclass, distribution_column text, colocate_with text) returns void
    language plpgsql as $$ begin
    perform stand_in.move(moved, 'distributed');
    insert into stand_in.calls (call) values (format('%s by %s with %s', moved, distribution_column, colocate_with));
  end $$;
  create function citus_add_local_table_to_metadata(moved regclass) returns void language plpgsql as $$ begin
    perform stand_in.move(moved, 'local');
    insert into stand_in.calls (call) values (format('%s is known', moved));
  end $$;
  create function undistribute_table(moved regclass) returns void language plpgsql as $$ begin
    perform stand_in.move(moved, null);
    insert into stand_in.calls (call) values (format('%s is back', moved));
  end $$;`

const quiet = () => {}
/** Without what only processes of an earlier version need. */
const lastingShape = async () =>
  (await shapeOf(database.owner)).filter(({ it }) => !transitional.some((name) => String(it).includes(name)))
let database: Awaited<ReturnType<typeof testDatabase>>
const ask = (text: string) => askAs<Record<string, unknown>>(database.owner, text)
const calls = async () =>
  (await ask('select call from stand_in.calls order by position')).map(({ call }) => String(call))

beforeEach(async () => {
  database = await testDatabase()
  const given = givenFor(database.db, () => new Date('2026-06-15T12:00:00Z'))
  for (const name of ['Acme', 'Beta']) await given.key(await given.company({ name }))
  // Kith is recognized by the connections of its pool.
  const { rows } = await database.pool.query('select pg_backend_pid() as pid')
  for (const { pid } of rows) await database.pool.query('select pg_terminate_backend($1)', [pid]).catch(() => {})
})

describe('without Citus', () => {
  test('it says what to install, and changes nothing', async () => {
    const before = await shapeOf(database.owner)
    for (const attempt of [() => planOf(database.owner, 'distribute'), () => distribute(database.owner, 'undo', quiet)])
      await expect(attempt()).rejects.toThrow(
        /Citus is not installed .*\n.*shared_preload_libraries[\s\S]*create extension citus/,
      )
    expect(await shapeOf(database.owner)).toEqual(before)
  })
})

describe('with Citus', () => {
  beforeEach(() => ask(citus))

  test('a dry run lists every table with its rows and place, and changes nothing', async () => {
    const { version, workers, steps } = await planOf(database.owner, 'distribute')
    expect({ version, workers }).toEqual({ version: '13.2.2', workers: 2 })
    const of = (name: string) => steps.find(({ table }) => table === name)
    expect(of('companies')).toEqual({ table: 'companies', kind: 'distributed', rows: 2, isDone: false })
    expect(of('outbox')).toMatchObject({ kind: 'known', isDone: false })
    expect(of('sign_in_emails')).toMatchObject({ kind: 'local', rows: 2 })
    expect(await calls()).toEqual([])
  })

  test('tables are distributed by company, with all rows and the same rules, and brought back', async () => {
    const [content, shape] = [await contentOf(database.owner), await lastingShape()]
    const moved = await distribute(database.owner, 'distribute', quiet)
    expect(moved).toMatchObject({ tables: distributed.length + known.length, workers: 2 })
    const asked = await calls()
    expect(asked).toContain('companies by id with none')
    expect(asked).toContain('records by company_id with "public"."companies"')
    expect(asked).toContain('outbox is known')
    expect(asked.some((call) => call.startsWith('sign_in_emails'))).toBe(false)
    expect(await lastingShape()).toEqual(shape)
    expect(await contentOf(database.owner)).toEqual(content)
    expect((await distribute(database.owner, 'distribute', quiet)).tables, 'nothing is left').toBe(0)

    await distribute(database.owner, 'undo', quiet)
    expect(await ask('select * from stand_in.tables')).toEqual([])
    expect(await lastingShape()).toEqual(shape)
    expect(await contentOf(database.owner)).toEqual(content)
  })

  test('a run that was interrupted goes on where it stopped', async () => {
    const shape = await lastingShape()
    await ask(`insert into stand_in.fault values ('messages')`)
    await expect(distribute(database.owner, 'distribute', quiet)).rejects.toThrow('connection lost')
    const before = await calls()
    expect(before.length).toBeGreaterThan(5)
    await ask('delete from stand_in.fault')
    const { tables } = await distribute(database.owner, 'distribute', quiet)
    expect(tables).toBe(distributed.length + known.length - before.length)
    expect(new Set(await calls()).size).toBe(distributed.length + known.length)
    expect(await lastingShape()).toEqual(shape)
  })

  test('a table whose rows are not the same afterwards stays as it was', async () => {
    await ask(`create function lose() returns trigger language plpgsql as $$ begin
        delete from roles where name = 'Member'; return null; end $$;
      create trigger lose after insert on stand_in.calls for each row when (new.call like 'roles %') execute function lose()`)
    const rows = await ask('select id from roles order by id')
    await expect(distribute(database.owner, 'distribute', quiet)).rejects.toThrow(
      /roles has \d+ rows after it was moved/,
    )
    expect(await ask('select id from roles order by id')).toEqual(rows)
  })
})
