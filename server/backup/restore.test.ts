// A restore gives back the same rows, or refuses and changes nothing.
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, backupHome, contentOf, emptyDatabase, shapeOf, tablesOf } from '../../test/backup.ts'
import { testDatabase } from '../../test/database.ts'
import { givenFor } from '../../test/given.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { migrate, migrationsFolder } from '../platform/migrate.ts'
import { backUp } from './backup.ts'
import { headerFrame, packing, rowsFrame, tableFrame, trailerFrame } from './format.ts'
import { openBackup } from './open-backup.ts'

waitForProcesses()

const { home, newFile, store, restoreInto } = backupHome()

describe('a company with all kinds of data', () => {
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
    await source.ownerPool.query(
      `insert into webhooks (company_id, id, target_url, secret, created_at)
       values ('${admin.company_id}', gen_random_uuid(), 'https://hooks.example.com/', '\\x00ff', now());
       insert into webhook_deliveries (company_id, id, webhook_id, event_id, event_type, change_set_id, position, object_id,
         record_id, version, body, next_attempt_at, created_at, log)
       select company_id, gen_random_uuid(), id, 'a.0', 'record.created', id, 0, id, id, 1, '{"a": "\\n"}', now(), now(),
         '[{"response_body": "\\u0001"}]' from webhooks`,
    )
    file = newFile()
    await backUp({ store, connection: source.owner, file, extras: { secret_key: 's3cret' } })
  })

  test('is restored row for row, with the same tables, indexes, constraints and extras', async () => {
    const target = await emptyDatabase()
    const { rows, leftOut, extras } = await restoreInto(target, file)
    const content = await contentOf(target)
    expect(content).toEqual(await contentOf(source.owner))
    expect([content.webhooks, content.webhook_deliveries].map((list) => list!.length)).toEqual([1, 1])
    expect(rows).toBe(Object.values(content).flat().length)
    expect(await shapeOf(target)).toEqual(await shapeOf(source.owner))
    expect({ leftOut, extras }).toEqual({ leftOut: [], extras: { secret_key: 's3cret' } })
    expect(await migrate(target)).toEqual([])
  })

  test('can be restored into a database that was started but never set up', async () => {
    const { owner: connection } = await testDatabase()
    await ask(connection, "insert into sign_in_failures values (gen_random_uuid(), '\\x00', '192.0.2.1', now())")
    await restoreInto(connection, file)
    expect(await contentOf(connection)).toEqual(await contentOf(source.owner))
    expect(await shapeOf(connection)).toEqual(await shapeOf(source.owner))
  })

  test('is backed up to a file that only its owner can read and that is never overwritten', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await expect(backUp({ store, connection: source.owner, file })).rejects.toThrow(/already exists.*choose another/)
    expect(readdirSync(home).filter((name) => name.endsWith('.partial'))).toEqual([])
  })

  test('a backup that is truncated, or has a byte changed, is refused wherever that is', async () => {
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
    // About 400 places, spread over every part of the file.
    const step = Math.max(7, Math.floor(whole.length / 400))
    for (let at = 0; at < whole.length; at += step) {
      await expect(readAll(whole.subarray(0, at)), `cut at ${at}`).rejects.toThrow(/not a Kith backup|incomplete/)
      const flipped = Buffer.from(whole)
      flipped[at]! ^= 0x10
      await expect(readAll(flipped), `byte ${at}`).rejects.toThrow(/not a Kith backup|newer|incomplete|damaged/)
    }
  })

  test('can be encrypted with a passphrase, and restored with the same one', async () => {
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

  test('a restore that would differ in one letter fails its checksum', async () => {
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

    test('by an older version, or one with different migrations', async () => {
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

    test('into a database with a company, with tables of other applications, or of a running Kith', async () => {
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

test('a backup of an older version is migrated, whatever the order of its tables', async () => {
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

test('tables of other applications are in the backup, and the restore reports that it skips them', async () => {
  const { owner: connection } = await testDatabase()
  await ask(connection, 'create table diary as select generate_series(1, 3) as page')
  const file = newFile()
  await backUp({ store, connection, file })
  const target = await emptyDatabase()
  expect(await restoreInto(target, file)).toMatchObject({ leftOut: ['diary'] })
  expect(await tablesOf(target)).not.toContain('diary')
})
