// A backup is worth what its restore gives back: the same rows, or a refusal that changes nothing.
import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { givenFor } from '../../test/given.ts'
import { oldMigrations } from '../../test/old-migrations.ts'
import { oldSeal } from '../../test/old-seal.ts'
import { databaseUrlOf, freePort, launch, type Started, until } from '../../test/process.ts'
import { placeOfSecret } from '../accounts/credentials/two-factor.ts'
import { diskStore, type FileStore } from '../files/store.ts'
import { sweepFiles } from '../files/sweep.ts'
import { joinEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { migrate, migrationsFolder } from '../platform/migrate.ts'
import { createVault } from '../platform/vault.ts'
import { backUp } from './backup.ts'
import { headerFrame, packing, rowsFrame, tableFrame, trailerFrame } from './format.ts'
import { openBackup } from './open-backup.ts'
import { openForRestore, restore } from './restore.ts'

const home = mkdtempSync(join(tmpdir(), 'kith-backup-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
let made = 0
const newFile = () => join(home, `${++made}.kith`)
const store = diskStore(join(home, 'files'))

const emptyDatabase = async () => (await testDatabase({ from: 'template0' })).connection
type Options = { folder?: string; passphrase?: string; store?: FileStore }
const restoreInto = async (connection: pg.ClientConfig, file: string, options: Options = {}) =>
  restore({
    store: options.store ?? store,
    connection,
    folder: options.folder,
    backup: await openForRestore(file, options),
  })

// Not through the pool: its connections are what a running Kith is known by.
async function ask<T extends pg.QueryResultRow>(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<T>(text)
  await client.end()
  return rows
}
const tablesOf = async (connection: pg.ClientConfig) => {
  const rows = await ask<{ name: string }>(
    connection,
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  )
  return rows.map(({ name }) => name)
}
/** Every row of every table as text. */
async function contentOf(connection: pg.ClientConfig) {
  const content: Record<string, string[]> = {}
  for (const name of await tablesOf(connection)) {
    const rows = await ask<{ row: string }>(connection, `select t::text as row from "${name}" t order by 1`)
    content[name] = rows.map(({ row }) => row)
  }
  return content
}
/** Every table, column, constraint and index, as PostgreSQL describes it. */
const shapeOf = (connection: pg.ClientConfig) =>
  ask(
    connection,
    `select attrelid::regclass::text || '.' || attname || ' ' || format_type(atttypid, atttypmod) as it
     from pg_attribute join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
     union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
     order by 1`,
  )

function run(program: 'backup' | 'restore', env: Record<string, string>, ...args: string[]): Started {
  const child = spawn(process.execPath, [`server/commands/${program}.ts`, ...args], {
    env: { PATH: process.env.PATH!, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, output: () => output }
}

describe('a company with everything in it', () => {
  let source: Awaited<ReturnType<typeof testDatabase>>
  let file: string
  beforeAll(async () => {
    source = await testDatabase()
    const given = givenFor(source.db, () => new Date('2026-06-15T12:00:00Z'))
    const admin = await given.company({ name: 'Ærø & Söhne 株式会社 🦊', adminName: 'O\'Brien "\\N" \t\n' })
    const member = await given.user(admin, { name: 'مريم', grants: ['audit.read'] })
    await given.key(member)
    await given.deletedKey(member)
    await given.session(admin)
    await source.ownerPool.query(
      `update roles set grants = array['', 'a,b', '"quoted"', '\\back', '{}', 'null', '漢字'] where not is_admin`,
    )
    await source.ownerPool.query(
      `insert into requests (company_id, id, at, door, method, route, status, duration_ms, error_code)
       select '${admin.company_id}', gen_random_uuid(), at, 'web', 'GET', '/\\.', 200, ms, nullif(ms::text, 'NaN')
       from (values (timestamptz 'infinity', 'NaN'::float8), ('0044-03-15 BC', 0.1::float8 + 0.2), ('epoch', '-Infinity')) v (at, ms)`,
    )
    await source.ownerPool.query(
      `insert into sessions (token_hash, id, company_id, user_id, created_at, last_seen_at)
       values ('\\x00ff0a5c09', gen_random_uuid(), '${admin.company_id}', '${admin.user_id}', now(), now())`,
    )
    await source.ownerPool.query(
      `update audit_events set data = '{"deep": [null, 1e400, "\\u0001 \\\\. \\n", {"é": {}}]}' where action = 'user.created'`,
    )
    file = newFile()
    await backUp({ store, connection: source.owner, file, extras: { secret_key: 's3cret' } })
  })

  test('comes back row for row, with the same tables, indexes, rules and extras', async () => {
    const target = await emptyDatabase()
    const { rows, leftOut, extras } = await restoreInto(target, file)
    const content = await contentOf(target)
    expect(content).toEqual(await contentOf(source.owner))
    expect(rows).toBe(Object.values(content).flat().length)
    expect(await shapeOf(target)).toEqual(await shapeOf(source.owner))
    expect({ leftOut, extras }).toEqual({ leftOut: [], extras: { secret_key: 's3cret' } })
    expect(await migrate(target)).toEqual([])
  })

  test('comes back into a database that was started but never set up', async () => {
    const { owner: connection } = await testDatabase()
    await ask(connection, "insert into sign_in_failures values (gen_random_uuid(), '\\x00', '192.0.2.1', now())")
    await restoreInto(connection, file)
    expect(await contentOf(connection)).toEqual(await contentOf(source.owner))
    expect(await shapeOf(connection)).toEqual(await shapeOf(source.owner))
  })

  test('is kept from the eyes of others, and never written over', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await expect(backUp({ store, connection: source.owner, file })).rejects.toThrow(/already exists.*choose another/)
    expect(readdirSync(home).filter((name) => name.endsWith('.partial'))).toEqual([])
  })

  test('a file cut off anywhere, or with any byte changed, is refused', async () => {
    const whole = readFileSync(file)
    const altered = newFile()
    const readAll = async (bytes: Uint8Array) => {
      writeFileSync(altered, bytes)
      const backup = await openBackup(altered)
      try {
        for await (const { rows } of backup.tables()) for await (const _ of rows);
        await backup.trailer()
      } finally {
        backup.close()
      }
    }
    await readAll(whole)
    for (let at = 0; at < whole.length; at += 7) {
      await expect(readAll(whole.subarray(0, at)), `cut at ${at}`).rejects.toThrow(/not a Kith backup|incomplete/)
      const flipped = Buffer.from(whole)
      flipped[at]! ^= 0x10
      await expect(readAll(flipped), `byte ${at}`).rejects.toThrow(/not a Kith backup|newer|incomplete|damaged/)
    }
  })

  test('with a passphrase is encrypted, and comes back with the same one', async () => {
    const [encrypted, target] = [newFile(), await emptyDatabase()]
    const passphrase = 'correct horse battery'
    await backUp({ store, connection: source.owner, file: encrypted, extras: { secret_key: 's3cret' }, passphrase })
    for (const word of ['KITH BACKUP 2', 'migrations', 's3cret', passphrase])
      expect(readFileSync(encrypted).includes(word)).toBe(false)
    await expect(restoreInto(target, encrypted)).rejects.toThrow(/is encrypted\. Set BACKUP_PASSPHRASE/)
    await expect(restoreInto(target, encrypted, { passphrase: 'Correct horse battery' })).rejects.toThrow(
      /could not be decrypted with BACKUP_PASSPHRASE.*Nothing was changed/,
    )
    expect(await tablesOf(target)).toEqual([])
    const { extras } = await restoreInto(target, encrypted, { passphrase })
    expect(extras).toEqual({ secret_key: 's3cret' })
    expect(await contentOf(target)).toEqual(await contentOf(source.owner))
  })

  test('a copy that would differ in one letter is refused by its checksum', async () => {
    const [backup, altered, target] = [await openBackup(file), newFile(), await emptyDatabase()]
    const frames = async function* () {
      yield* headerFrame(backup.header)
      for await (const { name, rows } of backup.tables()) {
        yield* tableFrame(name)
        for await (const part of rows) yield* rowsFrame(Buffer.from(String(part).replace('Söhne', 'Sohne')))
      }
      yield* trailerFrame(await backup.trailer())
    }
    await pipeline(frames, ...packing(), createWriteStream(altered))
    await expect(restoreInto(target, altered)).rejects.toThrow(/companies differs from the backup \(1 of 1 rows\)/)
    expect(await tablesOf(target)).toEqual([])
  })

  describe('is not restored, and nothing is changed,', () => {
    const altered = (change: (bytes: Buffer) => Buffer) => {
      const path = newFile()
      writeFileSync(path, change(Buffer.from(readFileSync(file))))
      return path
    }
    const folderWith = (change: (folder: string, last: string) => void) => {
      const folder = mkdtempSync(join(home, 'migrations-'))
      const names = readdirSync(migrationsFolder).sort()
      for (const name of names) writeFileSync(join(folder, name), readFileSync(join(migrationsFolder, name)))
      change(folder, join(folder, names.at(-1)!))
      return folder
    }

    test.each([
      ['that is not there', () => join(home, 'none.kith'), /none\.kith was not found/],
      ['that is something else', () => join(process.cwd(), 'package.json'), /is not a Kith backup/],
      ['that lacks its end', () => altered((bytes) => bytes.subarray(0, -1)), /is incomplete: its end is missing/],
      ['of a newer format', () => altered((bytes) => bytes.fill('9', 12, 13)), /by a newer version of Kith\. Update/],
      [
        'that is damaged',
        () => altered((bytes) => bytes.fill(0, bytes.length - 200, bytes.length - 190)),
        /is damaged/,
      ],
    ])('from a file %s', async (_, path, message) => {
      const target = await emptyDatabase()
      await expect(restoreInto(target, path())).rejects.toThrow(message)
      expect(await tablesOf(target)).toEqual([])
    })

    test('by an older Kith, or one whose migrations differ', async () => {
      const target = await emptyDatabase()
      const older = folderWith((_, last) => rmSync(last))
      await expect(restoreInto(target, file, { folder: older })).rejects.toThrow(
        /created by a newer version of Kith .*Update this installation/,
      )
      const edited = folderWith((_, last) => writeFileSync(last, 'select 1'))
      await expect(restoreInto(target, file, { folder: edited })).rejects.toThrow(
        /differs from the one in this installation/,
      )
      expect(await tablesOf(target)).toEqual([])
    })

    test('into a database with a company, with tables of others, or under a running Kith', async () => {
      const before = await contentOf(source.owner)
      await expect(restoreInto(source.owner, file)).rejects.toThrow(
        /already contains a company.*Set DATA_DIR to an empty/,
      )
      expect(await contentOf(source.owner)).toEqual(before)

      const shared = await emptyDatabase()
      await ask(shared, 'create table diary as select 1 as page')
      await expect(restoreInto(shared, file)).rejects.toThrow(/other applications \(diary\).*DATABASE_URL to an empty/)
      expect(await contentOf(shared)).toEqual({ diary: ['(1)'] })

      const running = await testDatabase()
      await running.pool.query('select 1')
      await expect(restoreInto(running.owner, file)).rejects.toThrow(/Kith is running on this database/)
    })
  })
})

test('a backup of an older Kith is brought up to date, and needs no order among tables', async () => {
  const folder = mkdtempSync(join(home, 'shape-'))
  const first = `
    create type mood as enum ('calm', 'wild');
    create table cats (id int primary key generated always as identity, moods mood[], loves int not null,
      twice int generated always as (loves * 2) stored, unique (loves));
    create table dogs (id serial primary key, chases int references cats (loves) deferrable initially deferred);
    alter table cats add foreign key (loves) references dogs (id) deferrable initially deferred;
    create function no_dogs() returns trigger language plpgsql as $$ begin return null; end $$;
    insert into dogs (id) values (7);
    create trigger no_dogs before insert on dogs for each row execute function no_dogs();`
  writeFileSync(join(folder, '0001_pets.sql'), first)
  const old = await emptyDatabase()
  await migrate(old, folder)
  await ask(old, "insert into cats (moods, loves) values ('{wild,calm}', 7); update dogs set chases = 7")
  await ask(old, "select setval('dogs_id_seq', 41)")
  const file = newFile()
  await backUp({ store, connection: old, file })

  writeFileSync(join(folder, '0002_more.sql'), 'alter table cats add name text; update cats set name = loves::text')
  const fresh = await emptyDatabase()
  await migrate(fresh, folder)
  await restoreInto(fresh, file, { folder })
  expect(await contentOf(fresh)).toMatchObject({ cats: ['(1,"{wild,calm}",7,14,7)'], dogs: ['(7,7)'] })
  expect(await ask(fresh, "select nextval('dogs_id_seq')")).toEqual([{ nextval: '42' }])
  expect(await ask(fresh, "select nextval('cats_id_seq')")).toEqual([{ nextval: '2' }])
  expect(await migrate(fresh, folder)).toEqual([])
})

test('a table that someone made beside ours is in the backup, and the restore says that it leaves it out', async () => {
  const { owner: connection } = await testDatabase()
  await ask(connection, 'create table diary as select generate_series(1, 3) as page')
  const file = newFile()
  await backUp({ store, connection, file })
  const target = await emptyDatabase()
  expect(await restoreInto(target, file)).toMatchObject({ leftOut: ['diary'] })
  expect(await tablesOf(target)).not.toContain('diary')
})

/** The same backup as version 0.1 wrote it. */
function inFirstFormat(file: string) {
  const packed = readFileSync(file).subarray('KITH BACKUP 2\n'.length, -81)
  const begin = Buffer.concat([Buffer.from('KITH BACKUP 1\n'), packed])
  const digest = createHash('sha256').update(begin).digest('hex')
  return Buffer.concat([begin, Buffer.from(`KITH BACKUP END ${digest}\n`)])
}

describe('files', () => {
  let source: Awaited<ReturnType<typeof testDatabase>>
  let company_id: string
  const contents = [Buffer.from('small'), randomBytes(300_000), Buffer.alloc(1_000_000, 'a')]
  const ids = contents.map(() => randomUUIDv7())
  const newStore = () => diskStore(mkdtempSync(join(home, 'store-')))
  const contentIn = async (from: FileStore, id: string) =>
    Buffer.concat((await Array.fromAsync(await from.read(`${company_id}/${id}`))) as Buffer[])
  beforeAll(async () => {
    source = await testDatabase()
    const admin = await givenFor(source.db, () => new Date('2026-06-15T12:00:00Z')).company()
    company_id = admin.company_id
    for (const [i, content] of contents.entries()) {
      const { size, sha256 } = await store.put(`${company_id}/${ids[i]}`, [content])
      const row = { company_id, id: ids[i]!, purpose: 'import', name: 'a', type: 'text/plain', size, sha256 }
      await source.db
        .insertInto('files')
        .values({ ...row, created_at: new Date() })
        .execute()
    }
  })

  test.each([undefined, 'correct horse battery'])('come back with their rows, passphrase %s', async (passphrase) => {
    const [file, target, fresh] = [newFile(), await emptyDatabase(), newStore()]
    const made = await backUp({ store, connection: source.owner, file, passphrase })
    const figures = { count: 3, bytes: 1_300_005 }
    expect(made.files).toEqual({ ...figures, lost: [] })
    const restored = await restoreInto(target, file, { store: fresh, ...(passphrase && { passphrase }) })
    expect(restored.files).toEqual(figures)
    for (const [i, content] of contents.entries()) expect((await contentIn(fresh, ids[i]!)).equals(content)).toBe(true)
    expect(await contentOf(target)).toEqual(await contentOf(source.owner))
  })

  test('that were deleted while the backup ran are in it, because nothing is swept meanwhile', async () => {
    const [file, fresh, id] = [newFile(), newStore(), randomUUIDv7()]
    const { size, sha256 } = await store.put(`${company_id}/${id}`, [Buffer.from('soon gone')])
    const row = { company_id, id, purpose: 'import', name: 'a', type: 'text/plain', size, sha256 }
    await source.db
      .insertInto('files')
      .values({ ...row, created_at: new Date() })
      .execute()
    utimesSync(join(home, 'files', company_id, id), new Date(0), new Date(0))
    let swept: number | undefined
    const meanwhile: FileStore = {
      ...store,
      async read(key) {
        if (swept === undefined) {
          await source.db.deleteFrom('files').where('id', '=', id).execute()
          swept = await sweepFiles(source.db, store)
        }
        return store.read(key)
      },
    }
    await backUp({ store: meanwhile, connection: source.owner, file })
    expect(swept).toBe(0)
    await restoreInto(await emptyDatabase(), file, { store: fresh })
    expect(String(await contentIn(fresh, id))).toBe('soon gone')
    expect(await sweepFiles(source.db, store)).toBe(1)
  })

  test('whose bytes are lost or damaged do not keep the rest from being saved, and are named', async () => {
    const [file, fresh, damagedStore] = [newFile(), newStore(), newStore()]
    for (const [i, content] of contents.entries())
      if (i) await damagedStore.put(`${company_id}/${ids[i]}`, [i === 1 ? content.subarray(1) : content])
    const made = await backUp({ store: damagedStore, connection: source.owner, file })
    expect(made.files).toMatchObject({ count: 2, lost: [ids[0], ids[1]].sort().map((id) => `${company_id}/${id}`) })
    expect((await restoreInto(await emptyDatabase(), file, { store: fresh })).files.count).toBe(2)
    expect((await contentIn(fresh, ids[2]!)).equals(contents[2]!)).toBe(true)
  })

  test('of a restore that fails are removed again', async () => {
    const [file, fresh] = [newFile(), mkdtempSync(join(home, 'store-'))]
    await backUp({ store, connection: source.owner, file })
    const beforeCommit = () => {
      throw new Error('no')
    }
    const backup = await openForRestore(file)
    const order = { connection: await emptyDatabase(), store: diskStore(fresh), backup, beforeCommit }
    await expect(restore(order)).rejects.toThrow('no')
    expect(readdirSync(join(fresh, company_id))).toEqual([])
  })

  test('are missing in a backup of the first format, which is restored all the same', async () => {
    const [file, old, target] = [newFile(), newFile(), await emptyDatabase()]
    const { owner } = await testDatabase()
    await backUp({ store, connection: owner, file })
    writeFileSync(old, inFirstFormat(file))
    await restoreInto(target, old)
    expect(await contentOf(target)).toEqual(await contentOf(owner))
  })
})

describe('with many rows', () => {
  let source: pg.ClientConfig
  let file: string
  const company = "'01900000-0000-7000-8000-000000000000'"
  const events = (from: string) =>
    `insert into audit_events (company_id, id, at, action, door, request_id, data) select ${company}, gen_random_uuid(), now(), 'x', 'web', 'r', jsonb_build_object('text', repeat(md5(n::text), 4)) ${from}`
  const requests = `insert into requests (company_id, id, at, door, method, route, status, duration_ms) select ${company}, gen_random_uuid(), now(), 'web', 'GET', '/', 200, 1`
  beforeAll(async () => {
    source = (await testDatabase()).owner
    await ask(source, `insert into companies (id, name) values (${company}, 'Acme')`)
    await ask(source, events('from generate_series(1, 40000) n'))
    file = newFile()
    await backUp({ store, connection: source, file })
  })
  const copying = async ({ database }: pg.ClientConfig) => {
    const watcher = new pg.Client(source)
    await watcher.connect()
    const text = 'select 1 from pg_stat_progress_copy where datname = $1 and tuples_processed > 1000'
    const seen = async () => expect((await watcher.query(text, [database])).rowCount).toBe(1)
    await vi.waitFor(seen, { timeout: 20_000, interval: 2 })
    await watcher.end()
  }
  const envOf = (connection: pg.ClientConfig) => ({
    DATABASE_URL: databaseUrlOf(connection),
    DATA_DIR: join(home, 'x'),
  })
  const filesOf = (folder: string) => readdirSync(folder).sort()
  const newFolder = () => mkdtempSync(join(home, 'to-'))

  test('a backup shows one moment, whatever is written meanwhile', async () => {
    const changing = newFile()
    const writer = new pg.Client(source)
    await writer.connect()
    let done = false
    const making = backUp({ store, connection: source, file: changing }).finally(() => {
      done = true
    })
    const together = async () => {
      await writer.query('begin')
      await writer.query(events('from generate_series(1, 1) n'))
      await writer.query(requests)
      await writer.query('commit')
    }
    while (!done) await together()
    await writer.end()
    await making
    const target = await emptyDatabase()
    await restoreInto(target, changing)
    const count = (connection: pg.ClientConfig) =>
      ask<{ events: number; requests: number }>(
        connection,
        'select (select count(*)::int - 40000 from audit_events) as events, (select count(*)::int from requests) as requests',
      )
    const [[copy], [original]] = [await count(target), await count(source)]
    expect(copy!.events).toBe(copy!.requests)
    expect(original!.requests).toBeGreaterThan(copy!.requests)
  })

  test('kill -9 of a backup leaves nothing that looks like one, and the next one succeeds', async () => {
    const folder = newFolder()
    const path = join(folder, 'a.kith')
    const started = run('backup', envOf(source), path)
    await copying(source)
    started.child.kill('SIGKILL')
    await started.ended
    expect(filesOf(folder)).toEqual(['a.kith.partial'])
    const again = await vi.waitFor(() => backUp({ store, connection: source, file: path }), {
      timeout: 20_000,
      interval: 100,
    })
    expect(again.rows).toBeGreaterThan(40_000)
    expect(filesOf(folder)).toEqual(['a.kith'])
  })

  test('Ctrl-C ends a backup and leaves no file', async () => {
    const folder = newFolder()
    const started = run('backup', envOf(source), join(folder, 'a.kith'))
    await copying(source)
    started.child.kill('SIGINT')
    expect(await started.ended).toBe(130)
    expect(started.output()).toContain('Stopped. No backup was created.')
    expect(filesOf(folder)).toEqual([])
  })

  test.each([
    ['kill -9', 'SIGKILL', null, ''],
    ['Ctrl-C', 'SIGINT', 130, 'Stopped. Nothing was changed.'],
  ] as const)(
    '%s of a restore leaves the database as it was, and the next one succeeds',
    async (_, signal, code, said) => {
      const { owner: connection } = await testDatabase()
      const before = await contentOf(connection)
      const started = run('restore', envOf(connection), file)
      await copying(connection)
      started.child.kill(signal)
      expect(await started.ended).toBe(code)
      expect(started.output()).toContain(said)
      expect(await contentOf(connection)).toEqual(before)
      expect((await restoreInto(connection, file)).rows).toBeGreaterThan(40_000)
    },
  )
})

describe('an encrypted backup of several chunks', () => {
  const passphrase = 'correct horse battery'
  const chunk = 64 * 1024 + 16
  const header = 'KITH BACKUP ENCRYPTED 1\n'.length + 32
  const path = newFile()
  let whole: Buffer

  async function readAll(bytes: Uint8Array, given = passphrase) {
    writeFileSync(path, bytes)
    const backup = await openBackup(path, { passphrase: given })
    try {
      const read = []
      for await (const { rows } of backup.tables()) for await (const part of rows) read.push(part)
      await backup.trailer()
      return Buffer.concat(read)
    } finally {
      backup.close()
    }
  }
  const rows = randomBytes(300_000)
  beforeAll(async () => {
    const frames = function* () {
      const columns = [{ name: 'a', columns: ['b'] }]
      yield* headerFrame({ kith: '1', created_at: '', migrations: [], tables: columns, extras: {} })
      yield* tableFrame('a')
      yield* rowsFrame(rows)
      yield* trailerFrame({ tables: [], sequences: [], files: { count: 0, bytes: 0 } })
    }
    await pipeline(frames, ...packing(passphrase), createWriteStream(path))
    whole = readFileSync(path)
  })
  const [one, two, three] = [0, 1, 2].map((n) => [header + n * chunk, header + (n + 1) * chunk] as const)
  const part = ([from, to]: readonly [number, number]) => whole.subarray(from, to)

  test('is read as it was written', async () => {
    expect(whole.length).toBeGreaterThan(header + 4 * chunk)
    expect(await readAll(whole)).toEqual(rows)
  })

  test('is never the same twice', async () => {
    const again = newFile()
    await pipeline([Buffer.from('x')], ...packing(passphrase), createWriteStream(again))
    const other = readFileSync(again)
    expect(other.subarray(24, 40)).not.toEqual(whole.subarray(24, 40))
  })

  test('a flipped bit anywhere is noticed', async () => {
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 8)) {
      const flipped = Buffer.from(whole)
      flipped[at]! ^= 0x10
      await expect(readAll(flipped), `byte ${at}`).rejects.toThrow(
        /not a Kith backup|could not be decrypted|incomplete|damaged/,
      )
    }
  })

  test.each([
    ['cut off inside its header', () => whole.subarray(0, header - 1), /incomplete/],
    ['cut off after its header', () => whole.subarray(0, header), /incomplete/],
    ['cut off between chunks', () => whole.subarray(0, header + 3 * chunk), /incomplete/],
    ['cut off inside a chunk', () => whole.subarray(0, header + 3 * chunk + 100), /incomplete/],
    ['without its last byte', () => whole.subarray(0, -1), /incomplete/],
    ['longer than it was', () => Buffer.concat([whole, Buffer.from('x')]), /incomplete/],
    [
      'with a chunk taken out',
      () => Buffer.concat([whole.subarray(0, two![0]), whole.subarray(two![1])]),
      /damaged|incomplete/,
    ],
    [
      'with two chunks swapped',
      () => Buffer.concat([whole.subarray(0, two![0]), part(three!), part(two!), whole.subarray(three![1])]),
      /damaged/,
    ],
    [
      'with a chunk twice',
      () => Buffer.concat([whole.subarray(0, two![0]), part(one!), whole.subarray(two![1])]),
      /damaged/,
    ],
  ])('%s is refused', async (_, bytes, message) => {
    await expect(readAll(bytes())).rejects.toThrow(message)
  })
})

test('npm run backup and npm run restore work beside a running Kith and without one', async () => {
  const port = String(await freePort())
  const own = { DATA_DIR: join(home, 'own'), PORT: port, LOG: 'off' }
  const other = { ...own, DATA_DIR: join(home, 'other') }
  const credentials = { email: 'ada@example.com', password: 'correct horse' }
  const nothing = run('backup', own)
  expect(await nothing.ended).toBe(1)
  expect(nothing.output()).toContain('There is no database in')
  expect(existsSync(own.DATA_DIR)).toBe(false)

  const admin = { ADMIN_EMAIL: credentials.email, ADMIN_PASSWORD: credentials.password }
  const kith = await until(launch('main', { ...own, ...admin }), 'Kith is ready')
  const beside = run('backup', own)
  expect([await beside.ended, beside.output()]).toEqual([0, expect.stringMatching(/Backed up \d+ rows in \d+ tables/)])
  const backups = join(own.DATA_DIR, 'backups')
  expect(statSync(backups).mode & 0o777).toBe(0o700)
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/^kith-\d{4}-\d\d-\d\dT\d{6}Z\.kith$/)])
  const under = run('restore', own, join(backups, readdirSync(backups)[0]!))
  expect(await under.ended).toBe(1)
  expect(under.output()).toContain('Kith is already running with')
  kith.child.kill('SIGTERM')
  expect(await kith.ended).toBe(0)

  mkdirSync(other.DATA_DIR)
  const keyOf = ({ DATA_DIR }: typeof own) => readFileSync(join(DATA_DIR, 'secret.key'), 'utf8')
  writeFileSync(join(other.DATA_DIR, 'secret.key'), 'of another database')
  const path = join(other.DATA_DIR, 'stopped.kith')
  const alone = run('backup', own, path)
  expect([await alone.ended, alone.output()]).toEqual([0, expect.stringContaining(path)])
  expect(alone.output()).toContain(`The secret key is not in the backup. Store a copy of ${own.DATA_DIR}/secret.key`)
  expect(alone.output()).toContain('Set BACKUP_PASSPHRASE')
  expect(existsSync(join(own.DATA_DIR, 'postgres/cluster/postmaster.pid'))).toBe(false)

  const moved = run('restore', other, path)
  expect([await moved.ended, moved.output()]).toEqual([0, expect.stringMatching(/Restored and verified \d+ rows/)])
  expect(moved.output()).toMatch(/copy secret\.key from the previous installation.*\n.*FORGET_SECRETS=1/)
  expect(keyOf(other)).toBe('of another database')
  const refused = launch('main', other)
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain('encrypted with another key')
  writeFileSync(join(other.DATA_DIR, 'secret.key'), keyOf(own))
  const second = await until(launch('main', other), 'Kith is ready')
  const signedIn = await fetch(`http://localhost:${port}/app/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  expect(signedIn.status).toBe(201)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
}, 90_000)

test('a backup of version 0.1, with its key inside, is restored with everything that the key opens', async () => {
  const old = await emptyDatabase()
  await migrate(old, oldMigrations())
  const key = 'a key of more than thirty-two characters'
  const [company, person] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
  await ask(old, `insert into companies (id, name) values ('${company}', 'Acme')`)
  await ask(old, `insert into roles (company_id, id, name) values ('${company}', '${company}', 'Member')`)
  await ask(
    old,
    `insert into users (company_id, id, role_id, name, totp_secret) values ('${company}', '${person}', '${company}', 'Ada',
      '\\x${oldSeal(key, 'a seed').toString('hex')}')`,
  )
  await ask(old, `insert into installation values ('vault', '${createVault(key).fingerprint}')`)
  const file = newFile()
  await backUp({ store, connection: old, file, extras: { secret_key: key } })
  writeFileSync(file, inFirstFormat(file))
  expect(readFileSync(file).subarray(0, 14).toString()).toBe('KITH BACKUP 1\n')

  const env = { DATA_DIR: mkdtempSync(join(home, 'old-')), PORT: String(await freePort()), LOG: 'off' }
  const restored = run('restore', env, file)
  expect([await restored.ended, restored.output()]).toEqual([0, expect.not.stringContaining('FORGET_SECRETS')])
  expect(readFileSync(join(env.DATA_DIR, 'secret.key'), 'utf8').trim()).toBe(key)
  const kith = await until(launch('main', env), 'Kith is ready')
  const { connection } = await joinEmbeddedPostgres(env.DATA_DIR)
  const [user] = await ask<{ totp_secret: Buffer }>(connection, 'select totp_secret from users')
  const place = placeOfSecret({ company_id: company, user_id: person })
  expect(user!.totp_secret.subarray(0, 5).toString()).toBe('KITH2')
  expect(createVault(key).open(user!.totp_secret, place)).toBe('a seed')
  kith.child.kill('SIGTERM')
  expect(await kith.ended).toBe(0)
}, 90_000)

test('a backup takes the secret key along only when asked, and can be encrypted', async () => {
  const own = { DATA_DIR: mkdtempSync(join(home, 'with-key-')), PORT: String(await freePort()), LOG: 'off' }
  const other = { ...own, DATA_DIR: mkdtempSync(join(home, 'with-key-')) }
  const kith = await until(launch('main', own), 'Kith is ready')
  kith.child.kill('SIGTERM')
  expect(await kith.ended).toBe(0)
  const key = readFileSync(join(own.DATA_DIR, 'secret.key'), 'utf8')
  const extrasOf = async (path: string, passphrase?: string) => {
    const backup = await openBackup(path, { passphrase })
    backup.close()
    return backup.header.extras
  }

  const [plain, open, closed] = [newFile(), newFile(), newFile()]
  expect(await run('backup', own, plain).ended).toBe(0)
  expect(await extrasOf(plain)).toEqual({})
  const unguarded = run('backup', own, '--with-secret-key', open)
  expect(await unguarded.ended).toBe(0)
  expect(unguarded.output()).toContain('anyone with the file can read every secret')
  expect(await extrasOf(open)).toEqual({ secret_key: key.trim() })

  const BACKUP_PASSPHRASE = 'correct horse battery'
  const guarded = run('backup', { ...own, BACKUP_PASSPHRASE }, closed, '--with-secret-key')
  expect(await guarded.ended).toBe(0)
  expect(guarded.output()).toMatch(/kB, encrypted\)/)
  expect(await extrasOf(closed, BACKUP_PASSPHRASE)).toEqual({ secret_key: key.trim() })

  const without = run('restore', other, closed)
  expect(await without.ended).toBe(1)
  expect(without.output()).toContain('Set BACKUP_PASSPHRASE')
  expect(readdirSync(other.DATA_DIR)).toEqual([])
  writeFileSync(join(other.DATA_DIR, 'secret.key'), 'of another database')
  const restored = run('restore', { ...other, BACKUP_PASSPHRASE }, closed)
  expect([await restored.ended, restored.output()]).toEqual([0, expect.not.stringContaining('FORGET_SECRETS')])
  expect(readFileSync(join(other.DATA_DIR, 'secret.key'), 'utf8')).toBe(key)
  const kept = readdirSync(other.DATA_DIR).find((name) => name.startsWith('secret.key.before-restore'))
  expect(readFileSync(join(other.DATA_DIR, kept!), 'utf8')).toBe('of another database')
  for (const { output } of [unguarded, guarded, restored])
    for (const secret of [key.trim(), BACKUP_PASSPHRASE]) expect(output()).not.toContain(secret)

  const unknown = run('backup', own, '--fast')
  expect(await unknown.ended).toBe(1)
  expect(unknown.output()).toContain('--with-secret-key')
}, 90_000)
